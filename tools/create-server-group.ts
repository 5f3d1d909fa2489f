import { createServerGroup } from "../src/endpoints/api/server-groups/create-server-group.ts";
import { tool } from "../src/mcp/tool.ts";

export default tool(createServerGroup, {
  name: "create_server_group",
  title: "Create a server group",
  description:
    "Makes a server group; a colour outside the palette becomes none. It holds no server until set_server_group sorts one in.",
  toolset: "fleet",
});
