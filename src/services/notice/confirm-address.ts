import { changeHeldSettings } from "./change-settings.ts";
import { type Work, run, one } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";
import {
  findPendingAddress,
  countConfirmationTry,
  forgetPendingAddress,
} from "../../store/notice/notification-settings.ts";

type Confirmed = Work<"confirmed" | "wrong" | "none">;

/** A wrong code counts as a try. */
export function* confirmAddress(account: string, codeDigest: string, now: number): Confirmed {
  yield* lockAccount(account);
  const pending = yield* one(findPendingAddress, { account, now });
  if (!pending) return "none";
  if (pending.code_digest !== codeDigest) {
    yield* run(countConfirmationTry, { account });
    return "wrong";
  }
  yield* changeHeldSettings(
    account,
    (before) => ({ ...before, sealedEmail: pending.address, emailVerifiedAt: now }),
    now,
  );
  yield* run(forgetPendingAddress, { account });
  return "confirmed";
}
