import type { JobFilter } from "../../core/auto-bench/records.ts";
import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import { mostReportIds, type ShownJob } from "../../core/auto-bench/job.ts";
import { waits } from "../../core/auto-bench/transitions.ts";
import type { Instant } from "../../core/time.ts";
import { autoBenchJobTable, type JobRow } from "./tables.ts";
import { spentBy } from "./launches.ts";
import { type Work, all, one } from "../engine/database.ts";
import { fromTop, query, type Builder, type Dialect } from "../engine/query.ts";

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

/** Filters that leave few rows have their own queries, which use an index. */
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

/** Candidates only: the caller checks each job again under its lock. */
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

export function* countReportsOfJob(job: string): Work<number> {
  return (yield* one(countReports, { job }))?.count ?? 0;
}

export function* shownJob(id: string, now: Instant): Work<ShownJob | null> {
  const row = yield* one(shown, { id, now });
  return row && toShown(row);
}

export function* selectJobs(
  account: string,
  { status, targetId }: JobFilter,
  after: TimePosition | null,
  limit: number,
  now: Instant,
): Work<ShownJob[]> {
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
}

export function* countSpentRuns(account: string, now: Instant): Work<number> {
  return (yield* spentBy(account, now)).reduce((sum, { runs }) => sum + runs, 0);
}

/** Jobs that may have timed out, by id, starting after the id `after`. */
export function* selectOverdueJobs(now: Instant, after: string, limit: number): Work<string[]> {
  const since = {
    queued: now - waits.queuedMs,
    claimed: now - waits.claimedMs,
    silent: now - waits.silenceMs,
  };
  return (yield* all(overdue, { ...since, ahead: now + waits.silenceMs, after, limit })).map(({ id }) => id);
}
