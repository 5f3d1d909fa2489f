import type { Account } from "../../core/access/account.ts";
import { toTimestamp } from "../../core/time.ts";

export const toAccountRow = (account: Account) => ({
  id: account.id,
  email: account.email,
  email_verified: account.emailVerified,
  plan: account.plan,
  role: account.role,
  created_at: toTimestamp(account.createdAt),
});
