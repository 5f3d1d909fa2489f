import { getServerStatus } from "../src/endpoints/api/server/get-server-status.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownServers } from "./suggestions.ts";
import { servers } from "../tools/id-lists.ts";

export default resource(getServerStatus, {
  uri: "tickmark://servers/{server_id}/status",
  urls: ["/servers/{server_id}"],
  name: "server_status",
  title: "Server status",
  description: "Whether an own server runs, since when, and its last measurement.",
  watchedFields: ["status", "state", "state_since", "monitoring"],
  ttlSeconds: 10,
  suggests: { server_id: ownServers },
  lists: { server_id: servers },
});
