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
import { type Work, all, one, run } from "../../store/engine/database.ts";

/**
 * Never demotes the last admin. Suspending ends sessions and stops running jobs; lifting a suspension drops
 * messages that were held for too long.
 */
export function* changeRole(id: string, role: Role, now: Instant, act?: Act): Work<RoleChange> {
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
