import { listServerGroups } from "../src/endpoints/api/server/list-server-groups.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";

export default resource(listServerGroups, {
  uri: "tickmark://server-groups",
  urls: ["/groups"],
  name: "server_groups",
  title: "Server groups",
  description: "All server groups of the account.",
  watchedFields: ["data"],
  ttlSeconds: 60,
  whenEmpty: "The account has no server group yet; create_server_group makes one.",
});
