import { getTokenInfo } from "../src/endpoints/api/access/get-token-info.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";

export default tool(getTokenInfo, {
  name: "get_token_info",
  title: "About this token",
  description:
    "What the calling token is and may do, the account's plan, and the calls left. Costs no daily call.",
  toolset: "account",
  alsoIn: ["essentials"],
  urls: ["/settings/security"],
});
