import { listServerGroups } from "../src/endpoints/api/server/list-server-groups.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";

export default tool(listServerGroups, {
  name: "list_server_groups",
  title: "List server groups",
  description:
    "All server groups of the account with id, colour and number of servers. The servers of a group are those whose group_id list_servers shows.",
  toolset: "fleet",
  urls: ["/groups"],
  whenEmpty: "The account has no server group yet; create_server_group makes one.",
});
