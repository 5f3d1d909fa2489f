import { newOneTimeCode } from "../../app/access/new-one-time-code.ts";
import { closedFactorMail, wrongFactorsMail } from "../../core/access/account-mail.ts";
import type { Account } from "../../core/access/account.ts";
import { closeAtWrong, mailAtWrong, type FactorTry, type TriedIn } from "../../core/access/wrong-factors.ts";
import { attemptsAllowed } from "../../core/access/sign-in.ts";
import { minuteMs } from "../../core/time.ts";
import { addOneTimeCode } from "../../services/access/add-one-time-code.ts";
import { endWrongTries, tryFactor } from "../../services/access/try-factor.ts";
import { consumeWindows } from "../../store/access/rate-windows.ts";
import type { AnonymousCaller, SessionCaller } from "./caller.ts";
import type { Context, Fail } from "./context.ts";
import { noteSecurity } from "./security-notes.ts";
import { mailPerson } from "./mail-person.ts";

type Trying = Pick<
  Context<AnonymousCaller | SessionCaller, never>,
  "db" | "caller" | "now" | "secrets" | "people" | "security"
> & {
  readonly fail: Fail<"unauthorized" | "rate_limited">;
};

type Person = Pick<Account, "id" | "email" | "emailVerified">;

export interface CountedTry {
  readonly right: () => Promise<void>;
  readonly wrong: () => void;
}

/** Counts a try after a right password. Refuses it if it is too early or codes are closed. */
export async function countWrongFactor(
  account: Person,
  browser: TriedIn,
  isCode: boolean,
  context: Trying,
): Promise<CountedTry> {
  const { db, now } = context;
  const result = await db.write(tryFactor, account.id, browser, isCode, now);
  if (result.kind !== "counted") return refuseTry(account, result, context);
  return {
    right: () => db.write(endWrongTries, account.id, browser),
    wrong: () => {
      if (result.inRow === mailAtWrong)
        mailPerson(account, wrongFactorsMail(context.caller.address, now), context);
      if (result.inRow !== closeAtWrong || !isCode) return;
      noteSecurity(context, "second_factor_closed", { accountId: account.id });
      mailWayBack(account, context);
    },
  };
}

function refuseTry(account: Person, result: Exclude<FactorTry, { kind: "counted" }>, context: Trying): never {
  const { people, fail } = context;
  if (result.kind === "early") {
    const seconds = Math.ceil(result.waitMs / 1000);
    const minutes = Math.ceil(result.waitMs / minuteMs);
    const wait = seconds < 60 ? `${seconds} seconds` : minutes === 1 ? "a minute" : `${minutes} minutes`;
    return fail("rate_limited", `Too many wrong codes in a row. Wait ${wait}, then try again.`, {}, seconds);
  }
  if (people.mail === null)
    return fail(
      "unauthorized",
      `Codes are closed after ${closeAtWrong} wrong ones in a row. Use a passkey or a recovery code, or ask the operator of this service: tickmark account open-second-factor ADDRESS`,
    );
  mailWayBack(account, context);
  return fail(
    "unauthorized",
    `Codes are closed after ${closeAtWrong} wrong ones in a row. A link that opens them was mailed to the address of the account. A passkey or a recovery code signs in as well.`,
  );
}

/** Mails the link that opens codes again, within the limit on mails. The caller does not wait for it. */
function mailWayBack({ id, email }: Person, { db, people, secrets, now }: Trying): void {
  const { mail } = people;
  if (mail === null) return;
  people.afterwards(async () => {
    const window = { kind: "account_mail" as const, key: secrets.digest(email), ...attemptsAllowed.mail };
    if (!(await consumeWindows(db, [window], now)).granted) return;
    const { code, kept, digest } = newOneTimeCode("open_factor", { id, email }, { secrets, now });
    await db.write(addOneTimeCode, kept, digest);
    await mail(email, closedFactorMail(`/sign-in/open-codes/${code}`), kept.id);
  });
}
