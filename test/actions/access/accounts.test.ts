import { selectAccountByEmail } from "../../../src/store/access/accounts.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { selectSessions } from "../../../src/store/access/sessions.ts";
import { afterEach, describe, expect, it } from "vitest";
import {
  callAsPerson,
  type CalledByPages,
  type PersonAnswer,
  type PersonCalling,
  type PersonInput,
} from "../../../src/contract/call/call-as-person.ts";
import { hashPassword } from "../../../src/app/access/passwords.ts";
import { personOf, startSession } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { Refusal } from "../../../src/core/errors.ts";
import { changeEmail } from "../../../src/actions/access/change-email.ts";
import { changePassword } from "../../../src/actions/access/change-password.ts";
import { checkCode } from "../../../src/actions/access/check-code.ts";
import { createInvitation } from "../../../src/actions/access/create-invitation.ts";
import { getWaysIn } from "../../../src/actions/access/get-ways-in.ts";
import { listInvitations } from "../../../src/actions/access/list-invitations.ts";
import { requestEmailVerification } from "../../../src/actions/access/request-email-verification.ts";
import { requestPasswordReset } from "../../../src/actions/access/request-password-reset.ts";
import { resetPassword } from "../../../src/actions/access/reset-password.ts";
import { signUp } from "../../../src/actions/access/sign-up.ts";
import { verifyEmail } from "../../../src/actions/access/verify-email.ts";
import { withdrawInvitation } from "../../../src/actions/access/withdraw-invitation.ts";
import { signIn } from "../../../src/actions/access/sign-in.ts";
import { testApp, type SentMessage, type TestApp, type TestAppOptions } from "../../support/test-app.ts";

const password = "correct horse battery";
const hash = await hashPassword(password);
const hour = 3_600_000;
const user_agent = null;

let test: TestApp;
const open = (options: TestAppOptions = {}): void => void (test = testApp(options));
afterEach(() => test.close());

const nobody: PersonCalling = { kind: "anonymous", address: "192.0.2.1" };

const ask = <C extends CalledByPages>(
  called: C,
  who: PersonCalling,
  input: PersonInput<C>,
): Promise<PersonAnswer<C>> => callAsPerson(test.app, called, who, input, "r");

const refusal = (asked: Promise<unknown>): Promise<Refusal | null> =>
  asked.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );

async function person(changes: Partial<Account> = {}): Promise<{ account: Account; who: PersonCalling }> {
  const account = await test.account("pro", changes.role ?? "user", changes);
  await test.app.db.write(replacePassword, account.id, hash, null);
  return { account, who: await browserOf(account) };
}

async function browserOf(account: Account): Promise<PersonCalling> {
  const { secret } = await startSession(test.app, account, "tests", test.app.clock());
  return bySecret(secret);
}

const bySecret = (secret: string): Promise<PersonCalling> =>
  personOf(test.app, secret, "192.0.2.1", test.app.clock());

const enters = async (email: string, typed: string): Promise<boolean> =>
  (await refusal(ask(signIn, nobody, { email, password: typed, user_agent }))) === null;

/** The link of the only mail that went out since the last look, and to whom; those of new browsers apart. */
async function mail(): Promise<{ to: string; title: string; code: string }> {
  await test.settled();
  const isOther = ({ message }: SentMessage): boolean => !message.title.includes("from a new browser");
  const [sent, ...more] = test.sent.splice(0).filter(isOther);
  if (!sent || more.length > 0) throw new Error(`${more.length + (sent ? 1 : 0)} mails went out.`);
  const link = sent.message.link ?? "";
  return { to: sent.destination, title: sent.message.title, code: link.split(/[/=]/).at(-1) ?? "" };
}

