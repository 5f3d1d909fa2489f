import { selectAccounts } from "../../../src/store/access/accounts.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { consumeWindows } from "../../../src/store/access/rate-windows.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  callAsPerson,
  type CalledByPages,
  type PersonInput,
  type PersonAnswer,
  type PersonCalling,
} from "../../../src/contract/call/call-as-person.ts";
import { hashPassword } from "../../../src/app/access/passwords.ts";
import { setUpCode } from "../../../src/app/access/set-up-code.ts";
import { personOf } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { Refusal } from "../../../src/core/errors.ts";
import { needsSetUp } from "../../../src/actions/access/needs-set-up.ts";
import { setUpService } from "../../../src/actions/access/set-up-service.ts";
import { endOtherSessions } from "../../../src/actions/access/end-other-sessions.ts";
import { endSession } from "../../../src/actions/access/end-session.ts";
import { listSessions } from "../../../src/actions/access/list-sessions.ts";
import { signIn } from "../../../src/actions/access/sign-in.ts";
import { signOut } from "../../../src/actions/access/sign-out.ts";
import { testApp, type TestApp } from "../../support/test-app.ts";

const password = "correct horse battery";
const hash = await hashPassword(password);
const minute = 60_000;
const user_agent = "tests";

let test: TestApp;
beforeEach(() => {
  test = testApp();
});
afterEach(() => test.close());

const from = (address: string): PersonCalling => ({ kind: "anonymous", address });
const nobody = from("192.0.2.1");

async function person(changes: Partial<Account> = {}): Promise<Account> {
  const account = await test.account("pro", changes.role ?? "user", changes);
  await test.app.db.write(replacePassword, account.id, hash, null);
  return account;
}

/** What a sign-in without a second factor gives the browser. */
const letInOf = ({ let_in }: PersonAnswer<typeof signIn>) => {
  if (let_in === null) throw new Error("The account has a second factor.");
  return let_in;
};

const enter = (email: string, typed = password, who: PersonCalling = nobody) =>
  callAsPerson(test.app, signIn, who, { email, password: typed, user_agent }, "r").then(letInOf);

/** How it was refused; null when it was not. */
const refusal = (asked: Promise<unknown>): Promise<Refusal | null> =>
  asked.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );

const bySecret = (secret: string): Promise<PersonCalling> =>
  personOf(test.app, secret, "192.0.2.1", test.app.clock());

