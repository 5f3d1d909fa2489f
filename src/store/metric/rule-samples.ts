import { sql } from "kysely";
import {
  fieldColumn,
  pausedColumn,
  receivedColumn,
  type BlockSegment,
} from "../../core/metric/block/segment.ts";
import { placeOfTime } from "../../core/metric/chunk.ts";
import type { SampleMetric } from "../../core/alert/alert-rule.ts";
import type { RuleSample } from "../../core/alert/arrivals.ts";
import { watchesTicks } from "../../core/alert/watch-metric.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import { nextTurn } from "../../core/turns.ts";
import { all, type Database, type Work } from "../engine/database.ts";
import { inArrays, query, type Query } from "../engine/query.ts";
import { selectSegments } from "./blocks.ts";
import { pausedDetail } from "./samples.ts";

interface Span {
  readonly [place: string]: string | number;
  readonly server: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

type Cells = readonly [
  sampledAt: number,
  receivedAt: number,
  paused: number,
  value: number | null,
  targetTps: number | null,
];

/** Samples read and replayed before other work gets the thread: 2 to 4 ms. */
const samplesAtATime = 1000;
/** The longest period read at once: a day without samples has 2,880 sweeps to replay. Two blocks at most. */
const timeAtATimeMs = dayMs;
const blocksAtATime = 2;

/** Only rules on ticks need pauses, and the detail column that has them can be long. */
const samplesOf = (metric: SampleMetric | null): Query<Span, Cells> =>
  inArrays(
    query<Span>()((db, $) =>
      db
        .selectFrom("sample")
        .select([
          "sampled_at",
          "received_at",
          (metric !== null && watchesTicks(metric)
            ? sql<number>`case when detail like ${sql.lit(`${pausedDetail}%`)} then 1 else 0 end`
            : sql<number>`0`
          ).as("paused"),
        ])
        .select(metric ?? sql<null>`null`.as("value"))
        .select(
          metric !== null && watchesTicks(metric) ? "target_tps" : sql<number | null>`null`.as("target_tps"),
        )
        .where("server_id", "=", $.server)
        .where("sampled_at", ">=", $.from)
        .where("sampled_at", "<", $.to)
        .orderBy("sampled_at")
        .limit($.limit),
    ),
  );

const queries: Readonly<Record<SampleMetric, Query<Span, Cells>>> = {
  tps: samplesOf("tps"),
  mspt: samplesOf("mspt"),
  player_count: samplesOf("player_count"),
  entity_count: samplesOf("entity_count"),
  ram_used_mb: samplesOf("ram_used_mb"),
  cpu_usage: samplesOf("cpu_usage"),
  disk_free_mb: samplesOf("disk_free_mb"),
};
const times = samplesOf(null);

const toSample = ([sampledAt, receivedAt, paused, value, targetTps]: Cells): RuleSample => ({
  sampledAt,
  receivedAt,
  value,
  pausedEmpty: paused === 1,
  targetTps,
});

/** Blocks hold what was not measured as NaN. */
const numberOrNull = (value = Number.NaN): number | null => (Number.isNaN(value) ? null : value);

function* samplesIn(
  segment: BlockSegment,
  metric: SampleMetric | null,
  from: Instant,
  to: Instant,
): Generator<RuleSample> {
  const times = segment.times();
  const received = segment.column(receivedColumn)?.values();
  const paused = segment.column(pausedColumn)?.values();
  const values = metric === null ? undefined : segment.column(fieldColumn(metric))?.values();
  const isOnTicks = metric !== null && watchesTicks(metric);
  const targets = isOnTicks ? segment.column(fieldColumn("target_tps"))?.values() : undefined;
  for (let index = placeOfTime(times, from); index < placeOfTime(times, to); index += 1) {
    const sampledAt = times[index] ?? 0;
    // Other writers of blocks may leave the time of receipt out, for all points or for some.
    const delay = received?.[index] ?? Number.NaN;
    yield {
      sampledAt,
      receivedAt: Number.isNaN(delay) ? null : sampledAt + delay,
      value: numberOrNull(values?.[index]),
      pausedEmpty: paused?.[index] === 1,
      targetTps: numberOrNull(targets?.[index]),
    };
  }
}

/** Samples of one metric from blocks and rows, in time order; null `metric`: times only. */
function* selectRuleSamples(
  metric: SampleMetric | null,
  { server, from, to, limit }: Span,
): Work<{ readonly samples: readonly RuleSample[]; readonly end: Instant }> {
  const rows = (yield* all(metric === null ? times : queries[metric], { server, from, to, limit })).map(
    toSample,
  );
  const end = rows.length < limit ? to : (rows.at(-1)?.sampledAt ?? from) + 1;
  const { segments } = yield* selectSegments(server, from, end, blocksAtATime);
  const sealed = segments.flatMap((segment) => Array.from(samplesIn(segment, metric, from, end)));
  return { samples: [...sealed, ...rows].toSorted((a, b) => a.sampledAt - b.sampledAt), end };
}

/** Samples from `from` to before `to`, in order; other work runs between two parts. */
export async function* readRuleSamples(
  db: Database,
  server: string,
  metric: SampleMetric | null,
  from: Instant,
  to: Instant,
): AsyncGenerator<readonly RuleSample[]> {
  for (let start = from; start < to;) {
    const before = Math.min(to, start + timeAtATimeMs);
    const span = { server, from: start, to: before, limit: samplesAtATime };
    const { samples, end } = await db.read(selectRuleSamples, metric, span);
    for (let first = 0; first === 0 || first < samples.length; first += samplesAtATime) {
      yield samples.slice(first, first + samplesAtATime);
      await nextTurn();
    }
    start = end;
  }
}
