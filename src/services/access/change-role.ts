import type { RoleChange } from "../../core/access/directory.ts";
import { Role } from "../../core/access/scope.ts";
import { roleChanged } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import { cancelJobsOfAccount } from "../auto-bench/change-job.ts";
import { skipStaleMessages } from "../notice/skip-stale-messages.ts";
import { logAct } from "../service-log/log-act.ts";
import { holdAccount } from "../../store/access/account-rows.ts";
import { setRoleOf, deleteSessionsOfAccount } from "../../store/access/directory.ts";
import { lockAdmins } from "../../store/access/leaving.ts";
import { type Step, type Result, all, one, run } from "../../store/engine/database.ts";

/**
 * Changes the role of an account, unless it is the last admin's. Suspending it ends its sessions and asks its scheduled
 * runs in progress to stop; when it is let in again, messages that were held for it for long are given up.
 */
export function* changeRole(
  id: string,
  role: Role,
  now: Instant,
  act?: Act,
): Generator<Step, RoleChange, Result> {
  const admins = (yield* all(lockAdmins, {})).map((row) => row.id);
  if (role !== "admin" && admins.includes(id) && admins.length === 1) return "last_admin";
  const before = yield* one(holdAccount, { id });
  if (before === null || (yield* run(setRoleOf, { id, role })) === 0) return "unknown";
  if (role === "suspended") {
    yield* run(deleteSessionsOfAccount, { id });
    yield* cancelJobsOfAccount(id, now);
  } else if (before.role === "suspended") yield* skipStaleMessages(id, now);
  if (before.role !== role) yield* logAct(act, roleChanged(id, Role.parse(before.role), role));
  return "changed";
}