describe("signing up", () => {
  const join = (email: string, invitation: string | null = null) =>
    ask(signUp, nobody, { email, password, invitation, user_agent });

  it("[OUR-SES-09] is for nobody unless the operator says otherwise", async () => {
    open();
    expect(await ask(getWaysIn, nobody, {})).toEqual({ sign_up: "closed", sends_mail: true });
    expect(await refusal(join("a@example.org"))).toMatchObject({ code: "invalid_state" });
    const { who } = await person({ role: "admin" });
    expect(await refusal(ask(createInvitation, who, { email: null }))).toMatchObject({
      code: "invalid_state",
    });
  });

  it("[OUR-SES-09] where it is open makes a plain account, signed in, its address to be verified", async () => {
    open({ signUp: "open" });
    const { secret } = await join("New@Example.org");
    expect(await bySecret(secret)).toMatchObject({
      account: { email: "new@example.org", role: "user", plan: "free", emailVerified: false },
    });
    const { to, code } = await mail();
    expect(to).toBe("new@example.org");
    expect(await ask(verifyEmail, nobody, { code })).toEqual({ email: to });
    expect(await refusal(join("NEW@example.org"))).toMatchObject({ code: "invalid_state" });
    expect(test.defects).toEqual([]);
  });

  it("[OUR-SES-09] takes ten new accounts an hour from one address", async () => {
    open({ signUp: "open" });
    for (let index = 0; index < 10; index += 1) await join(`new-${index}@example.org`);
    expect(await refusal(join("eleventh@example.org"))).toMatchObject({ code: "rate_limited" });
    test.clock.advance(hour);
    await join("eleventh@example.org");
  });

  it("[OUR-SES-10] by invitation takes one that an admin made, once, within 7 days", async () => {
    open({ signUp: "invite" });
    const [{ who: admin }, { who: user }] = [await person({ role: "admin" }), await person()];
    expect(await refusal(join("a@example.org"))).toMatchObject({ code: "invalid_state" });
    expect(await refusal(ask(createInvitation, user, { email: null }))).toMatchObject({ code: "not_found" });
    expect(await refusal(ask(listInvitations, user, {}))).toMatchObject({ code: "not_found" });
    const made = await ask(createInvitation, admin, { email: "friend@example.org" });
    expect(made.mailed).toBe(true);
    const { to, code } = await mail();
    expect([to, made.link.endsWith(code)]).toEqual(["friend@example.org", true]);
    expect((await ask(listInvitations, admin, {})).data).toEqual([made.invitation]);
    const check = { code, purpose: "invitation" } as const;
    expect(await ask(checkCode, nobody, check)).toEqual({ usable: true, email: to });
    await join("friend@example.org", code);
    expect(await ask(checkCode, nobody, check)).toEqual({ usable: false, email: null });
    expect(await refusal(join("second@example.org", code))).toMatchObject({ code: "invalid_state" });
    const late = (await ask(createInvitation, admin, { email: null })).link.split("=")[1] ?? "";
    test.clock.advance(7 * 24 * hour);
    expect(await refusal(join("late@example.org", late))).toMatchObject({ code: "invalid_state" });
  });

  it("[OUR-SES-10] refuses an invitation that was taken back, and a code made for something else", async () => {
    open({ signUp: "invite" });
    const { account, who: admin } = await person({ role: "admin" });
    const { invitation, link } = await ask(createInvitation, admin, { email: null });
    await ask(withdrawInvitation, admin, { invitation_id: invitation.id });
    expect(await refusal(join("a@example.org", link.split("=")[1]))).toMatchObject({ code: "invalid_state" });
    await ask(requestPasswordReset, nobody, { email: account.email });
    expect(await refusal(join("a@example.org", (await mail()).code))).toMatchObject({
      code: "invalid_state",
    });
  });
});

describe("a forgotten password", () => {
  it("[OUR-SES-13] gets the same answer for every address, and a mail goes to that of an account", async () => {
    open();
    const { account } = await person();
    const suspended = await person({ role: "suspended" });
    for (const email of ["nobody@example.org", suspended.account.email, account.email])
      expect(await ask(requestPasswordReset, nobody, { email })).toBeNull();
    expect((await mail()).to).toBe(account.email);
  });

  it("[OUR-SES-13] has three mails an hour for one mail address, whether it has an account", async () => {
    open();
    const { account } = await person();
    for (const email of ["nobody@example.org", account.email]) {
      for (let index = 0; index < 3; index += 1) await ask(requestPasswordReset, nobody, { email });
      expect(await refusal(ask(requestPasswordReset, nobody, { email }))).toMatchObject({
        code: "rate_limited",
      });
    }
  });

  it("[OUR-SES-14] is replaced with the mailed code once within an hour, which ends every session", async () => {
    open();
    const { account, who } = await person();
    await ask(requestPasswordReset, nobody, { email: account.email });
    const first = await mail();
    await ask(requestPasswordReset, nobody, { email: account.email });
    const { code } = await mail();
    const reset = (typed: string) =>
      refusal(ask(resetPassword, nobody, { code: typed, password: "another long password" }));
    expect(await reset(first.code)).toMatchObject({ code: "invalid_state" });
    expect(await reset("not-a-code")).toMatchObject({ code: "invalid_state" });
    expect(await reset(code)).toBeNull();
    expect(await reset(code)).toMatchObject({ code: "invalid_state" });
    expect(await mail()).toMatchObject({
      to: account.email,
      title: "The password of your account was changed",
    });
    expect(await test.app.db.read(selectSessions, account.id, test.app.clock())).toEqual([]);
    expect(who.kind).toBe("session");
    expect([
      await enters(account.email, password),
      await enters(account.email, "another long password"),
    ]).toEqual([false, true]);
    await ask(requestPasswordReset, nobody, { email: account.email });
    const late = await mail();
    test.clock.advance(hour);
    expect(await reset(late.code)).toMatchObject({ code: "invalid_state" });
  });

  it("[OUR-SES-16] is the operator's to mend where no mail goes out", async () => {
    open({ sendsMail: false });
    const { account, who } = await person({ emailVerified: false });
    expect((await ask(getWaysIn, nobody, {})).sends_mail).toBe(false);
    const asked = [
      await refusal(ask(requestPasswordReset, nobody, { email: account.email })),
      await refusal(ask(requestEmailVerification, who, {})),
    ];
    expect(asked.map((each) => each?.message)).toEqual([
      expect.stringContaining("tickmark account reset-password"),
      expect.stringContaining(`tickmark account verify-email ${account.email}`),
    ]);
    await ask(changeEmail, who, { email: "other@example.org", password });
    await test.settled();
    expect([test.sent, test.defects]).toEqual([[], []]);
  });
});

