import { z } from "zod";
import { checkPeriod, permittedPeriod } from "../../../contract/call/permitted-period.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import {
  availabilityPlace,
  AvailabilityPeriod,
  availabilityTotals,
  AvailabilityTotals,
  ServerAvailability,
  worstAvailable,
} from "../../../core/monitoring/fleet-availability.ts";
import { presetPeriod, writtenPeriodInput } from "../../../core/metric/period.ts";
import type { Position } from "../../../core/position.ts";
import { toTimestamp } from "../../../core/time.ts";
import { readAvailability } from "../../../services/health/read-availability.ts";
import { readWholeFleet } from "../../../services/monitoring/read-overview.ts";
import { exampleAvailability } from "./example-availability.ts";

export const listAvailability = defineEndpoint({
  id: "monitoring.availability",
  method: "GET",
  path: "/monitoring/availability",
  params: {},
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary: "How available each own server was in a period, the least available first, with totals of all.",
  isAddition: true,
  input: z.strictObject({ ...writtenPeriodInput, ...pageInput }),
  output: z.object({
    period: AvailabilityPeriod,
    totals: AvailabilityTotals,
    ...pageOf(ServerAvailability).shape,
  }),
  errors: ["validation_error", "retention_exceeded"],
  example: { input: { range: "7d" }, output: exampleAvailability },

  check(input, { now, fail }) {
    checkPeriod(input, now, fail);
  },

  async handle({ limit, ...input }, { db, replica, caller, now, after, page, fail }) {
    const { limits } = caller;
    const asked = permittedPeriod(input, presetPeriod("24h", now), limits.retention_days, now, fail);
    // The pages of one list are of one period.
    const begun = after === null ? null : pageStart(after);
    const { from, to } = begun?.period ?? asked;
    const { servers } = await readWholeFleet(db, caller.account.id, true);
    const known = await readAvailability(replica, servers, { limits, from, to, now });
    const rows = worstAvailable(servers, known, begun?.place ?? null);
    return {
      period: { from: toTimestamp(from), to: toTimestamp(to) },
      totals: availabilityTotals([...known.values()]),
      ...page(
        rows.slice(0, limit + 1),
        limit,
        (row) => [from, to, ...availabilityPlace(row)],
        (row) => row,
      ),
    };
  },
});

/** Cursors are sealed, so this is what an earlier page wrote. */
function pageStart([from, to, ...place]: Position) {
  if (typeof from !== "number" || typeof to !== "number")
    throw new Error("A position of another kind of list.");
  return { period: { from, to }, place };
}
