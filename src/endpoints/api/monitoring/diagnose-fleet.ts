import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { FleetHealth, fleetHealthOf } from "../../../core/monitoring/fleet-health.ts";
import { readFleetHead } from "../../../services/monitoring/read-overview.ts";
import { exampleFleetHealth } from "./example-fleet-health.ts";

const usualServers = 10;
const mostServers = 25;

export const diagnoseFleet = defineEndpoint({
  id: "monitoring.health",
  method: "GET",
  path: "/monitoring/health",
  params: {},
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary: "What is wrong with the account's servers, the worst first, and how many have each verdict.",
  isAddition: true,
  input: z.strictObject({ limit: z.int().min(1).max(mostServers).optional() }),
  output: FleetHealth,
  errors: ["validation_error"],
  example: { input: {}, output: exampleFleetHealth },

  async handle({ limit = usualServers }, { db, caller, now }) {
    const asked = { includeUnmonitored: false, watched: null, top: limit };
    const head = await readFleetHead(db, caller.account.id, asked, caller.limits, now);
    return fleetHealthOf(head, caller.limits, now);
  },
});
