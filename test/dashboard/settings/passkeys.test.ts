import { describe, expect, it } from "vitest";
import { mostPasskeys, passkeyParty } from "../../../src/core/access/passkey.ts";
import { removeAccount } from "../../../src/services/access/remove-account.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { takeSecondFactorOff } from "../../../src/services/access/switch-second-factor.ts";
import { selectPasskeys } from "../../../src/store/access/passkeys.ts";
import { countRecoveryCodes } from "../../../src/store/access/second-factors.ts";
import { authenticator, type Forgery } from "../../support/authenticator.ts";
import { minuteMs } from "../../support/clock.ts";
import { startTestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { textOf } from "../alerts/alerting.ts";
import {
  add,
  atSignIn,
  challenge,
  clock,
  count,
  dataOf,
  hash,
  hiddenIn,
  isSignedIn,
  nextOwner,
  origin,
  owner,
  password,
  path,
  requestIn,
  security,
  service,
  signInWith,
  startWithPeople,
  typePassword,
  withPasskey,
} from "./people.ts";

startWithPeople();

describe("adding a passkey", () => {
  it("[OUR-PAS-01] [OUR-PAS-07] needs the password, keeps nothing before the answer, and shows recovery codes first", async () => {
    const browser = await signedIn(service, owner);
    expect((await browser.send(path, "prepare", { name: "Phone", password: "not it" })).status).toBe(401);
    const first = await add(browser);
    expect([first.done.status, await count()]).toEqual([200, 1]);
    expect([...first.done.text.matchAll(/<code>([A-Z2-9-]{19})<\/code>/g)]).toHaveLength(10);
    expect((await first.send()).status).toBe(401);
    const { text } = await browser.get(path);
    expect(text).toContain("&lt;b>Phone&lt;/b>");
    const second = await add(browser, {
      second_factor: first.device.get(await dataOf(browser, `${path}?data=request`)),
    });
    expect([second.done.status, second.done.headers["location"], await count()]).toEqual([
      303,
      `${path}?after=added`,
      2,
    ]);
    expect(await service.app.db.read(countRecoveryCodes, owner.id)).toBe(10);
  });

  it("[OUR-PAS-04] refuses a forged answer, whatever is wrong with it", async () => {
    const forgeries: readonly Forgery[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { challenge: "AAAA" },
      { type: "webauthn.get" },
      // Nobody was verified.
      { flags: 0x41 },
    ];
    const browser = await signedIn(service, owner);
    for (const forged of forgeries)
      expect([(await add(browser, { forged })).done.status, await count()]).toEqual([401, 0]);
  });

  it("[OUR-PAS-04] refuses an answer after five minutes, of another browser, and of a passkey that is known", async () => {
    const browser = await signedIn(service, owner);
    const device = authenticator(origin);
    const shown = await browser.send(path, "prepare", { name: "Phone", password });
    const fields = {
      name: "Phone",
      sealed: hiddenIn(shown.text, "sealed"),
      passkey: device.create(requestIn(shown.text)),
    };
    const other = await signedIn(service, owner);
    expect((await other.send(path, "add", fields)).status).toBe(401);
    clock.advance(5 * minuteMs);
    expect((await browser.send(path, "add", fields)).status).toBe(401);
    expect((await add(browser, { device })).done.status).toBe(200);
    await nextOwner();
    const stranger = await signedIn(service, owner);
    expect([(await add(stranger, { device })).done.status, await count()]).toEqual([409, 0]);
  });

  it(`[OUR-PAS-01] ends at ${mostPasskeys}`, async () => {
    const { browser, device } = await withPasskey();
    const statuses: number[] = [];
    for (let more = 0; more < mostPasskeys; more += 1) {
      const second_factor = device.get(await dataOf(browser, `${path}?data=request`));
      statuses.push((await add(browser, { second_factor })).done.status);
    }
    expect(statuses.slice(0, -1)).toEqual(Array(mostPasskeys - 1).fill(303));
    expect([statuses.at(-1), await count()]).not.toContain(303);
    expect(await count()).toBe(mostPasskeys);
  });
});

describe("removing a passkey", () => {
  const ask = async (browser: Visitor, device: ReturnType<typeof authenticator>) => ({
    passkey_id: (await service.app.db.read(selectPasskeys, owner.id))[0]?.id ?? "",
    password,
    second_factor: device.get(await dataOf(browser, `${path}?data=request`)),
  });

  it("[OUR-PAS-08] [OUR-PAS-07] needs password and second factor; then the passkey opens nothing, and others are out", async () => {
    const { browser, device } = await withPasskey();
    const other = await atSignIn();
    await signInWith(other, device.get(await challenge(other)));
    const fields = await ask(browser, device);
    for (const wrong of [{ password: "not it" }, { second_factor: "000000" }])
      expect((await browser.send(path, "remove", { ...fields, ...wrong })).status).toBe(401);
    const done = await browser.send(path, "remove", fields);
    expect([done.headers["location"], await count()]).toEqual([`${path}?after=removed`, 0]);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    const late = await atSignIn();
    expect((await signInWith(late, device.get(await challenge(late)))).status).toBe(401);
    expect(await service.app.db.read(countRecoveryCodes, owner.id)).toBe(0);
    await typePassword(late);
    expect(await isSignedIn(late)).toBe(true);
    await service.service.work.run();
    const log = textOf((await browser.get(`${security}/log`)).text);
    for (const words of ["Passkey added", "Passkey removed", "Second factor refused"])
      expect(log).toContain(words);
  });

  it("[OUR-PAS-08] of another account does nothing", async () => {
    await withPasskey();
    const foreign = (await service.app.db.read(selectPasskeys, owner.id))[0]?.id ?? "";
    await nextOwner();
    const { browser, device } = await withPasskey();
    const fields = { ...(await ask(browser, device)), passkey_id: foreign };
    expect((await browser.send(path, "remove", fields)).status).toBe(404);
  });

  it("[OUR-PAS-10] is what the operator's command and the deletion of the account do", async () => {
    const { browser } = await withPasskey();
    const { db } = service.app;
    expect(await db.write(takeSecondFactorOff, owner.id)).toBe(true);
    expect(await db.write(takeSecondFactorOff, owner.id)).toBe(false);
    expect([await isSignedIn(browser), await count()]).toEqual([false, 0]);
    await withPasskey();
    await removeAccount(db, owner.id, clock.now());
    expect(await count()).toBe(0);
  });
});

describe("where passkeys work", () => {
  it.each([
    ["https://tickmark.example", { id: "tickmark.example", origin: "https://tickmark.example" }],
    ["https://tickmark.example:8443", { id: "tickmark.example", origin: "https://tickmark.example:8443" }],
    ["http://127.0.0.1:8080", { id: "localhost", origin: "http://localhost:8080" }],
    ["http://localhost", { id: "localhost", origin: "http://localhost" }],
    ["http://tickmark.example", null],
    ["https://192.0.2.7", null],
    ["https://[2001:db8::7]", null],
  ])("[OUR-PAS-09] %s", (baseUrl, party) => {
    expect(passkeyParty(baseUrl)).toEqual(party);
  });

  it("[OUR-PAS-09] is said on the pages of a service at plain http, which show no button", async () => {
    const plain = await startTestService({ baseUrl: "http://tickmark.example" });
    const account = await plain.account("pro");
    await plain.app.db.write(replacePassword, account.id, hash, null);
    const headers = { host: "tickmark.example" };
    const { text } = await plain.request("GET", "/sign-in", { headers });
    expect(textOf(text)).toContain("Passkeys do not work at this address");
    expect(text).not.toContain("data-passkey");
    await plain.close();
  });
});
