import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { removePasskey } from "../../../src/services/access/change-passkeys.ts";
import { beginSession } from "../../../src/services/access/begin-session.ts";
import { selectPasskeys } from "../../../src/store/access/passkeys.ts";
import { callTool, program, tokensIn } from "../../oauth/program.ts";
import { readMail, startMailServer, type MailServer } from "../../outbound/mail-server.ts";
import { exportOf, importInto } from "../../store/transfer/exchanging.ts";
import { intercept } from "../../support/intercept.ts";
import { until } from "../../support/service-process.ts";
import type { Visitor } from "../../support/visitor.ts";
import {
  add,
  atSignIn,
  challenge,
  clock,
  dataOf,
  isSignedIn,
  owner,
  password,
  path,
  serveAgain,
  service,
  signInWith,
  startWithPeople,
  withPasskey,
} from "./people.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-passkeys-"));
const source = `sqlite:${join(folder, "source.db")}`;
let smtp: MailServer;
startWithPeople(async () => {
  smtp = await startMailServer();
  return { smtpUrl: smtp.url, databaseUrl: source };
});
afterAll(async () => {
  await smtp.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The subjects of the mails to the owner, once there are so many. */
async function subjects(least: number): Promise<string[]> {
  const own = () => smtp.mails.filter(({ recipients }) => recipients.includes(owner.email));
  await until("the mails are there", () => own().length >= least);
  return own().map((mail) => readMail(mail).subject);
}

const firstPasskey = async () => (await service.app.db.read(selectPasskeys, owner.id))[0]?.id ?? "";

const removal = async (browser: Visitor, device: Awaited<ReturnType<typeof withPasskey>>["device"]) => ({
  passkey_id: await firstPasskey(),
  password,
  second_factor: device.get(await dataOf(browser, `${path}?data=request`)),
});

const added = "A passkey of your account was added";
const removed = "A passkey of your account was removed";
const newBrowser = "Somebody signed in to your account from a new browser";

it("[OUR-PAS-08] adding and removing a passkey, and signing in with it in a new browser, are mailed, each once", async () => {
  const { browser, device } = await withPasskey();
  expect(await subjects(1)).toEqual([added]);
  const other = await atSignIn();
  expect((await signInWith(other, device.get(await challenge(other)))).status).toBe(303);
  expect(await subjects(2)).toEqual([added, newBrowser]);
  // The same browser is not new again.
  other.cookies.delete("tickmark");
  expect((await signInWith(other, device.get(await challenge(other)))).status).toBe(303);
  const done = await browser.send(path, "remove", await removal(browser, device));
  expect(done.status).toBe(303);
  expect(await subjects(3)).toEqual([added, newBrowser, removed]);
});

it("[OUR-PAS-08] what was refused is not mailed", async () => {
  const { browser, device } = await withPasskey();
  await add(browser, { second_factor: "000000" });
  const fields = await removal(browser, device);
  expect((await browser.send(path, "remove", { ...fields, password: "not it" })).status).toBe(401);
  const other = await atSignIn();
  expect((await signInWith(other, device.get(await challenge(other), { challenge: "AAAA" }))).status).toBe(
    401,
  );
  expect((await browser.send(path, "remove", await removal(browser, device))).status).toBe(303);
  expect(await subjects(2)).toEqual([added, removed]);
});

it("[OUR-PAS-08] a sign-in in progress ends when its passkey is removed meanwhile", async () => {
  const { device } = await withPasskey();
  const browser = await atSignIn();
  const { db } = service.app;
  const id = await firstPasskey();
  // The passkey was right already, and the session is not there yet.
  const restore = intercept(db, beginSession, async (usual) => {
    await db.write(removePasskey, owner.id, id, "");
    return usual();
  });
  const refused = await signInWith(browser, device.get(await challenge(browser)));
  restore();
  expect([refused.status, await isSignedIn(browser)]).toEqual([401, false]);
  expect(refused.text).toContain("The account changed during this sign-in. Sign in again.");
});

it("[OUR-OAU-13] a person who signed in with a passkey allows a program, and its token works", async () => {
  const { device } = await withPasskey();
  const one = await program(service, owner);
  const visitor = await atSignIn();
  const { location: to } = await one.authorize({}, visitor);
  const asked = await visitor.get(to);
  expect(asked.headers.location).toBe(`/sign-in?${new URLSearchParams({ to })}`);
  const signIn = asked.headers.location ?? "";
  const done = await visitor.send(signIn, "passkey", { passkey: device.get(await challenge(visitor)), to });
  expect([done.status, done.headers.location]).toEqual([303, to]);
  const allowed = await visitor.send(to, "allow", { scope: ["servers:read"] });
  expect(allowed.status).toBe(303);
  const resumed = await visitor.get(allowed.headers.location ?? "");
  const code = new URL(resumed.headers.location ?? "").searchParams.get("code") ?? "";
  const tokens = tokensIn(await one.redeem(code));
  expect((await callTool(service, tokens.access)).status).toBe(200);
});

describe("an export", () => {
  it("[OUR-PAS-10] carries passkeys and recovery codes: after a move the same device signs in at the same address", async () => {
    const { device, codes } = await withPasskey();
    const moved = `sqlite:${join(folder, "moved.db")}`;
    await importInto(moved, await exportOf(source));
    const { port } = service;
    await service.close();
    await serveAgain({ clock: clock.now, smtpUrl: smtp.url, databaseUrl: moved, port });
    const browser = await atSignIn();
    expect((await signInWith(browser, device.get(await challenge(browser)))).status).toBe(303);
    expect(await isSignedIn(browser)).toBe(true);
    const fields = { ...(await removal(browser, device)), second_factor: codes[0] ?? "" };
    expect((await browser.send(path, "remove", fields)).status).toBe(303);
  });
});
