import { z } from "zod";
import { inTurns } from "../../../core/turns.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { comparedSpansInput, isSpanMistake, readComparedSpans } from "../../../core/metric/compared-spans.ts";
import { fieldsToRead, noiseSpan, periodComparison } from "../../../core/metric/compare-periods.ts";
import { retainedFrom } from "../../../core/metric/clock.ts";
import { PeriodBuckets } from "../../../core/metric/period-buckets.ts";
import { PeriodComparison } from "../../../core/metric/period-comparison.ts";
import { beyondRetention } from "../../../core/metric/period.ts";
import { storedPointsAtMost } from "../../../core/metric/series.ts";
import { distinctFields, seriesFieldsInput } from "../../../core/metric/series-field.ts";
import { readPoints } from "../../../store/metric/series-points.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { examplePeriods } from "./example-periods.ts";

export const comparePeriods = defineEndpoint({
  id: "metrics.compare",
  method: "GET",
  path: "/servers/{id}/metrics/compare",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary: "Two periods of a server of the caller compared, with the noise of such a difference.",
  isAddition: true,
  input: z.strictObject({
    server_id: resourceIdInput(),
    ...comparedSpansInput,
    fields: seriesFieldsInput,
  }),
  output: PeriodComparison,
  errors: ["validation_error", "not_found", "retention_exceeded"],
  example: examplePeriods,

  check(input, { now, fail }) {
    const spans = readComparedSpans(input, now);
    if (isSpanMistake(spans)) fail("validation_error", spans.message, { field: spans.field });
  },

  async handle({ server_id, fields, ...input }, { db, replica, caller, now, found, fail }) {
    found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    const spans = readComparedSpans(input, now);
    if (isSpanMistake(spans)) return fail("validation_error", spans.message, { field: spans.field });
    const sides = [spans.base, spans.target] as const;
    for (const { from, to } of sides) {
      const beyond = beyondRetention({ range: null, from, to }, caller.limits.retention_days, now);
      if (beyond) fail("retention_exceeded", beyond.message, { ...beyond.details });
    }

    let points = 0;
    const read = async ({ from, to }: (typeof sides)[number]): Promise<PeriodBuckets | null> => {
      const buckets = new PeriodBuckets(from, to, fieldsToRead(distinctFields(fields)));
      for await (const chunk of readPoints(replica, server_id, from, to, buckets.fields)) {
        buckets.add(chunk);
        points += chunk.times.length;
        if (points > storedPointsAtMost) return null;
      }
      return buckets;
    };
    const [base, target] = [await read(spans.base), await read(spans.target)];
    if (base === null || target === null) return fail("validation_error", tooMany, { field: "target_from" });
    // Where the days before are too many measurements, the noise between days is an assumption.
    const span = noiseSpan(base, target, retainedFrom(caller.limits.retention_days, now));
    const history = span && (await read(span));
    return inTurns(periodComparison(server_id, distinctFields(fields), base, target, history));
  },
});

const tooMany = `These periods hold more than ${storedPointsAtMost} measurements. Ask for shorter ones.`;
