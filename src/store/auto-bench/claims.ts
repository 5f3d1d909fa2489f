import type { JobRecord } from "../../core/auto-bench/job.ts";
import { BenchmarkMode } from "../../core/report/report.ts";
import type { ClaimedJob } from "../../core/auto-bench/records.ts";
import { autoBenchJobTable } from "./tables.ts";
import { type Work, one } from "../engine/database.ts";
import { query, type Builder } from "../engine/query.ts";

type Since = { since: number };

/** The queued job that has waited longest and has not timed out. */
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
/** A second claim takes the next job instead of waiting for the first claim. */
const take = query<Since>()((db, $, dialect) =>
  dialect === "postgres" ? longestWaiting(db, $).forUpdate().skipLocked() : longestWaiting(db, $),
);

const install = query<{ target: string }>()((db, $) =>
  db
    .selectFrom("auto_bench_target as t")
    .innerJoin("server as s", "s.id", "t.server_id")
    .select(["t.benchmark_mode", "s.address", "s.port"])
    .where("t.id", "=", $.target),
);

export function* hasWaitingJob(since: number): Work<boolean> {
  return (yield* one(peek, { since })) !== null;
}

/** The job that has waited longest, queued after `since`; locked until the transaction ends. */
export function* lockWaitingJob(since: number): Work<JobRecord | null> {
  const row = yield* one(take, { since });
  return row && autoBenchJobTable.toRecord(row);
}

export function* installOfTarget(target: string): Work<Omit<ClaimedJob, "job">> {
  const row = yield* one(install, { target });
  if (!row) throw new Error("A job has no target.");
  return { address: row.address, port: row.port, mode: BenchmarkMode.parse(row.benchmark_mode) };
}
