import { isMuted } from "../../core/alert/quiet.ts";
import { isInMaintenance } from "../../core/maintenance/server-maintenance.ts";
import { mostUnanswered } from "../../core/notice/retry.ts";
import type { Dispatch } from "../../core/notice/records.ts";
import { type Work, one, run, type Database } from "../../store/engine/database.ts";
import type { RowOf } from "../../store/engine/table.ts";
import { maintenanceOf } from "../../store/maintenance/maintenance.ts";
import {
  alertPlaceOf,
  dueRanges,
  leaseDispatch,
  dispatchLeaseMs,
  lockDueDispatch,
  peekDispatch,
  type DueRange,
} from "../../store/notice/dispatches.ts";
import { recipientOf } from "../../store/notice/recipients.ts";
import { dispatchTable } from "../../store/notice/tables.ts";

/** Why an alert's message is held back now: maintenance or a mute began after it was queued. */
function* quietNow(alert: string | null, now: number): Work<Dispatch["quiet"]> {
  const place = alert === null ? null : yield* one(alertPlaceOf, { alert });
  if (!place) return null;
  if (isInMaintenance(yield* maintenanceOf(place.server_id), now)) return "maintenance";
  return isMuted({ mutedUntil: place.muted_until }, now) ? "muted" : null;
}

function* claim(due: DueRange): Work<Dispatch | null> {
  const row: RowOf<typeof dispatchTable> | null = yield* one(lockDueDispatch, due);
  if (!row) return null;
  const { now } = due;
  // The earlier sender died or lost the database: nobody knows whether the message was sent.
  const unanswered = row.unanswered + (row.leased_until === null ? 0 : 1);
  // A message that is only given up counts no further attempt.
  const attempt = unanswered >= mostUnanswered ? row.attempts : row.attempts + 1;
  yield* run(leaseDispatch, { id: row.id, until: now + dispatchLeaseMs, attempts: attempt, unanswered });
  return yield* claimedDispatch(row, attempt, unanswered, yield* quietNow(row.alert_id, now));
}

export function* claimedDispatch(
  row: RowOf<typeof dispatchTable>,
  attempt: number,
  unanswered: number,
  quiet: Dispatch["quiet"],
): Work<Dispatch> {
  const recipient = yield* recipientOf(row.account_id);
  if (!recipient) throw new Error("A message belongs to an account that is gone.");
  return Object.assign(dispatchTable.toRecord(row), { attempt, unanswered, quiet, recipient });
}

export function* hasDueDispatch(due: DueRange): Work<boolean> {
  return (yield* one(peekDispatch, due)) !== null;
}

/** Leases the longest due message; reads first, because usually none is due. */
export async function claimDispatch(db: Database, now: number): Promise<Dispatch | null> {
  for (const due of dueRanges(now)) {
    if (await db.read(hasDueDispatch, due)) return db.write(claim, due);
  }
  return null;
}
