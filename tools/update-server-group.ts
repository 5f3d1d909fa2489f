import { updateServerGroup } from "../src/endpoints/api/server/update-server-group.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { groups } from "./id-lists.ts";

export default tool(updateServerGroup, {
  name: "update_server_group",
  title: "Change a server group",
  description:
    "Renames, recolours (colours as for create_server_group) or reorders a server group. Its servers stay; set_server_group moves them.",
  arguments: { sort_order: "Lowest first" },
  toolset: "fleet",
  urls: ["/groups"],
  lists: { group_id: groups },
});
