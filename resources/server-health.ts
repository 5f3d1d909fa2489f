import { diagnoseServer } from "../src/endpoints/api/health/diagnose-server.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { servers } from "../tools/id-lists.ts";
import { ownServers } from "./suggestions.ts";

export default resource(diagnoseServer, {
  uri: "tickmark://servers/{server_id}/health",
  urls: ["/servers/{server_id}"],
  name: "server_health",
  title: "Server health",
  description: "What is wrong with an own server in the last 24 hours, what changed, and what to do.",
  watchedFields: ["verdict", "headline.code"],
  ttlSeconds: 60,
  suggests: { server_id: ownServers },
  lists: { server_id: servers },
});
