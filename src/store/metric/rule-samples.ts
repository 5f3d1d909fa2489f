import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { SampleMetric } from "../../core/alert/alert-rule.ts";
import type { RuleSample } from "../../core/alert/arrivals.ts";
import { watchesTicks } from "../../core/alert/watch-metric.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import { all, type Database, type Work } from "../engine/database.ts";
import { inArrays, query, type Query } from "../engine/query.ts";
import { pausedDetail } from "./samples.ts";

interface Span {
  readonly [place: string]: string | number;
  readonly server: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

type Cells = readonly [sampledAt: number, receivedAt: number, paused: number, value: number | null];

/** Samples read in one go, and replayed before others get the thread: 2 to 4 ms. */
const samplesAtATime = 1000;
/** So is this long a time: a day without samples has 2,880 sweeps to replay. */
const timeAtATimeMs = dayMs;

/** Only rules on ticks ask for pauses, and the detail that holds them can be long. */
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
};
const times = samplesOf(null);

const toSample = ([sampledAt, receivedAt, paused, value]: Cells): RuleSample => ({
  sampledAt,
  receivedAt,
  value,
  pausedEmpty: paused === 1,
});

/** Reads samples of one server with one metric; null: their times alone. */
function* selectRuleSamples(metric: SampleMetric | null, span: Span): Work<RuleSample[]> {
  return (yield* all(metric === null ? times : queries[metric], span)).map(toSample);
}

/** The samples measured from `from` on and before `to`, in order; between two parts the thread is everybody else's. */
export async function* readRuleSamples(
  db: Database,
  server: string,
  metric: SampleMetric | null,
  from: Instant,
  to: Instant,
): AsyncGenerator<readonly RuleSample[]> {
  for (let start = from; start < to;) {
    const end = Math.min(to, start + timeAtATimeMs);
    const span = { server, from: start, to: end, limit: samplesAtATime };
    const samples = await db.read(selectRuleSamples, metric, span);
    yield samples;
    const last = samples.length < samplesAtATime ? undefined : samples.at(-1);
    start = last === undefined ? end : last.sampledAt + 1;
    await setImmediate();
  }
}
