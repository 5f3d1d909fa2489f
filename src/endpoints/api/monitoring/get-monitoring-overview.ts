import { inTurns } from "../../../core/turns.ts";
import { readFleetHead } from "../../../services/monitoring/read-overview.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { addition } from "../../../core/addition.ts";
import { MonitoringOverview, overviewSteps } from "../../../core/monitoring/overview.ts";
import { exampleOverview } from "./example-overview.ts";

const mostOfTop = 100;

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
    /** Left out: all. */
    top: addition(z.int().min(1).max(mostOfTop)).optional(),
  }),
  output: MonitoringOverview,
  errors: ["validation_error"],
  example: { input: {}, output: exampleOverview },

  async handle({ include_unmonitored, watched = null, top = null }, { db, caller, now }) {
    const asked = { includeUnmonitored: include_unmonitored === true, watched, top };
    const head = await readFleetHead(db, caller.account.id, asked, caller.limits, now);
    return inTurns(overviewSteps(head, caller.limits, now));
  },
});
