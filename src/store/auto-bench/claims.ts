import type { ClaimedJob } from "../../core/auto-bench/store.ts";
import { claimed, waits, type Claim } from "../../core/auto-bench/transitions.ts";
import { BenchmarkMode } from "../../core/report/report.ts";
import type { Instant } from "../../core/time.ts";
import { saveJob } from "./auto-bench-rows.ts";
import { autoBenchJobTable } from "./tables.ts";
import { one, type Database, type Result, type Step } from "../engine/database.ts";
import { query, type Builder } from "../engine/query.ts";

type Since = { since: number };

/** The job that has waited longest, of those that time has not ended. */
const longestWaiting = (db: Builder, $: Since) =>
  db
    .selectFrom("auto_bench_job as j")
    .selectAll("j")
    .where("j.finished_at", "is", null)
    .where("j.status", "=", "queued")
    .where("j.updated_at", ">", $.since)
    .orderBy("j.queued_at")
    .limit(1);

const peek = query<Since>()((db, $) => longestWaiting(db, $));
/** Whoever comes second takes the next one instead of waiting for the first. */
const take = query<Since>()((db, $, dialect) =>
  dialect === "postgres" ? longestWaiting(db, $).forUpdate().skipLocked() : longestWaiting(db, $),
);

const place = query<{ target: string }>()((db, $) =>
  db
    .selectFrom("auto_bench_target as t")
    .innerJoin("server as s", "s.id", "t.server_id")
    .select(["t.benchmark_mode", "s.address", "s.port"])
    .where("t.id", "=", $.target),
);

function* claimOne(claim: Claim, now: Instant): Generator<Step, ClaimedJob | null, Result> {
  const row = yield* one(take, { since: now - waits.queuedMs });
  if (!row) return null;
  const job = { ...autoBenchJobTable.toRecord(row), ...claimed(autoBenchJobTable.toRecord(row), claim, now) };
  yield* saveJob(job);
  const where = yield* one(place, { target: job.targetId });
  if (!where) throw new Error("A job has no target.");
  return { job, address: where.address, port: where.port, mode: BenchmarkMode.parse(where.benchmark_mode) };
}

/** Asking costs no transaction while nothing waits, which is nearly always. */
export async function claimNextJob(db: Database, claim: Claim, now: Instant): Promise<ClaimedJob | null> {
  const waiting = await db.read(() => one(peek, { since: now - waits.queuedMs }));
  return waiting && db.write("saved", () => claimOne(claim, now));
}
