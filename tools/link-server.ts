import { linkServer } from "../src/endpoints/api/server/link-server.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";

export default tool(linkServer, {
  name: "link_server",
  title: "Link a server",
  description: "Links a game server to the account by the 8-character code its plugin prints on /bench link.",
  arguments: { code: "Shown by the plugin or agent", name: "In place of its own" },
  toolset: "fleet",
  urls: ["/servers/{answer.id}"],
});
