import type { Plans } from "../../core/access/plan.ts";
import { keptFrom } from "../../core/metric/chunk.ts";
import { one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { query, type Query } from "../engine/query.ts";
import { eachServer } from "./series-servers.ts";

/** Rows deleted in one transaction: some milliseconds of the thread on SQLite. */
const rowsAtATime = 1000;

interface Deletion {
  readonly firstBeyond: Query<{ server: string; before: number; fitting: number }, { at: number }>;
  readonly remove: Query<{ server: string; before: number }, unknown>;
}

const deletionOf = (table: "sample" | "sample_rollup"): Deletion => {
  const time = table === "sample" ? "sampled_at" : "bucket_at";
  return {
    firstBeyond: query<{ server: string; before: number; fitting: number }>()((db, $) =>
      db
        .selectFrom(table)
        .select(`${time} as at`)
        .where("server_id", "=", $.server)
        .where(time, "<", $.before)
        .orderBy(time)
        .limit(1)
        .offset($.fitting),
    ),
    remove: query<{ server: string; before: number }>()((db, $) =>
      db.deleteFrom(table).where("server_id", "=", $.server).where(time, "<", $.before),
    ),
  };
};

const samples = deletionOf("sample");
const rollups = deletionOf("sample_rollup");

function* step(
  { firstBeyond, remove }: Deletion,
  server: string,
  before: number,
): Generator<Step, number, Result> {
  const beyond = yield* one(firstBeyond, { server, before, fitting: rowsAtATime });
  return yield* run(remove, { server, before: beyond?.at ?? before });
}

/** Deletes what lies behind the owner's viewing window and the days of grace. */
export async function* prune(db: Database, now: number, plans: Plans): AsyncGenerator<number> {
  for await (const { id, keptPlan, oldestSample, oldestRollup } of eachServer(db, now)) {
    const before = keptFrom(plans[keptPlan].retention_days, now);
    for (const [deletion, oldest] of [
      [samples, oldestSample],
      [rollups, oldestRollup],
    ] as const) {
      if (oldest === null || oldest >= before) continue;
      for (let deleted = -1; deleted !== 0;) {
        deleted = await db.writeRelaxed(() => step(deletion, id, before));
        if (deleted > 0) yield deleted;
      }
    }
  }
}
