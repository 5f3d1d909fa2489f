import type { ReportRemoval } from "../../core/report/records.ts";
import type { Instant } from "../../core/time.ts";
import { all, one, run, type Result, type Step } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";
import { testsOfReport } from "../unit-test/unit-test-rows.ts";

const lock = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("report").select("certificate_expires_at").where("id", "=", $.id)),
);

const remove = query<{ id: string }>()((db, $) => db.deleteFrom("report").where("id", "=", $.id));

const removeTest = query<{ id: string }>()((db, $) => db.deleteFrom("unit_test").where("id", "=", $.id));

/** Takes a report away with the single tests that go where it goes, unless a certificate holds it. */
export function* removeReport(id: string, now: Instant): Generator<Step, ReportRemoval, Result> {
  const row = yield* one(lock, { id });
  if (!row) return "gone";
  if (row.certificate_expires_at !== null && row.certificate_expires_at > now) return "certified";
  for (const test of yield* all(testsOfReport, { report: id })) yield* run(removeTest, { id: test.id });
  yield* run(remove, { id });
  return "removed";
}
