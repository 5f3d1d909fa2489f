import { sql } from "kysely";
import { isInFlight, mostReportIds, type ShownJob } from "../../core/auto-bench/job.ts";
import type { AgentVoice, AutoBenchJobStore } from "../../core/auto-bench/store.ts";
import { isInternal } from "../../core/auto-bench/target.ts";
import { cancelled, finished, heard, shouldStop, waits } from "../../core/auto-bench/transitions.ts";
import type { Instant } from "../../core/time.ts";
import { claimNextJob } from "./claims.ts";
import { launchJob, spentBy } from "./launch.ts";
import { holdJob, stepJob, type Held } from "./auto-bench-rows.ts";
import { autoBenchJobTable, type JobRow } from "./tables.ts";
import { ownTarget } from "./targets.ts";
import { all, one, type Database, type Result, type Step } from "../engine/database.ts";
import { fromTop, query, type Builder, type Dialect } from "../engine/query.ts";

/** The newest reports of a job, oldest first, as JSON. */
const reportIds = (dialect: Dialect, now: number) => {
  const newest = sql`select r.id, r.created_at from report as r where r.job_id = j.id and (r.expires_at is null or r.expires_at > ${now}) order by r.created_at desc, r.id desc limit ${sql.lit(mostReportIds)}`;
  return dialect === "postgres"
    ? sql<
        string | null
      >`(select cast(json_agg(n.id order by n.created_at, n.id) as text) from (${newest}) as n)`
    : sql<
        string | null
      >`(select json_group_array(n.id) from (select id from (${newest}) order by created_at, id) as n)`;
};

type ListValues = {
  account: string;
  status: string | null;
  target: string | null;
  now: number;
  at: number;
  id: string;
  limit: number;
};

const newestFirst = (db: Builder, $: ListValues, dialect: Dialect) =>
  db
    .selectFrom("auto_bench_job as j")
    .selectAll("j")
    .select(reportIds(dialect, $.now).as("report_ids"))
    .where("j.account_id", "=", $.account)
    .where(
      sql<boolean>`exists (select 1 from server as s where s.id = j.server_id and s.account_id = j.account_id)`,
    )
    .where(sql<boolean>`(j.queued_at, j.id) < (${$.at}, ${$.id})`)
    .orderBy("j.queued_at", "desc")
    .orderBy("j.id", "desc")
    .limit($.limit);

/** Filters that leave few rows have queries of their own, so that they are found by an index. */
const list = query<ListValues>()(newestFirst);
const listOfStatus = query<ListValues>()((db, $, dialect) =>
  newestFirst(db, $, dialect).where("j.status", "=", $.status),
);
const listOfTarget = query<ListValues>()((db, $, dialect) =>
  newestFirst(db, $, dialect)
    .where("j.target_id", "=", $.target)
    .where(sql<boolean>`(cast(${$.status} as text) is null or j.status = ${$.status})`),
);

const shown = query<{ id: string; now: number }>()((db, $, dialect) =>
  db
    .selectFrom("auto_bench_job as j")
    .selectAll("j")
    .select(reportIds(dialect, $.now).as("report_ids"))
    .where("j.id", "=", $.id),
);

const countReports = query<{ job: string }>()((db, $) =>
  db
    .selectFrom("report")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("job_id", "=", $.job),
);

/** Not exactly what time ends, but nothing that it does not: each is looked at again under its lock. */
const overdue = query<{
  queued: number;
  claimed: number;
  silent: number;
  ahead: number;
  after: string;
  limit: number;
}>()((db, $) =>
  db
    .selectFrom("auto_bench_job")
    .select("id")
    .where("finished_at", "is", null)
    .where("id", ">", $.after)
    .where((eb) =>
      eb.or([
        eb.and([eb("status", "=", "queued"), eb("updated_at", "<=", $.queued)]),
        eb.and([eb("status", "=", "claimed"), eb("claimed_at", "<=", $.claimed)]),
        eb.and([eb("status", "in", ["running", "cancelling"]), eb("last_seen_at", "<=", $.silent)]),
        sql<boolean>`(status = 'running' and started_at + runs_total * ${sql.lit(waits.runMs)} <= cast(${$.silent} as bigint) + ${sql.lit(waits.silenceMs)})`,
        eb("updated_at", ">", $.ahead),
      ]),
    )
    .orderBy("id")
    .limit($.limit),
);