describe("signing in", () => {
  it("[OUR-SES-04] gives a session of its own, and ends the one the browser had", async () => {
    const account = await person();
    const first = await enter(` ${account.email.toUpperCase()} `);
    const before = await bySecret(first.secret);
    expect(before).toMatchObject({ kind: "session", account: { id: account.id } });
    const second = await enter(account.email, password, before);
    expect(second.secret).not.toBe(first.secret);
    expect((await bySecret(first.secret)).kind).toBe("anonymous");
    expect((await bySecret(second.secret)).kind).toBe("session");
  });

  it("[OUR-SES-05] says the same of an address that nobody has and of a wrong password", async () => {
    const account = await person();
    const unknown = await refusal(enter("nobody@example.org"));
    const wrong = await refusal(enter(account.email, "not the password"));
    expect(unknown?.body).toEqual(wrong?.body);
    expect(unknown).toMatchObject({ code: "unauthorized", status: 401 });
    // An account that never had a password is entered with none.
    const without = await test.account();
    expect((await refusal(enter(without.email, "anything at all")))?.body).toEqual(wrong?.body);
  });

  it("[OUR-SES-05] works as long for an address that nobody has", async () => {
    const account = await person();
    await refusal(enter("warm@example.org"));
    const median = async (ask: () => Promise<unknown>): Promise<number> => {
      const took: number[] = [];
      for (let run = 0; run < 9; run += 1) {
        const start = performance.now();
        await ask();
        took.push(performance.now() - start);
      }
      return took.toSorted((a, b) => a - b)[4] ?? 0;
    };
    const wrong = await median(() => refusal(enter(account.email, "not the password")));
    const unknown = await median(() => refusal(enter("nobody@example.org", "not the password")));
    console.log(`wrong password ${wrong.toFixed(1)} ms, unknown address ${unknown.toFixed(1)} ms`);
    // A look-up alone takes a hundredth of a hash.
    expect(unknown).toBeGreaterThan(wrong / 4);
  });

  it("[OUR-SES-05] is refused to a suspended account, which only its owner is told", async () => {
    const account = await person({ role: "suspended" });
    expect((await refusal(enter(account.email)))?.message).toContain("suspended");
    expect((await refusal(enter(account.email, "not the password")))?.message).not.toContain("suspended");
  });

  it("[OUR-SES-06] takes ten tries of one mail address in a quarter of an hour, wherever they come from", async () => {
    const account = await person();
    const tried = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        refusal(enter(account.email, "not the password", from(`192.0.2.${index}`))),
      ),
    );
    expect(tried.map((each) => each?.code)).toEqual(Array(10).fill("unauthorized"));
    let successes = 0;
    for (let index = 0; index < 20; index += 1) {
      const late = await refusal(enter(account.email, password, from(`198.51.100.${index}`)));
      if (late === null) successes += 1;
      expect(late).toMatchObject({ code: "rate_limited", retryAfterSeconds: 900 });
      expect(late?.message).toContain("Wait 15 minutes, then try again.");
    }
    console.log(`successes past the limit: ${successes}`);
    expect(successes).toBe(0);
    test.clock.advance(15 * minute);
    expect(await refusal(enter(account.email))).toBeNull();
  });

  it("[OUR-SES-06] gives a right password its try back: people who sign in often are not locked out", async () => {
    const account = await person();
    for (let index = 0; index < 15; index += 1) expect(await refusal(enter(account.email))).toBeNull();
    for (let index = 0; index < 9; index += 1) await refusal(enter(account.email, "not the password"));
    for (let index = 0; index < 3; index += 1) expect(await refusal(enter(account.email))).toBeNull();
    expect(await refusal(enter(account.email, "not the password"))).toMatchObject({ code: "unauthorized" });
    expect(await refusal(enter(account.email))).toMatchObject({ code: "rate_limited" });
  });

  it("[OUR-SES-06] takes ten wrong passwords and no more, however many right ones come at the same time", async () => {
    const account = await person();
    const tried = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const typed = index % 3 === 0 ? password : "not the password";
        return [typed, (await refusal(enter(account.email, typed, from(`192.0.2.${index}`))))?.code] as const;
      }),
    );
    const guessed = tried.filter(([typed, code]) => typed !== password && code === "unauthorized");
    console.log(`60 tries at once, wrong passwords that were looked at: ${guessed.length}`);
    expect(guessed.length).toBeLessThanOrEqual(10);
    let more = 0;
    for (; (await refusal(enter(account.email, "not the password")))?.code === "unauthorized"; more += 1);
    expect(guessed.length + more).toBe(10);
    expect(await refusal(enter(account.email))).toMatchObject({ code: "rate_limited" });
  });

  it("[OUR-SES-06] counts the tries of an address that nobody has like those of an account", async () => {
    for (let index = 0; index < 10; index += 1) await refusal(enter("nobody@example.org"));
    expect(await refusal(enter("nobody@example.org"))).toMatchObject({ code: "rate_limited" });
  });

  it("[OUR-SES-06] takes sixty tries from one network address, whatever the mail address", async () => {
    const account = await person();
    for (let index = 0; index < 60; index += 1) {
      // The window is what is tested here: nobody needs sixty hashes.
      const { db } = test.app;
      const rule = { kind: "address_password", key: "192.0.2.9", lengthMs: 15 * minute, limit: 60 } as const;
      expect((await consumeWindows(db, [rule], test.app.clock())).granted).toBe(true);
    }
    expect(await refusal(enter(account.email, password, from("192.0.2.9")))).toMatchObject({
      code: "rate_limited",
    });
    expect(await refusal(enter(account.email, password, from("192.0.2.10")))).toBeNull();
  });
});

