import { listAccountSoftware } from "../src/endpoints/api/software/list-account-software.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";

export default tool(listAccountSoftware, {
  name: "list_account_software",
  title: "Versions across all servers",
  description:
    "Which versions of server, Java, plugins and mods run on which own servers; several versions of one first, oldest first. Needs no server_id.",
  arguments: { name: "Whole name of a plugin or mod", limit: "Rows (50)" },
  toolset: "fleet",
  urls: ["/servers"],
  needs: "monitoring",
  whenEmpty: "No server of this account has sent what runs there; the agent sends it at its start.",
});
