import { sql } from "kysely";
import type { ReportRecord } from "../../core/report/records.ts";
import type { Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { heldReports, notExpired, reportRecordOf } from "./reports.ts";

type Values = {
  readonly server: string;
  readonly account: string;
  readonly at: number;
  readonly now: number;
  readonly limit: number;
};

/** Reports on a server of the account that it wrote, or may see as the holder of the verified server. */
const runs = (side: "before" | "after") =>
  query<Values>()((db, $) =>
    heldReports(db)
      .where("r.server_id", "=", $.server)
      .where(
        sql<boolean>`(r.author_id = ${$.account} or (s.account_id = ${$.account} and s.verified_at is not null))`,
      )
      .where(notExpired($.now))
      .where("r.finished_at", side === "before" ? "<" : ">=", $.at)
      .orderBy("r.finished_at", side === "before" ? "desc" : "asc")
      .orderBy("r.id", side === "before" ? "desc" : "asc")
      .limit($.limit),
  );

const runsBefore = runs("before");
const runsFrom = runs("after");

/** Runs that are read on each side, of which those on one scale are taken. */
const readAtMost = 50;

/** Earlier runs that are read to say what is usual. */
const earlierAtMost = 20;

interface Around {
  readonly server: string;
  readonly account: string;
  /** Runs that ended earlier are before the change. */
  readonly until: Instant;
  /** Runs that ended then or later are after it. */
  readonly from: Instant;
  readonly now: Instant;
}

/** The newest runs of an own server that ended before an instant, newest first. */
export function* selectRunsBefore(
  at: Instant,
  of: Pick<Around, "server" | "account" | "now">,
): Work<ReportRecord[]> {
  return (yield* all(runsBefore, { ...of, at, limit: earlierAtMost })).map(reportRecordOf);
}

/** The runs of an own server on both sides of a change, those next to it first. */
export function* selectRunsAround({
  until,
  from,
  ...of
}: Around): Work<{ before: ReportRecord[]; after: ReportRecord[] }> {
  const before = yield* all(runsBefore, { ...of, at: until, limit: readAtMost });
  const after = yield* all(runsFrom, { ...of, at: from, limit: readAtMost });
  return { before: before.map(reportRecordOf), after: after.map(reportRecordOf) };
}