describe("sessions", () => {
  it("[OUR-SES-08] are listed, and ended by their account alone", async () => {
    const [account, stranger] = [await person(), await person()];
    const mine = await bySecret((await enter(account.email)).secret);
    test.clock.advance(minute);
    const phone = await enter(account.email);
    const other = await bySecret((await enter(stranger.email)).secret);
    const ask = <C extends CalledByPages>(called: C, who: PersonCalling, input: PersonInput<C>) =>
      callAsPerson(test.app, called, who, input, "r");
    const { data } = await callAsPerson(test.app, listSessions, mine, {}, "r");
    expect(data.map(({ current, user_agent: agent }) => [current, agent])).toEqual([
      [false, "tests"],
      [true, "tests"],
    ]);
    const session_id = data[0]?.id ?? "";
    expect(await refusal(ask(endSession, other, { session_id }))).toMatchObject({ code: "not_found" });
    await ask(endSession, mine, { session_id });
    expect((await bySecret(phone.secret)).kind).toBe("anonymous");
    expect(await refusal(ask(endSession, mine, { session_id }))).toMatchObject({ code: "not_found" });
    const again = await enter(account.email);
    await ask(endOtherSessions, mine, {});
    expect((await bySecret(again.secret)).kind).toBe("anonymous");
    await ask(signOut, mine, {});
    expect((await callAsPerson(test.app, listSessions, other, {}, "r")).data).toHaveLength(1);
    expect(await refusal(ask(listSessions, nobody, {}))).toMatchObject({ code: "unauthorized" });
  });

  it("[OUR-SES-08] end 30 days after their last use, and 90 days after the sign-in", async () => {
    const day = 24 * 60 * minute;
    const account = await person();
    const idle = await enter(account.email);
    const used = await enter(account.email);
    for (let passed = 0; passed < 87; passed += 29) {
      test.clock.advance(29 * day);
      expect((await bySecret(used.secret)).kind).toBe("session");
    }
    expect((await bySecret(idle.secret)).kind).toBe("anonymous");
    test.clock.advance(3 * day - 1);
    expect((await bySecret(used.secret)).kind).toBe("session");
    test.clock.advance(1);
    expect((await bySecret(used.secret)).kind).toBe("anonymous");
  });
});

describe("setting a service up", () => {
  const code = setUpCode("a secret for tests only");
  const setUp = (changes: object = {}) =>
    callAsPerson(
      test.app,
      setUpService,
      nobody,
      { code, email: "You@Example.org", password, user_agent, ...changes },
      "r",
    );
  const needed = async (): Promise<boolean> =>
    (await callAsPerson(test.app, needsSetUp, nobody, {}, "r")).needs_set_up;

  it("[OUR-SES-01] makes an administrator on the largest plan, once", async () => {
    expect(await needed()).toBe(true);
    expect(await refusal(setUp({ code: "AAAAA-AAAAA-AAAAA-AAAAA" }))).toMatchObject({ code: "unauthorized" });
    const { secret } = await setUp({ code: ` ${code.toLowerCase().replaceAll("-", " ")}` });
    expect(await bySecret(secret)).toMatchObject({
      account: { email: "you@example.org", role: "admin", plan: "enterprise", emailVerified: true },
    });
    expect(await needed()).toBe(false);
    expect(await refusal(setUp({ email: "me@example.org" }))).toMatchObject({ code: "invalid_state" });
    expect(await test.app.db.read(selectAccounts)).toHaveLength(1);
  });

  it("[OUR-SES-01] is over as soon as the service has an account, however it was made", async () => {
    await person();
    expect(await needed()).toBe(false);
    expect(await refusal(setUp())).toMatchObject({ code: "invalid_state" });
  });

  it("[OUR-SES-02] takes the code of the service's secret, and of the one that it replaces, in any spelling", () => {
    expect(setUpCode("one secret")).toBe(setUpCode("one secret"));
    expect(setUpCode("one secret")).not.toBe(setUpCode("another secret"));
    expect(code).toMatch(/^(?:[A-HJ-NP-Z2-9]{5}-){3}[A-HJ-NP-Z2-9]{5}$/);
  });

  it("[OUR-SES-06] takes sixty tries of the code from one address in a quarter of an hour", async () => {
    const guess = () => refusal(setUp({ code: "AAAAA" }));
    for (let index = 0; index < 60; index += 1) expect((await guess())?.code).toBe("unauthorized");
    expect(await refusal(setUp())).toMatchObject({ code: "rate_limited" });
  });

  it("[OUR-SES-07] takes passwords of 10 to 200 characters, whatever they are", async () => {
    for (const typed of ["123456789", "é".repeat(9), "x".repeat(201), ""])
      expect(await refusal(setUp({ password: typed }))).toMatchObject({
        code: "validation_error",
        message: "password takes 10 to 200 characters, any of them.",
      });
    expect(await refusal(setUp({ email: "you" }))).toMatchObject({ code: "validation_error" });
    await setUp({ password: "🐎".repeat(200) });
    expect(await refusal(enter("you@example.org", "🐎".repeat(200)))).toBeNull();
  });
});
