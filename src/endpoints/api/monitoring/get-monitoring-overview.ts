import { inTurns } from "../../../core/turns.ts";
import { readOverview } from "../../../services/monitoring/read-overview.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { addition } from "../../../core/addition.ts";
import { MonitoringOverview, overviewSteps } from "../../../core/monitoring/overview.ts";
import { exampleOverview } from "./example-overview.ts";

export const getMonitoringOverview = defineEndpoint({
  id: "monitoring.overview",
  method: "GET",
  path: "/monitoring/overview",
  params: {},
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "The status of every monitored server of the account at once, worst first, with totals and open alerts.",
  input: z.strictObject({
    // `false` means the same as leaving it out.
    include_unmonitored: z
      .boolean()
      .optional()
      .transform((include) => include === true || undefined),
    watched: addition(z.boolean()).optional(),
  }),
  output: MonitoringOverview,
  errors: [],
  example: { input: {}, output: exampleOverview },

  async handle({ include_unmonitored, watched = null }, { db, caller, now }) {
    const includeUnmonitored = include_unmonitored === true;
    const fleet = await readOverview(db, caller.account.id, includeUnmonitored);
    return inTurns(overviewSteps(fleet, { includeUnmonitored, watched }, caller.limits, now));
  },
});
