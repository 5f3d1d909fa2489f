import { Secret, TOTP } from "otpauth";
import { beforeEach, afterEach, describe, expect, it } from "vitest";
import { callAsPerson, type PersonCalling } from "../../../src/contract/call/call-as-person.ts";
import { fail } from "../../../src/contract/call/refusals.ts";
import { confirmFactor } from "../../../src/contract/call/confirm-factor.ts";
import { newRecoveryCodes, sealFactorSecret } from "../../../src/app/access/factor-secrets.ts";
import { tryAdmitted, closeAtWrong, pauseAfter } from "../../../src/core/access/wrong-factors.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { Refusal } from "../../../src/core/errors.ts";
import { hourMs, minuteMs, secondMs } from "../../../src/core/time.ts";
import { openFactor } from "../../../src/actions/access/open-factor.ts";
import { switchSecondFactorOn } from "../../../src/services/access/switch-second-factor.ts";
import { endWrongTries, tryFactor } from "../../../src/services/access/try-factor.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { testApp, type TestApp } from "../../support/test-app.ts";
import { newAccount, noon } from "../../store/engine/rows.ts";

it("[OUR-FAC-11] pauses double from the tenth on, last an hour at most, and no clock that was set back prolongs them", () => {
  expect([1, 5, 9, 10, 11, 12, 17, 18, 99].map((inRow) => pauseAfter(inRow) / secondMs)).toEqual([
    0, 0, 0, 15, 30, 60, 1920, 3600, 3600,
  ]);
  const before = { inRow: 12, lastAt: noon };
  expect(tryAdmitted(before, true, noon + 20 * secondMs)).toEqual({ kind: "early", waitMs: 40 * secondMs });
  expect(tryAdmitted(before, false, noon)).toEqual({ kind: "counted", inRow: 13 });
  expect(tryAdmitted(before, true, noon + minuteMs)).toEqual({ kind: "counted", inRow: 13 });
  expect(tryAdmitted(before, true, noon - hourMs)).toEqual({ kind: "counted", inRow: 13 });
  expect(tryAdmitted({ inRow: closeAtWrong, lastAt: 0 }, true, noon)).toEqual({ kind: "closed" });
  expect(tryAdmitted({ inRow: closeAtWrong, lastAt: 0 }, false, noon)).toEqual({
    kind: "counted",
    inRow: closeAtWrong,
  });
});

eachDatabase((databases) => {
  it("[OUR-FAC-11] tries at the same time over two connections are each counted once", async () => {
    const url = await databases.url();
    const [one, other] = [await databases.open(url), await databases.open(url)];
    const { id } = await newAccount(one);
    const tries = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? one : other).write(tryFactor, id, "other", false, noon),
    );
    const counted = (await Promise.all(tries)).map((result) =>
      result.kind === "counted" ? result.inRow : 0,
    );
    expect(counted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await one.write(tryFactor, id, "remembered", true, noon)).toEqual({ kind: "counted", inRow: 1 });
    await other.write(endWrongTries, id, "other");
    expect(await one.write(tryFactor, id, "other", true, noon)).toEqual({ kind: "counted", inRow: 1 });
  });
}, sharedKinds);

describe("somebody who knows the password and not the second factor", () => {
  let test: TestApp;
  let account: Account;
  let secret: string;
  let recovery: readonly string[];
  const start = async (sendsMail: boolean): Promise<void> => {
    test = testApp({ sendsMail });
    account = await test.account();
    secret = new Secret({ size: 20 }).base32;
    const { codes, digests } = newRecoveryCodes(test.app.secrets);
    recovery = codes;
    const sealedSecret = sealFactorSecret(test.app.accountPolicy.factors, account.id, secret);
    const factor = { accountId: account.id, sealedSecret, lastStep: 0, enabledAt: test.clock.now };
    await test.app.db.write(switchSecondFactorOn, factor, digests, "none");
  };
  beforeEach(() => start(true));
  afterEach(() => test.close());

  const nobody: PersonCalling = { kind: "anonymous", address: "192.0.2.1" };
  const rightCode = (): string =>
    new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({
      timestamp: test.clock.now,
    });
  const wrongCode = (): string => (rightCode() === "123456" ? "654321" : "123456");

  /** The words it was refused with; null where it was right. */
  async function tried(typed: string, kind: "account_factor" | "device_factor" = "account_factor") {
    const { db, secrets, security, accountPolicy: people } = test.app;
    const context = { db, secrets, security, people, caller: nobody, now: test.clock.now, fail };
    const refusal = await confirmFactor(account, typed, { kind, key: account.id }, context).then(
      () => null,
      (error: unknown) => {
        if (error instanceof Refusal) return error.message;
        throw error;
      },
    );
    await test.settled();
    test.clock.advance(hourMs);
    return refusal;
  }
  const wrong = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1)
      expect(await tried(wrongCode())).toMatch(/^The code .* is wrong/);
  };
  const mails = (): string[] => test.sent.map(({ message }) => message.title);

  it("[OUR-FAC-11] the person gets one mail at the fifth wrong one, and one more only after a right one", async () => {
    await wrong(4);
    expect(mails()).toEqual([]);
    await wrong(8);
    expect(mails()).toEqual(["Somebody has your password"]);
    expect(test.sent[0]?.destination).toBe(account.email);
    console.log([mails()[0], ...(test.sent[0]?.message.lines ?? [])].join("\n"));
    expect(await tried(rightCode())).toBeNull();
    await wrong(5);
    expect(mails()).toEqual(["Somebody has your password", "Somebody has your password"]);
  });

  it("[OUR-FAC-11] a try in the pause is refused before it is looked at", async () => {
    await wrong(12);
    test.clock.advance(-hourMs + secondMs);
    expect(await tried(rightCode())).toBe("Too many wrong codes in a row. Wait 59 seconds, then try again.");
    expect(await tried(rightCode())).toBeNull();
  });

  it("[OUR-FAC-12] after 100 a right code is refused, a mailed link opens codes once, and other ways stay open", async () => {
    await wrong(closeAtWrong);
    expect(mails()).toEqual(["Somebody has your password", "Codes of your account are closed"]);
    const closed = /^Codes are closed after 100 wrong ones in a row. A link that opens them was mailed/;
    expect(await tried(rightCode())).toMatch(closed);
    // The browsers of the account's own are not held up by what others type.
    expect(await tried(rightCode(), "device_factor")).toBeNull();
    expect(await tried(recovery[0] ?? "")).toBeNull();
    expect(await tried(rightCode())).toMatch(closed);
    const link = test.sent.at(-1)?.message.link ?? "";
    expect(link).toMatch(/^\/sign-in\/open-codes\/./);
    const code = link.split("/").at(-1) ?? "";
    const opened = () => callAsPerson(test.app, openFactor, nobody, { code }, "r");
    expect(await opened()).toEqual({ email: account.email });
    await expect(opened()).rejects.toMatchObject({ code: "invalid_state" });
    expect(await tried(rightCode())).toBeNull();
  });

  it("[OUR-FAC-12] where no mail is sent, the refusal names the command of the operator", async () => {
    await test.close();
    await start(false);
    await wrong(closeAtWrong);
    expect(await tried(rightCode())).toMatch(/tickmark account open-second-factor ADDRESS$/);
  });
});