type ShownRow = JobRow & { report_ids: string | null };

const toShown = (row: ShownRow): ShownJob => ({
  ...autoBenchJobTable.toRecord(row),
  reportIds: JSON.parse(row.report_ids ?? "[]") as string[],
});

function* reportsOf(job: string): Generator<Step, number, Result> {
  return (yield* one(countReports, { job }))?.count ?? 0;
}

/** The job an agent speaks of, locked; null when it is not that runner's. */
function* holdFor({ jobId, runnerId, nonce, now }: AgentVoice): Generator<Step, Held | null, Result> {
  const held = yield* holdJob(jobId, now);
  return held?.job.runnerId === runnerId && held.job.nonce === nonce ? held : null;
}

function* cancel(id: string, account: string, now: Instant) {
  const held = yield* holdJob(id, now);
  if (!held || !(yield* ownTarget(held.target.id, account))) return { kind: "not_found" } as const;
  if (isInternal(held.target)) return { kind: "internal_target" } as const;
  const isAsked = isInFlight(held.job.status);
  yield* stepJob(held, { ...held.job, ...cancelled(held.job, now) }, now);
  const row = yield* one(shown, { id, now });
  if (!row) throw new Error("A job that was just held is gone.");
  return { kind: isAsked ? "asked" : "over", job: toShown(row) } as const;
}

export function autoBenchJobStore(db: Database): AutoBenchJobStore {
  return {
    launch: (request) => db.write("saved", () => launchJob(request)),
    list: (account, { status, targetId }, after, limit, now) =>
      db.read(function* () {
        const ofStatus = status === null ? list : listOfStatus;
        const rows = yield* all(targetId === null ? ofStatus : listOfTarget, {
          account,
          status,
          target: targetId,
          now,
          ...(after ?? fromTop),
          limit,
        });
        return rows.map(toShown);
      }),
    cancel: (id, account, now) => db.write("saved", () => cancel(id, account, now)),
    spentRuns: (account, now) =>
      db.read(function* () {
        return (yield* spentBy(account, now)).reduce((sum, { runs }) => sum + runs, 0);
      }),
    claim: (claim, now) => claimNextJob(db, claim, now),
    heartbeat: (voice, progress) =>
      db.write("counted", function* () {
        const held = yield* holdFor(voice);
        if (!held) return null;
        const { job } = yield* stepJob(
          held,
          { ...held.job, ...heard(held.job, progress, voice.now) },
          voice.now,
        );
        return { stop: shouldStop(job), reports: yield* reportsOf(job.id) };
      }),
    finish: (voice, finish) =>
      db.write("saved", function* () {
        const held = yield* holdFor(voice);
        if (!held) return null;
        const after = finished(held.job, { ...finish, reports: yield* reportsOf(held.job.id) }, voice.now);
        if (!after) return "refused" as const;
        yield* stepJob(held, { ...held.job, ...after }, voice.now);
        return "finished" as const;
      }),
    overdue: (now, after, limit) =>
      db.read(function* () {
        const since = {
          queued: now - waits.queuedMs,
          claimed: now - waits.claimedMs,
          silent: now - waits.silenceMs,
        };
        return (yield* all(overdue, { ...since, ahead: now + waits.silenceMs, after, limit })).map(
          ({ id }) => id,
        );
      }),
    settle: (id, now) =>
      db.write("saved", function* () {
        yield* holdJob(id, now);
      }),
  };
}
