import { getServerSoftware } from "../src/endpoints/api/software/get-server-software.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(getServerSoftware, {
  name: "get_server_software",
  title: "Software of a server",
  description:
    "What runs on one own server: server, Java, flags, plugins, mods, settings; changed_at: when each last changed (null: not since first_received_at). list_server_events has the changes.",
  arguments: { top: "How many of each list" },
  toolset: "fleet",
  urls: ["/servers/{server_id}"],
  previews: { plugins: 40, mods: 40, flags: 40, files: 10 },
  lists: { server_id: servers },
  needs: "monitoring",
});
