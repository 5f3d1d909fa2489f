import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openBodyLimit } from "../../../src/contract/limits/body-limits.ts";
import { changeRole } from "../../../src/services/access/change-role.ts";
import { selectPasskeys } from "../../../src/store/access/passkeys.ts";
import { authenticator, type Forgery } from "../../support/authenticator.ts";
import { minuteMs } from "../../support/clock.ts";
import { signedIn, visitor } from "../../support/visitor.ts";
import { textOf } from "../alerts/alerting.ts";
import {
  add,
  atSignIn,
  challenge,
  clock,
  count,
  dataOf,
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
} from "../settings/people.ts";

startWithPeople();

describe("signing in with a passkey", () => {
  it("[OUR-PAS-02] takes no password, and leads to the account", async () => {
    const { device } = await withPasskey();
    const browser = await atSignIn();
    const request = await challenge(browser);
    expect(request.options.allowCredentials).toEqual([]);
    const done = await signInWith(browser, device.get(request));
    expect([done.status, done.headers["location"]]).toEqual([303, "/servers"]);
    expect((await browser.get("/settings")).text.replaceAll("<wbr/>", "")).toContain(owner.email);
    expect((await service.app.db.read(selectPasskeys, owner.id))[0]?.lastUsedAt).toBe(clock.now());
  });

  it("[OUR-PAS-11] takes the longest answer that a device may give", async () => {
    const device = authenticator(origin, {
      idBytes: 1023,
      rsaBits: 2048,
      more: "do not compare clientDataJSON against a template. See https://goo.gl/yabPex",
    });
    expect((await add(await signedIn(service, owner), { device })).done.status).toBe(200);
    const browser = await atSignIn();
    const passkey = device.get(await challenge(browser));
    const to = `/oauth/consent?request=${"x".repeat(1500)}`;
    const sentBytes = new URLSearchParams({ do: "passkey", to, passkey }).toString().length;
    console.log(`a form of ${sentBytes} bytes, of which the answer is ${passkey.length}`);
    expect(sentBytes).toBeGreaterThan(openBodyLimit);
    const done = await browser.send("/sign-in", "passkey", { passkey, to });
    expect([done.status, done.headers["location"]]).toEqual([303, to]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("[OUR-PAS-04] refuses a forged answer, whatever is wrong with it", async () => {
    const forgeries: readonly Forgery[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { challenge: "AAAA" },
      { type: "webauthn.create" },
      // Nobody was verified; nobody was present.
      { flags: 0x01 },
      { flags: 0x04 },
      { key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey },
      // The handle of another account.
      { userHandle: "AAAA" },
    ];
    const { device } = await withPasskey();
    const browser = await atSignIn();
    for (const forged of forgeries) {
      const refused = await signInWith(browser, device.get(await challenge(browser), forged));
      expect([refused.status, await isSignedIn(browser)]).toEqual([401, false]);
    }
    // Nothing of the refused answers is left over.
    await signInWith(browser, device.get(await challenge(browser)));
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("[OUR-PAS-04] refuses an answer twice, late, from another browser, and to a challenge for something else", async () => {
    const { device } = await withPasskey();
    const [one, other] = [await atSignIn(), await atSignIn()];
    const answer = device.get(await challenge(one));
    expect((await signInWith(other, answer)).status).toBe(401);
    expect((await signInWith(one, answer)).status).toBe(303);
    one.cookies.delete("tickmark");
    expect((await signInWith(one, answer)).status).toBe(401);
    const late = device.get(await challenge(other));
    clock.advance(5 * minuteMs);
    expect((await signInWith(other, late)).status).toBe(401);
    const asSecondStep = device.get(requestIn((await typePassword(other)).text));
    expect((await signInWith(other, asSecondStep)).status).toBe(401);
    for (const passkey of ["", "{", "{}", "123456", "x".repeat(2000)])
      expect((await signInWith(other, passkey)).status).toBe(401);
    expect(await isSignedIn(other)).toBe(false);
  });

  it("[OUR-PAS-04] refuses one of two answers to a challenge that come at one moment", async () => {
    const { device } = await withPasskey();
    const browser = await atSignIn();
    const request = await challenge(browser);
    const answers = [device.get(request), device.get(request)];
    const both = await Promise.all(answers.map((answer) => signInWith(browser, answer)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 401]);
  });

  it("[OUR-PAS-05] refuses a signature whose count did not grow", async () => {
    const { device } = await withPasskey();
    const browser = await atSignIn();
    expect((await signInWith(browser, device.get(await challenge(browser), { counter: 50 }))).status).toBe(
      303,
    );
    browser.cookies.delete("tickmark");
    for (const counter of [50, 49, 0])
      expect((await signInWith(browser, device.get(await challenge(browser), { counter }))).status).toBe(401);
    expect((await signInWith(browser, device.get(await challenge(browser), { counter: 51 }))).status).toBe(
      303,
    );
  });

  it("[OUR-PAS-06] looks at ten wrong answers in a quarter of an hour, whether somebody has the passkey or not", async () => {
    const { device } = await withPasskey();
    const browser = await atSignIn();
    for (const used of [device, authenticator(origin)]) {
      for (let tried = 0; tried < 10; tried += 1) {
        const wrong = used.get(await challenge(browser), { challenge: "AAAA" });
        expect((await signInWith(browser, wrong)).status).toBe(401);
      }
      expect((await signInWith(browser, used.get(await challenge(browser)))).status).toBe(429);
    }
    clock.advance(15 * minuteMs);
    await signInWith(browser, device.get(await challenge(browser)));
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("[OUR-PAS-02] lets nobody in to a suspended account", async () => {
    const { device } = await withPasskey();
    await service.app.db.write(changeRole, owner.id, "suspended", Date.now());
    const browser = await atSignIn();
    const refused = await signInWith(browser, device.get(await challenge(browser)));
    expect([refused.status, textOf(refused.text).includes("suspended")]).toEqual([401, true]);
  });
});

describe("a passkey as the second factor", () => {
  it("[OUR-PAS-03] is what a right password still needs; the passkey of another account does not do", async () => {
    const other = owner;
    const { device: foreign } = await withPasskey();
    await nextOwner();
    expect(owner.id).not.toBe(other.id);
    const { device, codes } = await withPasskey();
    const browser = visitor(service);
    const step = await typePassword(browser);
    expect([step.status, await isSignedIn(browser)]).toEqual([200, false]);
    const request = requestIn(step.text);
    expect(request.options.allowCredentials).toHaveLength(1);
    const send = (second_factor: string, from = browser) =>
      from.send("/sign-in", "second_factor", {
        password_step: hiddenIn(step.text, "password_step"),
        second_factor,
      });
    const stranger = await atSignIn();
    expect((await send(device.get(request), stranger)).status).toBe(401);
    for (const wrong of [foreign.get(request), device.get(request, { origin: "https://evil.example" }), ""])
      expect((await send(wrong)).status).toBe(401);
    expect(await isSignedIn(browser)).toBe(false);
    const refused = await send("000000");
    await send(device.get(requestIn(refused.text)));
    expect(await isSignedIn(browser)).toBe(true);
    const lost = visitor(service);
    const again = await typePassword(lost);
    await lost.send("/sign-in", "second_factor", {
      password_step: hiddenIn(again.text, "password_step"),
      second_factor: codes[0] ?? "",
    });
    expect(await isSignedIn(lost)).toBe(true);
  });

  it("[OUR-PAS-03] confirms tokens, the password, the address, and the deletion of the account", async () => {
    const { browser, device } = await withPasskey();
    const forms: readonly (readonly [page: string, action: string, fields: Record<string, string>])[] = [
      [security, "create", { name: "T", expires_in_days: "9", scopes: "servers:read" }],
      ["/settings", "change_email", { email: `new-${owner.id}@example.org`, password }],
      ["/settings", "change_password", { password, new_password: password }],
      [`${security}/second-factor`, "prepare", { password }],
      [`${security}/second-factor`, "renew", { password }],
      ["/settings/delete-account", "delete", { password }],
    ];
    for (const [page, action, fields] of forms) {
      clock.advance(15 * minuteMs);
      expect((await browser.get(page)).text).toContain(`id="${action}-second_factor"`);
      const request = await dataOf(browser, `${path}?data=request`);
      for (const second_factor of ["", "000000", device.get(request, { challenge: "AAAA" })])
        expect((await browser.send(page, action, { ...fields, second_factor })).status).toBe(401);
      const done = await browser.send(page, action, { ...fields, second_factor: device.get(request) });
      expect([action, done.status < 400]).toEqual([action, true]);
    }
    expect(await count()).toBe(0);
  });
});
