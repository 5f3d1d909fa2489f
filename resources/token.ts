import { getTokenInfo } from "../src/endpoints/api/access/get-token-info.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";

export default resource(getTokenInfo, {
  uri: "tickmark://token",
  urls: ["/settings/security"],
  name: "token",
  title: "This token",
  description: "What the calling token is and may do, and the calls left.",
  ttlSeconds: 0,
});
