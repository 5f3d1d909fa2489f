import { getRegressionVerdict } from "../src/endpoints/api/server/get-regression-verdict.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownServers } from "./suggestions.ts";
import { servers } from "../tools/id-lists.ts";

export default resource(getRegressionVerdict, {
  uri: "tickmark://servers/{server_id}/regression",
  urls: ["/servers/{server_id}/charts"],
  name: "server_regression",
  title: "Regression verdict",
  description: "Whether a verified server got slower over 90 days of scheduled benchmarks.",
  watchedFields: ["verdict", "reason", "since"],
  ttlSeconds: 60,
  suggests: { server_id: ownServers },
  lists: { server_id: servers },
});
