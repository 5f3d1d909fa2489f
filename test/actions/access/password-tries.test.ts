import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callAsPerson, type PersonCalling } from "../../../src/contract/call/call-as-person.ts";
import { hashPassword } from "../../../src/app/access/passwords.ts";
import { personOf, startSession } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { Refusal } from "../../../src/core/errors.ts";
import { changeEmail } from "../../../src/actions/access/change-email.ts";
import { requestPasswordReset } from "../../../src/actions/access/request-password-reset.ts";
import { resetPassword } from "../../../src/actions/access/reset-password.ts";
import { signIn } from "../../../src/actions/access/sign-in.ts";
import { testApp, type TestApp } from "../../support/test-app.ts";

const password = "correct horse battery";
const hash = await hashPassword(password);

let test: TestApp;
beforeEach(() => {
  test = testApp();
});
afterEach(() => test.close());

const nobody: PersonCalling = { kind: "anonymous", address: "192.0.2.1" };

/** The code it was refused with; null when it was not. */
const refusal = (asked: Promise<unknown>): Promise<string | null> =>
  asked.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );

async function person(): Promise<Account> {
  const account = await test.account();
  await test.app.db.write(replacePassword, account.id, hash, null);
  return account;
}

const enters = async (email: string, typed = password): Promise<boolean> => {
  const input = { email, password: typed, user_agent: null };
  return (await refusal(callAsPerson(test.app, signIn, nobody, input, "r"))) === null;
};

async function fill({ email }: Account): Promise<void> {
  for (let index = 0; index < 10; index += 1) expect(await enters(email, "not the password")).toBe(false);
  expect(await enters(email)).toBe(false);
}

describe("the tries of an account", () => {
  it("[OUR-SES-22] count anew once its password was reset by mail, and those of others do not", async () => {
    const [account, other] = [await person(), await person()];
    await fill(account);
    await fill(other);
    await callAsPerson(test.app, requestPasswordReset, nobody, { email: account.email }, "r");
    await test.settled();
    const code = test.sent[0]?.message.link?.split("/").at(-1) ?? "";
    const chosen = "another long password";
    const reset = (typed: string) =>
      refusal(callAsPerson(test.app, resetPassword, nobody, { code: typed, password: chosen }, "r"));
    expect(await reset("not-a-code")).toBe("invalid_state");
    expect(await enters(account.email)).toBe(false);
    expect(await reset(code)).toBeNull();
    expect(await enters(account.email, chosen)).toBe(true);
    expect(await enters(other.email)).toBe(false);
    await fill(account);
    expect(await reset(code)).toBe("invalid_state");
    expect(await enters(account.email, chosen)).toBe(false);
  });

  it("[OUR-SES-06] are not taken by the right password at a browser that is signed in", async () => {
    const account = await person();
    const { secret } = await startSession(test.app, account, null, test.clock.now);
    const who = await personOf(test.app, secret, "192.0.2.1", test.clock.now);
    const same = () =>
      refusal(callAsPerson(test.app, changeEmail, who, { email: account.email, password }, "r"));
    for (let index = 0; index < 12; index += 1) expect(await same()).toBe("invalid_state");
    expect(await enters(account.email)).toBe(true);
  });
});
