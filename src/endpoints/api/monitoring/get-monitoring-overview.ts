import { selectFleet } from "../../../store/monitoring/overview.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { MonitoringOverview, monitoringOverview } from "../../../core/monitoring/overview.ts";
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
  }),
  output: MonitoringOverview,
  errors: [],
  example: { input: {}, output: exampleOverview },

  async handle({ include_unmonitored }, { db, caller, now }) {
    const fleet = await db.read(selectFleet, caller.account.id);
    return monitoringOverview(fleet, include_unmonitored === true, caller.limits, now);
  },
});
