import type { SessionCaller } from "../../../../../contract/call/caller.ts";
import { metricLimits } from "../../../../../core/alert/limits.ts";
import { AlertMetric, type SampleMetric } from "../../../../../core/alert/alert-rule.ts";
import { metricWords } from "../../../../../core/alert/message.ts";
import { nominalOf } from "../../../../../core/metric/series-field.ts";
import { dayMs, toTimestamp } from "../../../../../core/time.ts";
import { getServerMetrics } from "../../../../../endpoints/api/metric/get-server-metrics.ts";
import type { PageRequest } from "../../../../page.ts";
import { nullIfRefused, planRefusals } from "../../../../parts/null-if-refused.ts";
import type { RuleHistoryData } from "../../../../scripts/rule-preview/rule-history-data.ts";
import { plotDataOf } from "../../plot-data.ts";
import { Spark } from "../../spark.tsx";
import { previewDays, readPreview } from "./read-preview.ts";

/** About one point for every 25 minutes of seven days. */
const points = 400;

/** The least top of the scale, in the metric's unit. A chart of lower values does not fill its height. */
const leastTop: Readonly<Record<SampleMetric, number>> = {
  tps: 20,
  mspt: 60,
  player_count: 5,
  entity_count: 100,
  ram_used_mb: 1024,
  cpu_usage: 100,
  disk_free_mb: 10_240,
};

/** What a draft would have done, and the last days of its metric; the history is null if it watches none. */
export async function readPast(
  request: PageRequest<SessionCaller>,
  server_id: string,
  draft: URLSearchParams,
) {
  const metric = AlertMetric.safeParse(draft.get("metric")).data ?? "offline";
  const [preview, history] = await Promise.all([
    readPreview(request, server_id, draft),
    metric === "offline" ? null : readHistory(request, server_id, metric),
  ]);
  return { preview, history };
}

/** Null if the plan shows no measurements. */
async function readHistory(
  request: PageRequest<SessionCaller>,
  server_id: string,
  metric: SampleMetric,
): Promise<RuleHistoryData | null> {
  const days = Math.min(previewDays, request.person.limits.retention_days);
  const series = await nullIfRefused(
    planRefusals,
    request.call(getServerMetrics, {
      server_id,
      from: toTimestamp(request.now - days * dayMs),
      fields: [metric],
      max_points: points,
    }),
  );
  if (!series) return null;
  const data = plotDataOf(series);
  const [name, unit] = metricWords[metric];
  const { min, max, integer, highest } = metricLimits[metric];
  const line = data.lines[metric];
  const isMeasured = line?.values.some((value) => value !== null) ?? false;
  return {
    from: data.from,
    to: data.to,
    bucket: series.bucket_seconds,
    times: data.times,
    gaps: data.gaps,
    marks: [],
    shades: [],
    lines: [
      {
        field: metric,
        name,
        unit,
        top: leastTop[metric],
        nominal: nominalOf(metric),
        thresholds: [],
        values: isMeasured && line ? line.values : null,
        min: (isMeasured && line?.min) || null,
        max: (isMeasured && line?.max) || null,
      },
    ],
    limits: { min, max, integer, highest },
  };
}

interface HistoryProps {
  readonly history: RuleHistoryData;
  readonly threshold: number | null;
}

/** The script lets a person drag the threshold. */
export function RuleHistory({ history, threshold }: HistoryProps) {
  const [line] = history.lines;
  if (!line) return null;
  const { name, unit, top, values } = line;
  if (values === null) return <p class="quiet">{name} was not measured in the last days.</p>;
  const drawn = { values, min: line.min, max: line.max };
  const days = Math.round((history.to - history.from) / 86_400);
  return (
    <div class="rule-history" data-rule-history={JSON.stringify(history)}>
      <output class="under-time small" aria-hidden="true" />
      <figure>
        <figcaption class="small">
          <strong>{name}</strong>{" "}
          <span class="quiet">
            of the last {days === 1 ? "day" : `${days} days`}, with the threshold.
            <span data-with-script hidden>
              {" "}
              Drag the threshold, or move it with the arrow keys. Times in alert are shaded.
            </span>
          </span>
          <output class="under" aria-hidden="true" />
        </figcaption>
        <div class="plot">
          <Spark
            data={{ ...history, lines: { [line.field]: drawn } }}
            field={line.field as SampleMetric}
            name={name}
            unit={unit}
            nominal={threshold}
            top={Math.max(top, (threshold ?? 0) * 1.1)}
            width={900}
            height={160}
            class="still"
          />
        </div>
      </figure>
    </div>
  );
}
