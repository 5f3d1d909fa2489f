import { action } from "../../contract/endpoint/action.ts";
import { selectAccountEntry } from "../../store/access/directory.ts";
import { changeRole } from "../../services/access/change-role.ts";
import { verifyEmailOf } from "../../services/access/verify-email-of.ts";
import { switchPlan } from "../../services/access/switch-plan.ts";
import { z } from "zod";
import { adminAct } from "../admin-log-entry.ts";
import { PlanName } from "../../core/access/plan.ts";
import { Role } from "../../core/access/scope.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toAccountRow } from "./account-row.ts";

export const updateAccount = action({
  id: "accounts.update",
  who: "admin",
  input: {
    account_id: resourceIdInput(),
    plan: PlanName.optional(),
    role: Role.optional(),
    email_verified: z.literal(true).optional(),
  },
  errors: ["not_found", "invalid_state"],

  async run({ account_id, plan, role, email_verified }, { db, caller, plans, now, found, fail }) {
    const act = adminAct({ caller, now });
    found(await db.read(selectAccountEntry, account_id, now));
    // The change of role comes first, because it may be refused.
    if (role !== undefined && (await db.write(changeRole, account_id, role, now, act)) === "last_admin")
      return fail(
        "invalid_state",
        "This is the last admin account, and the service needs one. Make another account an admin first.",
      );
    if (plan !== undefined) await db.write(switchPlan, { accountId: account_id, plan, plans, now }, act);
    if (email_verified) await db.write(verifyEmailOf, account_id, true, act);
    return toAccountRow(found(await db.read(selectAccountEntry, account_id, now)).account);
  },
});
