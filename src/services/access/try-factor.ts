import type { Account } from "../../core/access/account.ts";
import { tryAdmitted, closeAtWrong, type FactorTry, type TriedIn } from "../../core/access/wrong-factors.ts";
import { secondFactorOpened } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import {
  deleteWrongFactors,
  endWrongFactors,
  putWrongFactors,
  selectWrongFactors,
} from "../../store/access/wrong-factors.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { logAct } from "../service-log/log-act.ts";
import { accountByCode } from "./account-by-code.ts";

/** Counts a try before its code is checked; the account's lock serializes tries of several processes. */
export function* tryFactor(
  accountId: string,
  browser: TriedIn,
  isCode: boolean,
  now: Instant,
): Work<FactorTry> {
  yield* lockAccount(accountId);
  const result = tryAdmitted(yield* selectWrongFactors(accountId, browser), isCode, now);
  if (result.kind === "counted")
    yield* putWrongFactors(accountId, browser, { inRow: result.inRow, lastAt: now });
  return result;
}

/** Resets the count of wrong tries, unless it reached the limit: a closed factor stays closed. */
export function* endWrongTries(accountId: string, browser: TriedIn): Work<void> {
  yield* run(endWrongFactors, { account: accountId, browser, below: closeAtWrong });
}

/** Uses up the mailed code, and reopens the app's codes. */
export function* openFactorByCode(digest: string, now: Instant): Work<Account | null> {
  const account = yield* accountByCode(digest, "open_factor", now);
  if (account) yield* deleteWrongFactors(account.id);
  return account;
}

/** Reopens the app's codes for the operator; false if nothing was closed or counted. */
export function* openFactorOf(accountId: string, act: Act): Work<boolean> {
  yield* lockAccount(accountId);
  if (!(yield* deleteWrongFactors(accountId))) return false;
  yield* logAct(act, secondFactorOpened(accountId));
  return true;
}
