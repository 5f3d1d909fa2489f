import { normalRecoveryCode, stepCodeOf } from "../../core/access/second-factor.ts";
import { recoveryCodeUsedMail } from "../../core/access/account-mail.ts";
import type { Account } from "../../core/access/account.ts";
import {
  hasSecondFactor,
  selectSecondFactor,
  useRecoveryCode,
  useStep,
} from "../../store/access/second-factors.ts";
import type { AnonymousCaller, SessionCaller } from "./caller.ts";
import type { Context, Fail } from "./context.ts";
import { noteSecurity, notingRefusal } from "./security-notes.ts";
import { countFactorTry, type FactorBrowser } from "../limits/attempt-limits.ts";
import { mailPerson } from "./mail-person.ts";
import { openFactorSecret } from "../../app/access/factor-secrets.ts";
import { isAnswerOf } from "../../app/access/passkeys.ts";
import { countWrongFactor } from "./wrong-factors.ts";
import { stepOfCode } from "../../app/access/totp.ts";

/** If the secret cannot be read, the code may be right, so the message does not call it wrong. */
const unreadableFactor =
  "The service cannot check codes of this account, because its secret was changed. Use a recovery code or a passkey, then switch the codes off and on again. Without either, ask the operator to reset the second factor.";

type Confirming = Pick<
  Context<AnonymousCaller | SessionCaller, never>,
  "db" | "caller" | "now" | "secrets" | "people" | "security"
> & {
  readonly fail: Fail<"unauthorized" | "rate_limited">;
};

export const refusedPasskey =
  "The passkey was refused: it is not one of this account, or the page was open for more than five minutes. Reload the page, then try again.";

const triedIn = {
  account_factor: "other",
  session_factor: "signed_in",
  device_factor: "remembered",
} as const;

/**
 * Counts a try, and refuses a wrong one with `unauthorized`. Each time step, recovery code and passkey answer
 * is accepted once. `holder` requested the passkey's challenge: the session, or the value that a browser
 * without one keeps.
 */
export async function confirmFactor(
  account: Pick<Account, "id" | "email" | "emailVerified">,
  typed: string,
  browser: FactorBrowser,
  context: Confirming,
  holder: string | null = context.caller.kind === "session" ? context.caller.session.id : null,
): Promise<void> {
  const { db, fail } = context;
  if (!(await db.read(hasSecondFactor, account.id))) return;
  await notingRefusal(context, "second_factor_refused", { accountId: account.id }, async () => {
    if (typed.trim() === "")
      return fail(
        "unauthorized",
        "This account has a second factor. Use a passkey, or type a code or a recovery code, as well.",
      );
    const giveTryBack = await countFactorTry(browser, context);
    const isCode = stepCodeOf(typed) !== null;
    const counted = await countWrongFactor(account, triedIn[browser.kind], isCode, context);
    const isRight =
      (holder !== null && (await isAnswerOf(account.id, typed, holder, context))) ||
      (!typed.startsWith("{") && (await isRightCode(account, typed, context)));
    if (isRight) {
      await counted.right();
      return giveTryBack();
    }
    counted.wrong();
    if (typed.startsWith("{")) fail("unauthorized", refusedPasskey);
    fail(
      "unauthorized",
      "The code of the second factor is wrong, or was used before. Wait for the next code, then try again.",
    );
  });
}

async function isRightCode(
  account: Pick<Account, "id" | "email" | "emailVerified">,
  typed: string,
  context: Confirming,
): Promise<boolean> {
  const { db, now, people, secrets, fail } = context;
  const code = stepCodeOf(typed);
  if (code !== null) {
    const factor = await db.read(selectSecondFactor, account.id);
    const secret = factor && openFactorSecret(people.factors, account.id, factor.sealedSecret);
    if (factor !== null && secret === null) fail("unauthorized", unreadableFactor);
    const step = secret === null ? null : stepOfCode(secret, code, now);
    return step !== null && (await db.write(useStep, account.id, step));
  }
  const digest = secrets.digest(normalRecoveryCode(typed));
  if (!(await db.write(useRecoveryCode, account.id, digest, now))) return false;
  noteSecurity(context, "recovery_code_used", { accountId: account.id });
  mailPerson(account, recoveryCodeUsedMail(), context);
  return true;
}
