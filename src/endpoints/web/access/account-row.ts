import { z } from "zod";
import type { Account } from "../../../core/access/account.ts";
import { PlanName } from "../../../core/access/plan.ts";
import { Role } from "../../../core/access/scope.ts";
import { Id } from "../../../core/id.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

/** An account as admins see it. */
export const AccountListRow = z.object({
  id: Id,
  email: z.string(),
  email_verified: z.boolean(),
  plan: PlanName,
  role: Role,
  created_at: Timestamp,
});

export const toAccountRow = (account: Account): z.infer<typeof AccountListRow> => ({
  id: account.id,
  email: account.email,
  email_verified: account.emailVerified,
  plan: account.plan,
  role: account.role,
  created_at: toTimestamp(account.createdAt),
});

export const exampleAccount: z.infer<typeof AccountListRow> = {
  id: "019a9f5e-1d00-7000-8000-000000000002",
  email: "you@example.org",
  email_verified: true,
  plan: "pro",
  role: "user",
  created_at: "2026-11-20T07:34:00.000Z",
};
