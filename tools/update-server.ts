import { updateServer } from "../src/endpoints/api/servers/update-server.ts";
import { tool } from "../src/mcp/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(updateServer, {
  name: "update_server",
  title: "Change a server",
  description:
    "Renames an own server or changes what others see of it. Fields left out stay as they are; the group is set_server_group's.",
  toolset: "fleet",
  lists: { server_id: servers },
});
