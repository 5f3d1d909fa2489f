import { createServerGroup } from "../src/endpoints/api/server/create-server-group.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";

export default tool(createServerGroup, {
  name: "create_server_group",
  title: "Create a server group",
  description:
    "Makes a server group, empty until set_server_group sorts a server in. color: gray, red, orange, yellow, green, teal, blue, indigo, purple, pink; any other becomes none.",
  toolset: "fleet",
  urls: ["/groups"],
});
