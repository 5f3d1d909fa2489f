import { planned, type RecurringRecord } from "../../core/maintenance/recurring.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { dropRecurring, recurringOfAccount, saveRecurring } from "../../store/maintenance/recurring.ts";
import { recordBegunWindows } from "./record-begun-windows.ts";

/** First records the windows that have begun. Null if the account has none with this id. */
function* holdRecurring(id: string, account: string, now: Instant): Work<RecurringRecord | null> {
  const seen = yield* recurringOfAccount(id, account);
  if (!seen) return null;
  yield* recordBegunWindows(seen.serverId, now);
  return yield* recurringOfAccount(id, account);
}

type Definition = Pick<RecurringRecord, "title" | "cron" | "timeZone" | "durationMinutes" | "enabled">;

/** A window in progress stays as it is. */
export function* changeRecurring(
  id: string,
  account: string,
  now: Instant,
  decide: (before: RecurringRecord) => Definition,
): Work<RecurringRecord | null> {
  const before = yield* holdRecurring(id, account, now);
  if (!before) return null;
  const after = planned({ ...before, ...decide(before) }, now);
  const changed = { ...after, updatedAt: Math.max(now, before.updatedAt + 1) };
  yield* saveRecurring(changed);
  return changed;
}

/** Its windows stay in the timeline. Returns false if the account has none with this id. */
export function* removeRecurring(id: string, account: string, now: Instant): Work<boolean> {
  if (!(yield* holdRecurring(id, account, now))) return false;
  yield* run(dropRecurring, { id });
  return true;
}
