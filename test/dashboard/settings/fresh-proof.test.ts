import { describe, expect, it } from "vitest";
import { isProvenLately, proofLifetimeMs } from "../../../src/core/access/session.ts";
import { allActions } from "../../support/actions.ts";
import { hourMs, minuteMs } from "../../support/clock.ts";
import { receiverReach, startReceiver } from "../../outbound/receiver.ts";
import { visitor, type Visitor } from "../../support/visitor.ts";
import { textOf } from "../alerts/alerting.ts";
import {
  clock,
  dataOf,
  hiddenIn,
  owner,
  password,
  path as passkeys,
  service,
  startWithPeople,
  typePassword,
  withPasskey,
} from "./people.ts";

const notifications = "/settings/notifications";
startWithPeople(async () => ({ reach: receiverReach }));

/** The owner's browser, in which nothing was typed since the sign-in sixteen minutes ago. */
async function leftOpen(): Promise<Visitor> {
  const browser = visitor(service);
  await typePassword(browser);
  clock.advance(16 * minuteMs);
  return browser;
}

/** The fields of a page's form that this page shows anew. */
const waiting = (html: string, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(["confirms_person", ...names].map((name) => [name, hiddenIn(html, name)]));

const title = "Confirm that it is you";

describe("a signed-in browser that somebody borrows", () => {
  it("[OUR-SES-26] is asked for the password before it sets a webhook, and what was typed is sent with it", async () => {
    const hook = await startReceiver();
    const url = `https://hooks.test.example:${hook.port}/<b>quiet</b>`;
    const another = visitor(service);
    await typePassword(another);
    const browser = await leftOpen();
    const asked = await browser.send(notifications, "set-webhook", { url });
    expect([asked.status, textOf(asked.text)]).toEqual([401, expect.stringContaining(title)]);
    expect(textOf(asked.text)).toContain("more than 15 minutes ago. Nothing was changed yet.");
    expect(textOf((await browser.get(notifications)).text)).toContain("No webhook is set. A webhook gets");
    const fields = {
      confirms_person: "yes",
      url: hiddenIn(asked.text, "url").replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    };
    expect(fields.url).toBe(url);
    const wrong = await browser.send(notifications, "set-webhook", { ...fields, password: "not it" });
    expect([wrong.status, textOf(wrong.text)]).toEqual([401, expect.stringContaining(title)]);
    expect(textOf(wrong.text)).toContain("The password is wrong, and nothing was changed.");
    expect(hiddenIn(wrong.text, "url")).toBe(hiddenIn(asked.text, "url"));
    expect(textOf((await browser.get(notifications)).text)).toContain("No webhook is set. A webhook gets");
    const made = await browser.send(notifications, "set-webhook", { ...fields, password });
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('<code id="secret">')]);
    // The proof holds for a while, and for this browser alone.
    expect((await browser.send(notifications, "rotate-webhook")).status).toBe(200);
    expect((await another.send(notifications, "remove-webhook")).status).toBe(401);
    clock.advance(14 * minuteMs);
    expect((await browser.send(notifications, "remove-webhook")).status).toBe(303);
    clock.advance(2 * minuteMs);
    expect((await browser.send(notifications, "remove-webhook")).status).toBe(401);
    await hook.close();
  });

  it("[OUR-SES-26] is shown the page's own refusal after the proof", async () => {
    const browser = await leftOpen();
    const form = { confirms_person: "yes", password };
    const refused = await browser.send(notifications, "rotate-webhook", form);
    expect([refused.status, textOf(refused.text)]).toEqual([
      409,
      expect.stringContaining("No webhook is set. Set its address first."),
    ]);
    expect(textOf(refused.text)).not.toContain(title);
  });

  it("[OUR-SES-26] unlinks and deletes no server", async () => {
    const server = (await service.server(owner)).id;
    const browser = await leftOpen();
    const settings = `/servers/${server}/settings`;
    for (const action of ["unlink", "delete"]) {
      const asked = await browser.send(settings, action, { sure: "on" });
      expect([asked.status, textOf(asked.text)]).toEqual([401, expect.stringContaining(title)]);
      expect((await browser.get(settings)).status).toBe(200);
    }
    const asked = await browser.send(settings, "unlink", { sure: "on" });
    const gone = await browser.send(settings, "unlink", { ...waiting(asked.text, "sure"), password });
    expect([gone.status, gone.headers["location"]]).toEqual([303, "/servers"]);
    expect((await browser.get(settings)).status).toBe(404);
  });

  it("[OUR-SES-26] [OUR-PAS-03] needs the second factor as well, or a passkey alone", async () => {
    const { browser, device } = await withPasskey();
    clock.advance(16 * minuteMs);
    const send = (more: Record<string, string>) =>
      browser.send(notifications, "own-email", { confirms_person: "yes", ...more });
    const asked = await browser.send(notifications, "own-email");
    expect(asked.text).toContain('data-passkey="get"');
    for (const wrong of [
      { password },
      { password: "", second_factor: "" },
      { password: "", second_factor: "{}" },
      { password: "", second_factor: "000000" },
      { password: "not it", second_factor: device.get(await dataOf(browser, `${passkeys}?data=request`)) },
    ])
      expect((await send(wrong)).status).toBe(401);
    const second_factor = device.get(await dataOf(browser, `${passkeys}?data=request`));
    expect((await send({ second_factor })).status).toBe(303);
    expect((await browser.send(notifications, "own-email")).status).toBe(303);
  });

  it("[OUR-SES-26] without a second factor is not let on by the form of a passkey's answer", async () => {
    const browser = await leftOpen();
    const sent = { confirms_person: "yes", password: "", second_factor: '{"id":"x"}' };
    expect((await browser.send(notifications, "own-email", sent)).status).toBe(401);
    expect((await browser.send(notifications, "own-email")).status).toBe(401);
  });
});

describe("the proof", () => {
  it("[OUR-SES-26] is asked for by these calls", async () => {
    const asking = [...(await allActions()).values()].filter(({ freshProof }) => freshProof);
    expect(asking.map(({ id }) => id).toSorted()).toEqual([
      "notifications.rotate_webhook_secret",
      "notifications.set_chat",
      "notifications.set_email",
      "notifications.set_webhook",
      "servers.delete",
      "servers.unlink",
    ]);
  });

  it("[OUR-SES-26] ends after a quarter of an hour, and a clock that was set back lengthens none", () => {
    const now = clock.now();
    const isFresh = (ageMs: number): boolean => isProvenLately({ provenAt: now - ageMs }, now);
    expect([0, proofLifetimeMs, -minuteMs + 1].map(isFresh)).toEqual([true, true, true]);
    expect([proofLifetimeMs + 1, now, -minuteMs, -hourMs].map(isFresh)).toEqual([false, false, false, false]);
  });
});
