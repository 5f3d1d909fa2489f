import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { consumeWindows } from "../../../src/store/access/rate-windows.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  callAsPerson,
  type PersonAnswer,
  type PersonCalling,
} from "../../../src/contract/call/call-as-person.ts";
import { hashPassword } from "../../../src/app/access/passwords.ts";
import { personOf } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { Refusal } from "../../../src/core/errors.ts";
import { dayMs } from "../../../src/core/time.ts";
import { changePassword } from "../../../src/actions/access/change-password.ts";
import { endOtherSessions } from "../../../src/actions/access/end-other-sessions.ts";
import { rememberDevice } from "../../../src/actions/access/remember-device.ts";
import { signIn } from "../../../src/actions/access/sign-in.ts";
import { testApp, type TestApp } from "../../support/test-app.ts";

const password = "correct horse battery";
const hash = await hashPassword(password);

let test: TestApp;
beforeEach(() => {
  test = testApp();
});
afterEach(async () => {
  await test.settled();
  expect(test.defects).toEqual([]);
  await test.close();
});

/** What a sign-in without a second factor gives the browser. */
const letInOf = ({ let_in }: PersonAnswer<typeof signIn>) => {
  if (let_in === null) throw new Error("The account has a second factor.");
  return let_in;
};

const nobody: PersonCalling = { kind: "anonymous", address: "192.0.2.1" };
const firefox = "Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0 <b>";

async function person(changes: Partial<Account> = {}): Promise<Account> {
  const account = await test.account("pro", "user", changes);
  await test.app.db.write(replacePassword, account.id, hash, null);
  return account;
}

const enter = (email: string, device: string | null, typed = password, who = nobody) =>
  callAsPerson(test.app, signIn, who, { email, password: typed, user_agent: firefox, device }, "r").then(
    letInOf,
  );

/** The code it was refused with; null when it was not. */
const refusal = (asked: Promise<unknown>): Promise<string | null> =>
  asked.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );

/** Strangers fill every window that is open to them: the account's, and their address's. */
async function lockOut(account: Account): Promise<void> {
  for (let index = 0; index < 10; index += 1)
    expect(await refusal(enter(account.email, null, "not the password"))).toBe("unauthorized");
  const { db } = test.app;
  const rule = { kind: "address_password", key: "192.0.2.1", lengthMs: 900_000, limit: 60 } as const;
  while ((await consumeWindows(db, [rule], test.clock.now)).granted);
  expect(await refusal(enter(account.email, null))).toBe("rate_limited");
}

const bySecret = (secret: string): Promise<PersonCalling> =>
  personOf(test.app, secret, "192.0.2.1", test.clock.now);

describe("a browser that signed in before", () => {
  it("[OUR-SES-24] is let in however many wrong passwords others tried, at its own address too", async () => {
    const account = await person();
    const { device } = await enter(account.email, null);
    await lockOut(account);
    expect(await refusal(enter(account.email, device))).toBeNull();
    console.log("right passwords refused in a browser of the account's own while others tried: 0");
  });

  it("[OUR-SES-24] has ten wrong passwords in a quarter of an hour, and lets nobody else's fill", async () => {
    const account = await person();
    const { device } = await enter(account.email, null);
    for (let index = 0; index < 10; index += 1)
      expect(await refusal(enter(account.email, device, "not the password"))).toBe("unauthorized");
    expect(await refusal(enter(account.email, device))).toBe("rate_limited");
    // Signing in again makes no second window, and who does not have the cookie is let in as before.
    const other = await enter(account.email, null);
    expect(await refusal(enter(account.email, other.device))).toBeNull();
    test.clock.advance(900_000);
    expect(await refusal(enter(account.email, device))).toBeNull();
  });

  it("[OUR-SES-24] is known by what was sealed for that account alone", async () => {
    const [account, other] = [await person(), await person()];
    const { device } = await enter(account.email, null);
    await lockOut(other);
    const forged = Buffer.from(device, "base64url");
    forged[20] = (forged[20] ?? 0) ^ 1;
    for (const cookie of [device, forged.toString("base64url"), "", "{}", "x".repeat(10_000)])
      expect(await refusal(enter(other.email, cookie))).toBe("rate_limited");
    const token = test.app.accountPolicy.devices.remember(
      null,
      { accountId: "x", generation: 0 },
      test.clock.now,
    );
    expect(await refusal(enter(other.email, token))).toBe("rate_limited");
    // It signs nobody in.
    expect((await bySecret(device)).kind).toBe("anonymous");
    expect(await refusal(enter(account.email, device, "not the password"))).toBe("unauthorized");
  });

  it("[OUR-SES-24] is remembered for five accounts and 400 days, one after the other", async () => {
    const accounts = [];
    for (let index = 0; index < 6; index += 1) accounts.push(await person());
    let device: string | null = null;
    for (const { email } of accounts) device = (await enter(email, device)).device;
    const known = (account: Account): boolean =>
      test.app.accountPolicy.devices.nameOf(
        device,
        { accountId: account.id, generation: 1 },
        test.clock.now,
      ) !== null;
    expect(accounts.map(known)).toEqual([false, true, true, true, true, true]);
    test.clock.advance(400 * dayMs - 1);
    expect(accounts.map(known)).toContain(true);
    test.clock.advance(1);
    expect(accounts.map(known)).not.toContain(true);
    expect(device?.length).toBeLessThan(1100);
  });

  it("[OUR-SES-24] is forgotten by a new password and by signing all others out; the one that did so is not", async () => {
    for (const act of ["password", "others"] as const) {
      test.clock.advance(900_000);
      const account = await person();
      const phone = await enter(account.email, null);
      const laptop = await enter(account.email, null);
      const who = await bySecret(laptop.secret);
      let now = password;
      if (act === "password") {
        now = "a better horse battery";
        await callAsPerson(test.app, changePassword, who, { password, new_password: now }, "r");
      } else await callAsPerson(test.app, endOtherSessions, who, {}, "r");
      const { device } = await callAsPerson(test.app, rememberDevice, who, { device: laptop.device }, "r");
      await lockOut(account);
      expect(await refusal(enter(account.email, phone.device, now))).toBe("rate_limited");
      expect(await refusal(enter(account.email, laptop.device, now))).toBe("rate_limited");
      expect(await refusal(enter(account.email, device, now))).toBeNull();
    }
  });

  it("[OUR-SES-24] that is signed in confirms its password while others are locked out", async () => {
    const account = await person();
    const who = await bySecret((await enter(account.email, null)).secret);
    await lockOut(account);
    const input = { password, new_password: "a better horse battery" };
    expect(await refusal(callAsPerson(test.app, changePassword, who, input, "r"))).toBeNull();
  });
});

describe("a browser that is new", () => {
  const mails = async (): Promise<string[]> => {
    await test.settled();
    return test.sent.splice(0).map(({ destination, message }) => `${destination} ${message.lines[0]}`);
  };

  it("[OUR-SES-25] is told to the verified address of the account, once", async () => {
    const account = await person();
    const { device } = await enter(account.email, null);
    expect(await mails()).toEqual([
      `${account.email} Firefox on Windows signed in at 2026-11-20T08:00:00.000Z from the address 192.0.2.1.`,
    ]);
    await enter(account.email, device);
    await refusal(enter(account.email, null, "not the password"));
    expect(await mails()).toEqual([]);
    await enter(account.email, null);
    expect(await mails()).toHaveLength(1);
    const unverified = await person({ emailVerified: false });
    await enter(unverified.email, null);
    expect(await mails()).toEqual([]);
  });
});
