import { readPoints } from "../../../store/metric/series-points.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { checkPeriod, permittedPeriod } from "../../../contract/call/permitted-period.ts";
import { inTurns } from "../../../core/turns.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { MetricSeries } from "../../../core/metric/metric-series.ts";
import { periodInput, presetPeriod } from "../../../core/metric/period.ts";
import { distinctFields, seriesFieldsInput } from "../../../core/metric/series-field.ts";
import { Series, storedPointsAtMost } from "../../../core/metric/series.ts";
import { exampleMetrics } from "./example-metrics.ts";

const usualRange = "24h";

export const getServerMetrics = defineEndpoint({
  id: "metrics.get",
  method: "GET",
  path: "/servers/{id}/metrics",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary: "Measurements of a server of the caller over a period, in columns, with summary and gaps.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    ...periodInput,
    fields: seriesFieldsInput,
    max_points: z.int().min(10).max(2000).default(500),
  }),
  output: MetricSeries,
  errors: ["validation_error", "not_found", "retention_exceeded"],
  example: exampleMetrics,

  check(input, { now, fail }) {
    checkPeriod(input, now, fail);
  },

  async handle({ server_id, fields, max_points, ...input }, { db, replica, caller, now, found, fail }) {
    found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    const usual = presetPeriod(usualRange, now);
    const period = permittedPeriod(input, usual, caller.limits.retention_days, now, fail);

    const question = { serverId: server_id, period, fields: distinctFields(fields), maxPoints: max_points };
    const series = new Series(question);
    for await (const chunk of readPoints(replica, server_id, period.from, period.to, question.fields)) {
      series.add(chunk);
      if (series.points > storedPointsAtMost) {
        fail(
          "validation_error",
          `This period has more than ${storedPointsAtMost} measurements. Ask for a shorter one.`,
          { field: period.range === null ? "from" : "range" },
        );
      }
    }
    return inTurns(series.answer());
  },
});
