import type { Account } from "../../core/access/account.ts";
import { insertAccount } from "../../store/access/account-rows.ts";
import { useCode } from "../../store/access/one-time-codes.ts";
import { type Work, Undo } from "../../store/engine/database.ts";

/** Creates the account and uses up the invitation, or does neither. */
export function* addInvitedAccount(
  account: Account,
  passwordHash: string,
  invitation: string,
): Work<"created" | "taken" | "unknown_code"> {
  if (!(yield* useCode(invitation, "invitation", account.createdAt))) return "unknown_code";
  if (!(yield* insertAccount(account, passwordHash))) throw new Undo("taken");
  return "created";
}
