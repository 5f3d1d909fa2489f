import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { hashPassword } from "../../../src/app/access/passwords.ts";
import { passkeyParty } from "../../../src/core/access/passkey.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { countPasskeys } from "../../../src/store/access/passkeys.ts";
import { authenticator, type Forgery } from "../../support/authenticator.ts";
import { handClock, minuteMs } from "../../support/clock.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../../support/service.ts";
import { signedIn, visitor, type Visitor } from "../../support/visitor.ts";

export const clock = handClock();
export const password = "correct horse battery";
export const security = "/settings/security";
export const path = `${security}/passkeys`;
export let service: TestService;
export let origin: string;
export let hash: string;
export let owner: Account;

/** Starts the service of a file and makes the owner of each test. Files of one worker share this module, so each calls it. */
export function startWithPeople(settings: () => Promise<TestServiceOptions> = async () => ({})): void {
  beforeAll(async () => {
    await serveAgain({ clock: clock.now, ...(await settings()) });
    hash = await hashPassword(password);
  });
  afterAll(async () => {
    expect(service.defects).toEqual([]);
    await service.close();
  });
  beforeEach(async () => {
    clock.advance(60 * minuteMs);
    await nextOwner();
  });
}

/** Starts the service of these people, or another one in place of one that was closed. */
export async function serveAgain(options: TestServiceOptions): Promise<void> {
  service = await startTestService(options);
  origin = passkeyParty(service.app.baseUrl)?.origin ?? "";
}

/** The tests go on with an account of somebody else, which has the password. */
export async function nextOwner(): Promise<void> {
  owner = await service.account("pro");
  await service.app.db.write(replacePassword, owner.id, hash, null);
}
export const typePassword = (browser: Visitor, { email } = owner) =>
  browser.send("/sign-in", "sign_in", { email, password });
export const isSignedIn = async (browser: Visitor): Promise<boolean> =>
  (await browser.get("/settings")).status === 200;
const unescaped = (html: string): string => html.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
export const hiddenIn = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
/** The request that a page gives its script. */
export const requestIn = (html: string) =>
  JSON.parse(unescaped(/data-request="(\{[^"]*)"/.exec(html)?.[1] ?? "{}"));
export const dataOf = async (browser: Visitor, page: string) => JSON.parse((await browser.get(page)).text);
export const count = (): Promise<number> => service.app.db.read(countPasskeys, owner.id);

interface Adding {
  readonly second_factor?: string;
  readonly forged?: Forgery;
  readonly device?: ReturnType<typeof authenticator>;
}

export async function add(browser: Visitor, { second_factor = "", forged, device }: Adding = {}) {
  const made = device ?? authenticator(origin);
  const shown = await browser.send(path, "prepare", { name: "<b>Phone</b>", password, second_factor });
  const send = () =>
    browser.send(path, "add", {
      name: "<b>Phone</b>",
      sealed: hiddenIn(shown.text, "sealed"),
      passkey: shown.status === 200 ? made.create(requestIn(shown.text), forged) : "",
    });
  return { device: made, shown, done: await send(), send };
}

/** A browser that is signed in to an account with a passkey, and the recovery codes. */
export async function withPasskey() {
  const browser = await signedIn(service, owner);
  const { device, done } = await add(browser);
  const codes = [...done.text.matchAll(/<code>([A-Z2-9]{4}(?:-[A-Z2-9]{4}){3})<\/code>/g)].map(
    ([, code = ""]) => code,
  );
  return { browser, device, codes };
}

/** The sign-in page was open in this browser, which so keeps what a challenge is bound to. */
export async function atSignIn(): Promise<Visitor> {
  const browser = visitor(service);
  await browser.get("/sign-in");
  return browser;
}
export const challenge = (browser: Visitor) => dataOf(browser, "/sign-in?data=passkey");
export const signInWith = (browser: Visitor, passkey: string) =>
  browser.send("/sign-in", "passkey", { passkey });
