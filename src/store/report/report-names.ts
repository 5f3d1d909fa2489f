import { sql } from "kysely";
import type { ReportName } from "../../core/report/report-name.ts";
import { toTimestamp, type Instant } from "../../core/time.ts";
import { all, run, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query } from "../engine/query.ts";
import { notExpired } from "./reports.ts";

const named = query<{ ids: string; account: string; now: number }>()((db, $, dialect) =>
  db
    .selectFrom(listedIds(dialect, $.ids).as("w"))
    .innerJoin("report as r", "r.id", "w.id")
    .leftJoin("server as s", "s.id", "r.server_id")
    .select([
      "r.id",
      "r.finished_at",
      sql<string | null>`case when r.author_id = ${$.account} then r.label end`.as("label"),
      sql<string | null>`case when s.account_id = ${$.account} then s.name end`.as("server_name"),
    ])
    .where(notExpired($.now))
    .where((eb) =>
      eb.or([
        eb("r.author_id", "=", $.account),
        eb.and([eb("s.account_id", "=", $.account), eb("s.verified_at", "is not", null)]),
      ]),
    ),
);

const setLabel = query<{ id: string; label: string | null }>()((db, $) =>
  db.updateTable("report").set({ label: $.label }).where("id", "=", $.id),
);

/** Names of reports (full ids) that the account wrote or whose verified server it has; others are omitted. */
export function* selectReportNames(
  ids: readonly string[],
  accountId: string,
  now: Instant,
): Work<ReportName[]> {
  const rows = yield* all(named, { ids: JSON.stringify(ids), account: accountId, now });
  return rows.map(({ id, label, server_name, finished_at }) => ({
    id,
    label,
    server_name,
    measured_at: toTimestamp(finished_at),
  }));
}

/** `id`: full id. Null removes the label. */
export function* saveReportLabel(id: string, label: string | null): Work<void> {
  yield* run(setLabel, { id, label });
}
