import { normalRecoveryCode, stepCodeOf, type SecondFactor } from "../../core/access/second-factor.ts";
import { recoveryCodeUsedMail } from "../../core/access/account-mail.ts";
import type { Account } from "../../core/access/account.ts";
import { selectSecondFactor, useRecoveryCode, useStep } from "../../store/access/second-factors.ts";
import type { AnonymousCaller, SessionCaller } from "../call/caller.ts";
import type { Context, Fail } from "../call/context.ts";
import { noteSecurity, notingRefusal } from "../call/security-notes.ts";
import { countFactorTry, type FactorBrowser } from "../limits/attempt-limits.ts";
import { openFactorSecret } from "./factor-secrets.ts";
import { stepOfCode } from "./totp.ts";

type Confirming = Pick<
  Context<AnonymousCaller | SessionCaller, never>,
  "db" | "caller" | "now" | "secrets" | "people" | "security"
> & {
  readonly fail: Fail<"unauthorized" | "rate_limited">;
};

/**
 * Makes sure that whoever asks has the second factor of the account, if it has one; tries are counted. A code is used
 * up: of the program that makes them each step counts once, and each recovery code.
 */
export async function confirmFactor(
  account: Pick<Account, "id" | "email" | "emailVerified">,
  typed: string,
  browser: FactorBrowser,
  context: Confirming,
): Promise<void> {
  const { db, fail } = context;
  const factor = await db.read(selectSecondFactor, account.id);
  if (!factor) return;
  await notingRefusal(context, "second_factor_refused", { accountId: account.id }, async () => {
    if (typed.trim() === "")
      return fail(
        "unauthorized",
        "This account has a second factor. Type a code of it, or a recovery code, as well.",
      );
    const giveTryBack = await countFactorTry(browser, context);
    if (await isRight(factor, account, typed, context)) return giveTryBack();
    fail(
      "unauthorized",
      "The code of the second factor is wrong, or was used before. Wait for the next code, then try again.",
    );
  });
}

async function isRight(
  factor: SecondFactor,
  account: Pick<Account, "id" | "email" | "emailVerified">,
  typed: string,
  context: Confirming,
): Promise<boolean> {
  const { db, now, people, secrets } = context;
  const code = stepCodeOf(typed);
  if (code !== null) {
    const secret = openFactorSecret(people.factors, account.id, factor.sealedSecret);
    const step = secret === null ? null : stepOfCode(secret, code, now);
    return step !== null && (await db.write(useStep, account.id, step));
  }
  const digest = secrets.digest(normalRecoveryCode(typed));
  if (!(await db.write(useRecoveryCode, account.id, digest, now))) return false;
  noteSecurity(context, "recovery_code_used", { accountId: account.id });
  if (account.emailVerified) {
    const mail = recoveryCodeUsedMail();
    people.afterwards(async () => void (await people.mail?.(account.email, mail, secrets.newId(now))));
  }
  return true;
}
