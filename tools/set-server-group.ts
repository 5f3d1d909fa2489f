import { setServerGroup } from "../src/endpoints/api/server/set-server-group.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers, groups } from "./id-lists.ts";

export default tool(setServerGroup, {
  name: "set_server_group",
  title: "Sort a server into a group",
  description: "Puts an own server into a group, or out of any with group_id null.",
  arguments: { group_id: "null takes it out" },
  toolset: "fleet",
  urls: ["/groups"],
  lists: { server_id: servers, group_id: groups },
});
