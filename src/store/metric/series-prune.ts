import type { Plans } from "../../core/access/plan.ts";
import { keptFrom } from "../../core/metric/chunk.ts";
import { dayMs } from "../../core/time.ts";
import { deletion, untilDone } from "../engine/batches.ts";
import { run, type Database } from "../engine/database.ts";
import { eachServer } from "./series-servers.ts";

/** Rows deleted in one transaction: some milliseconds of the thread on SQLite. */
const rowsAtATime = 1000;
/** Blocks deleted in one transaction: some hundred kilobytes. */
const blocksAtATime = 10;

const old = deletion<{ server: string; before: number }>();

const samples = old(
  "sample",
  ["server_id", "sampled_at"],
  (row, $) => row.and([row("server_id", "=", $.server), row("sampled_at", "<", $.before)]),
  rowsAtATime,
);
const blocks = old(
  "sample_block",
  ["server_id", "day"],
  (row, $) => row.and([row("server_id", "=", $.server), row("day", "<=", $.before)]),
  blocksAtATime,
);

/** Deletes samples, and blocks of whole days, older than the plan's retention and the days of grace. */
export async function* prune(db: Database, now: number, plans: Plans): AsyncGenerator<number> {
  for await (const { id: server, keptPlan, oldestSample, oldestBlock } of eachServer(db, now)) {
    const before = keptFrom(plans[keptPlan].retention_days, now);
    if (oldestSample !== null && oldestSample < before)
      yield* untilDone(() => db.writeRelaxed(() => run(samples, { server, before })), rowsAtATime);
    if (oldestBlock !== null && oldestBlock + dayMs <= before)
      yield* untilDone(
        () => db.writeRelaxed(() => run(blocks, { server, before: before - dayMs })),
        blocksAtATime,
      );
  }
}
