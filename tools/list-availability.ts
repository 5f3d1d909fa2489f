import { listAvailability } from "../src/endpoints/api/monitoring/list-availability.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";

export default tool(listAvailability, {
  name: "list_availability",
  title: "Availability of all servers",
  description:
    "How available every own server was (24h unless range, or from and to): percent, incidents, seconds in each state, least available first; totals of all. What is 0 is left out.",
  arguments: { ...cursor, range: "Period that ends now" },
  toolset: "fleet",
  urls: ["/servers/availability{?range}"],
  brief: {
    members: {
      server_id: true,
      name: true,
      percent: true,
      incidents: true,
      up_seconds: true,
      down_seconds: true,
      stopped_seconds: true,
      maintenance_seconds: true,
      unmonitored_seconds: true,
    },
    leavesOut: (
      [
        "incidents",
        "up_seconds",
        "down_seconds",
        "stopped_seconds",
        "maintenance_seconds",
        "unmonitored_seconds",
      ] as const
    ).map((member) => ({ member, when: { member, is: 0 } })),
  },
  rows: 25,
  needs: "monitoring",
  whenEmpty: "No server is linked to this account.",
});
