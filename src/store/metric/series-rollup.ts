import { sql, type RawBuilder } from "kysely";
import { rolledBefore, rollupStart } from "../../core/metric/chunk.ts";
import { seriesFields, type SeriesField } from "../../core/metric/sample.ts";
import { all, one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { bounds, counts, sampleRollupTable } from "./tables.ts";
import { eachServer } from "./series-servers.ts";

/**
 * Samples moved in one transaction: some 10 ms of the thread on SQLite (measured with 24 fields), for which a
 * heartbeat waits.
 */
const samplesAtATime = 400;

/** The first sample that no longer fits into a step. */
const firstBeyond = query<{ server: string; before: number; fitting: number }>()((db, $) =>
  db
    .selectFrom("sample")
    .select("sampled_at")
    .where("server_id", "=", $.server)
    .where("sampled_at", "<", $.before)
    .orderBy("sampled_at")
    .limit(1)
    .offset($.fitting),
);

/** Takes samples out. What one process takes no other does: its rows are locked until they are gone. */
const take = query<{ server: string; before: number }>()((db, $) =>
  db
    .deleteFrom("sample")
    .where("server_id", "=", $.server)
    .where("sampled_at", "<", $.before)
    .returning(["sampled_at", ...seriesFields]),
);

/** A sample with what becomes part of a roll-up row. */
export type TakenSample = { readonly sampled_at: number } & Readonly<Record<SeriesField, number | null>>;

type Part = (typeof bounds)[number];
type RollupRow = RowOf<typeof sampleRollupTable>;

/** Two values of one part as one; where one is null, it is the other. */
function together(part: Part, least: string, greatest: string): RawBuilder<number | null> {
  const [there, added] = [sql.ref<number>(`sample_rollup.${part}`), sql.ref<number>(`excluded.${part}`)];
  const both = part.endsWith("_sum")
    ? sql`${there} + ${added}`
    : sql`${sql.raw(part.endsWith("_min") ? least : greatest)}(${there}, ${added})`;
  return sql<number | null>`coalesce(${both}, ${there}, ${added})`;
}

/** Adds a row, or to the row that is there already, in the database itself: two processes may meet at one. */
const add = query<RollupRow>()((db, $, dialect) => {
  const [least, greatest] = dialect === "postgres" ? ["least", "greatest"] : ["min", "max"];
  const merged = Object.fromEntries([
    ...bounds.map((part) => [part, together(part, least, greatest)]),
    ...counts.map((part) => [
      part,
      sql`${sql.ref(`sample_rollup.${part}`)} + ${sql.ref(`excluded.${part}`)}`,
    ]),
  ]) as Record<Part, RawBuilder<number | null>>;
  return db
    .insertInto("sample_rollup")
    .values(placesOf(sampleRollupTable.columns, $))
    .onConflict((conflict) => conflict.columns(["server_id", "bucket_at"]).doUpdateSet(merged));
});

function emptyRow(serverId: string, bucketAt: number): RollupRow {
  const parts = [...bounds.map((part) => [part, null]), ...counts.map((part) => [part, 0])];
  return { server_id: serverId, bucket_at: bucketAt, ...Object.fromEntries(parts) } as RollupRow;
}

function addSample(row: RollupRow, sample: TakenSample): void {
  for (const field of seriesFields) {
    const value = sample[field];
    if (value === null) continue;
    row[`${field}_min`] = Math.min(row[`${field}_min`] ?? value, value);
    row[`${field}_max`] = Math.max(row[`${field}_max`] ?? value, value);
    row[`${field}_sum`] = (row[`${field}_sum`] ?? 0) + value;
    row[`${field}_count`] += 1;
  }
}

/** Adds samples of a server to the rows of their five minutes. */
export function* addToRollup(
  serverId: string,
  samples: readonly TakenSample[],
): Generator<Step, void, Result> {
  const rows = new Map<number, RollupRow>();
  for (const sample of samples) {
    const start = rollupStart(sample.sampled_at);
    const row = rows.get(start) ?? emptyRow(serverId, start);
    rows.set(start, row);
    addSample(row, sample);
  }
  const inOrder = [...rows.values()].toSorted((a, b) => a.bucket_at - b.bucket_at);
  for (const row of inOrder) yield* run(add, row);
}

function* step(serverId: string, before: number): Generator<Step, number, Result> {
  const beyond = yield* one(firstBeyond, { server: serverId, before, fitting: samplesAtATime });
  const samples = yield* all(take, { server: serverId, before: beyond?.sampled_at ?? before });
  yield* addToRollup(serverId, samples);
  return samples.length;
}

/** Moves samples into rows of five minutes. A power cut may forget the last steps, but whole ones. */
export async function* rollUp(db: Database, now: number): AsyncGenerator<number> {
  const before = rolledBefore(now);
  for await (const { id, oldestSample } of eachServer(db, now)) {
    if (oldestSample === null || oldestSample >= before) continue;
    for (let moved = -1; moved !== 0;) {
      moved = await db.writeRelaxed(() => step(id, before));
      if (moved > 0) yield moved;
    }
  }
}
