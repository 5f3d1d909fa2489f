import { baselineDays, type LevelBaseline } from "../../core/health/baseline.ts";
import type { CountBaselines } from "../../core/health/facts.ts";
import type { SteadyField } from "../../core/health/health-fields.ts";
import { loadBucketOf, loadFields, type LoadBucket } from "../../core/health/load-buckets.ts";
import { bucketMs } from "../../core/metric/chunk.ts";
import type { KeptLows } from "../../core/health/field-low.ts";
import type { SlownessCheckpoint } from "../../core/health/slowness-replay.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import { sql } from "kysely";
import { all, one, run, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { loadDayTable, serverBaselineTable } from "./tables.ts";

/** What a server's ticks usually need, and how the server compares with that now. */
export interface StoredBaseline {
  readonly serverId: string;
  /** Start of the day (UTC) it was computed for; negative: to be recomputed, because earlier days changed. */
  readonly day: Instant;
  readonly baseline: LevelBaseline;
  readonly measured: readonly SteadyField[];
  readonly slowState: LevelState | null;
}

/** Adds what only an evaluation needs: usual counts of the worlds, and lows of heap and disk of the days before. */
export interface WholeBaseline extends StoredBaseline {
  readonly counts: CountBaselines;
  /** Null if they have not been read yet. */
  readonly heapLows: KeptLows | null;
  readonly diskLows: KeptLows | null;
  /** What was known of the ticks when the baseline was computed; null if it was not computed yet. */
  readonly checkpoint: SlownessCheckpoint | null;
}

const find = query<{ server: string }>()((db, $) =>
  db.selectFrom("server_baseline").select(serverBaselineTable.columns).where("server_id", "=", $.server),
);

const findOfServers = query<{ ids: string }>()((db, $, dialect) =>
  db
    .selectFrom("server_baseline as b")
    .innerJoin(listedIds(dialect, $.ids).as("w"), "w.id", "b.server_id")
    .select(serverBaselineTable.of("b")),
);

const upsert = query<RowOf<typeof serverBaselineTable>>()((db, $) =>
  db
    .insertInto("server_baseline")
    .values(placesOf(serverBaselineTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("server_id").doUpdateSet((eb) => ({
        day: eb.ref("excluded.day"),
        baseline: eb.ref("excluded.baseline"),
        measured: eb.ref("excluded.measured"),
        slow_state: eb.ref("excluded.slow_state"),
        counts: eb.ref("excluded.counts"),
        heap_lows: eb.ref("excluded.heap_lows"),
        checkpoint: eb.ref("excluded.checkpoint"),
        disk_lows: eb.ref("excluded.disk_lows"),
      })),
    ),
);

const setSlowState = query<{ server: string; state: string | null }>()((db, $) =>
  db.updateTable("server_baseline").set({ slow_state: $.state }).where("server_id", "=", $.server),
);

const days = query<{ server: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom("load_day")
    .select(["day", "buckets"])
    .where("server_id", "=", $.server)
    .where("day", ">=", $.from)
    .where("day", "<", $.to)
    .orderBy("day"),
);

const addDay = query<RowOf<typeof loadDayTable>>()((db, $) =>
  db
    .insertInto("load_day")
    .values(placesOf(loadDayTable.columns, $))
    .onConflict((conflict) =>
      conflict.columns(["server_id", "day"]).doUpdateSet((eb) => ({ buckets: eb.ref("excluded.buckets") })),
    ),
);

const dropChanged = query<{ server: string; first: number; last: number }>()((db, $) =>
  db
    .deleteFrom("load_day")
    .where("server_id", "=", $.server)
    .where("day", ">=", $.first)
    .where("day", "<=", $.last),
);

/** Each mark is a new negative number, so that a computation knows which mark it has seen. */
const markDue = query<{ server: string }>()((db, $) =>
  db
    .updateTable("server_baseline")
    .set({ day: sql<number>`case when day < 0 then day - 1 else -1 end` })
    .where("server_id", "=", $.server),
);

const open = query<RowOf<typeof serverBaselineTable>>()((db, $) =>
  db
    .insertInto("server_baseline")
    .values(placesOf(serverBaselineTable.columns, $))
    .onConflict((conflict) => conflict.column("server_id").doNothing()),
);

const dropDays = query<{ server: string; before: number }>()((db, $) =>
  db.deleteFrom("load_day").where("server_id", "=", $.server).where("day", "<", $.before),
);

export function* baselineOfServer(serverId: string): Work<WholeBaseline | null> {
  const row = yield* one(find, { server: serverId });
  return row && serverBaselineTable.toRecord(row);
}

/** By server id; servers without a baseline are absent. */
export function* baselinesOfServers(ids: readonly string[]): Work<Map<string, WholeBaseline>> {
  const rows = yield* all(findOfServers, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.server_id, serverBaselineTable.toRecord(row)]));
}

/** Inserts a row for a server without one, so that it can be marked while its baseline is computed. */
export function* openBaseline(serverId: string): Work<void> {
  const baseline = { day: 0, bands: [], enoughOn: null };
  const unknown = {
    measured: [],
    slowState: null,
    counts: {},
    heapLows: null,
    checkpoint: null,
    diskLows: null,
  };
  yield* run(open, serverBaselineTable.toRow({ serverId, day: -1, baseline, ...unknown }));
}

/** Deletes stored days from `first` to `last`, and marks the baseline to be recomputed. */
export function* dropLoadDays(serverId: string, first: Instant, last: Instant): Work<void> {
  yield* run(dropChanged, { server: serverId, first, last });
  yield* run(markDue, { server: serverId });
}

export function* saveBaseline(baseline: WholeBaseline): Work<void> {
  yield* run(upsert, serverBaselineTable.toRow(baseline));
}

export function* saveSlowState(serverId: string, state: LevelState | null): Work<void> {
  yield* run(setSlowState, { server: serverId, state: state && JSON.stringify(state) });
}

type LoadDay = { readonly day: Instant; readonly buckets: readonly LoadBucket[] };

const toBucket = (day: Instant, [place, ...values]: readonly (number | null)[]): LoadBucket =>
  loadBucketOf(day + (place ?? 0) * bucketMs, values);

export function* loadDaysOf(serverId: string, from: Instant, to: Instant): Work<LoadDay[]> {
  const rows = yield* all(days, { server: serverId, from, to });
  return rows.map((row) => {
    const { day, buckets } = loadDayTable.toRecord({ server_id: serverId, ...row });
    return { day, buckets: buckets.map((cells) => toBucket(day, cells)) };
  });
}

/** Stores a day, and deletes the days that no baseline uses any more. */
export function* saveLoadDay(serverId: string, { day, buckets }: LoadDay): Work<void> {
  const cells = buckets.map((bucket) => [
    Math.round((bucket.at - day) / bucketMs),
    ...loadFields.map((field) => bucket[field]),
  ]);
  yield* run(addDay, loadDayTable.toRow({ serverId, day, buckets: cells }));
  yield* run(dropDays, { server: serverId, before: day - baselineDays * dayMs });
}
