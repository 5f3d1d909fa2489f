import type { RoleChange } from "../../core/access/directory.ts";
import { Role } from "../../core/access/scope.ts";
import { roleChanged } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import { holdAccount } from "../../store/access/account-rows.ts";
import { setRoleOf, deleteSessionsOfAccount } from "../../store/access/directory.ts";
import { lockAdmins } from "../../store/access/leaving.ts";
import { type Step, type Result, all, one, run } from "../../store/engine/database.ts";

/** Changes the role of an account, unless it is the last admin's; suspending it ends its sessions. */
export function* changeRole(id: string, role: Role, act?: Act): Generator<Step, RoleChange, Result> {
  const admins = (yield* all(lockAdmins, {})).map((row) => row.id);
  if (role !== "admin" && admins.includes(id) && admins.length === 1) return "last_admin";
  const before = yield* one(holdAccount, { id });
  if (before === null || (yield* run(setRoleOf, { id, role })) === 0) return "unknown";
  if (role === "suspended") yield* run(deleteSessionsOfAccount, { id });
  if (before.role !== role) yield* logAct(act, roleChanged(id, Role.parse(before.role), role));
  return "changed";
}
