import { settle, reported } from "../../core/auto-bench/transitions.ts";
import type { Instant } from "../../core/time.ts";
import { lockHeldJob, saveJob } from "../../store/auto-bench/auto-bench-rows.ts";
import { autoBenchJobTable } from "../../store/auto-bench/tables.ts";
import { type Work, one } from "../../store/engine/database.ts";

/** The job that takes a report of that server and nonce; null if none does. */
export function* takeReport(nonce: string, server: string, now: Instant): Work<string | null> {
  const row = yield* one(lockHeldJob, { nonce, server });
  if (!row) return null;
  const job = autoBenchJobTable.toRecord(row);
  // A timed-out job is over, even if its row does not say so yet.
  const current = settle(job, now);
  const after = reported(current, now);
  if (!after) return null;
  yield* saveJob({ ...job, ...after });
  return job.id;
}