describe("an account's password and address", () => {
  it("[OUR-SES-14] a new password takes the present one, and leaves this browser signed in alone", async () => {
    open();
    const { account, who } = await person();
    const phone = await browserOf(account);
    const change = (typed: string, chosen: string) =>
      refusal(ask(changePassword, who, { password: typed, new_password: chosen }));
    expect(await change("not the password", "a better password")).toMatchObject({ code: "unauthorized" });
    expect(await change(password, "short")).toMatchObject({ code: "validation_error" });
    expect(await change(password, "a better password")).toBeNull();
    const left = await test.app.db.read(selectSessions, account.id, test.app.clock());
    expect(left.map(({ id }) => id)).toEqual([who.kind === "session" && who.session.id]);
    expect(phone.kind).toBe("session");
    expect(await enters(account.email, "a better password")).toBe(true);
    expect((await mail()).title).toBe("The password of your account was changed");
  });

  it("[OUR-SES-06] [OUR-SES-24] guesses of the password at a browser left open are ten, and lock nobody else out", async () => {
    open();
    const { account, who } = await person();
    for (let index = 0; index < 10; index += 1)
      await refusal(ask(changeEmail, who, { email: "x@example.org", password: "not the password" }));
    expect(await refusal(ask(changeEmail, who, { email: "x@example.org", password }))).toMatchObject({
      code: "rate_limited",
    });
    expect(await enters(account.email, password)).toBe(true);
  });

  it("[OUR-SES-15] a new address takes the password, is unverified until confirmed, and the old one is told", async () => {
    open();
    const [{ account, who }, other] = [await person(), await person()];
    const change = (email: string, typed = password) =>
      refusal(ask(changeEmail, who, { email, password: typed }));
    expect(await change("new@example.org", "not the password")).toMatchObject({ code: "unauthorized" });
    expect(await change(other.account.email)).toMatchObject({ code: "invalid_state" });
    expect(await change(account.email)).toMatchObject({ code: "invalid_state" });
    for (const odd of ["you", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example"])
      expect(await change(odd)).toMatchObject({ code: "validation_error" });
    expect(test.sent).toEqual([]);
    expect(await change(" New@Example.org ")).toBeNull();
    await test.settled();
    const [told, asked] = test.sent.splice(0);
    expect([told?.destination, asked?.destination]).toEqual([account.email, "new@example.org"]);
    expect(told?.message.link).toBeNull();
    const { db } = test.app;
    expect(await db.read(selectAccountByEmail, "new@example.org")).toMatchObject({
      id: account.id,
      emailVerified: false,
    });
    const code = asked?.message.link?.split("/").at(-1) ?? "";
    await ask(verifyEmail, nobody, { code });
    expect(await db.read(selectAccountByEmail, "new@example.org")).toMatchObject({ emailVerified: true });
    expect(await refusal(ask(verifyEmail, nobody, { code }))).toMatchObject({ code: "invalid_state" });
  });

  it("[OUR-SES-11] the mail that verifies an address can be sent again, three times an hour", async () => {
    open();
    const { account, who } = await person({ emailVerified: false });
    await ask(requestEmailVerification, who, {});
    const first = await mail();
    await ask(requestEmailVerification, who, {});
    const second = await mail();
    expect(await refusal(ask(verifyEmail, nobody, { code: first.code }))).toMatchObject({
      code: "invalid_state",
    });
    await ask(requestEmailVerification, who, {});
    expect(await refusal(ask(requestEmailVerification, who, {}))).toMatchObject({ code: "rate_limited" });
    expect(second.to).toBe(account.email);
    const last = await mail();
    test.clock.advance(3 * 24 * hour);
    expect(await refusal(ask(verifyEmail, nobody, { code: last.code }))).toMatchObject({
      code: "invalid_state",
    });
    const verified = await person();
    expect(await refusal(ask(requestEmailVerification, verified.who, {}))).toMatchObject({
      code: "invalid_state",
    });
  });
});
