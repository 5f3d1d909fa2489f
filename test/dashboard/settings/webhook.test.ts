import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { mostSecrets } from "../../../src/core/notice/webhook-secrets.ts";
import { recipientOf } from "../../../src/store/notice/recipients.ts";
import { receiverReach, startReceiver, type Receiver } from "../../outbound/receiver.ts";
import { roomyPlans } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { alertPages, idAfter, textOf, type AlertPages } from "../alerts/alerting.ts";

const path = "/settings/notifications";
const hour = 3_600_000;
let hook: Receiver;
let scene: AlertPages;

beforeAll(async () => {
  hook = await startReceiver();
  scene = await alertPages({
    plans: roomyPlans,
    reach: receiverReach,
  });
});
afterAll(async () => {
  expect(scene.service.defects).toEqual([]);
  await scene.service.close();
  await hook.close();
});
beforeEach(() => {
  hook.received.length = 0;
  hook.answer = (response) => void response.writeHead(204).end();
});

const address = (host = "hooks.test.example"): string => `https://${host}:${hook.port}/quiet-path`;
const person = async (): Promise<Visitor> => signedIn(scene.service, await scene.service.account("pro"));
const shown = async ({ get }: Visitor): Promise<string> => textOf((await get(path)).text);
const secretIn = (html: string): string =>
  textOf(/<code id="secret">([^<]*)</.exec(html)?.[1]?.replaceAll("&#43;", "+") ?? "");

/** Whether a secret signed the newest request, by the package that is not ours. */
function signs(secret: string): boolean {
  const { text = "", headers = {} } = hook.received.at(-1) ?? {};
  const clock = vi.spyOn(Date, "now").mockReturnValue(scene.clock.now);
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    clock.mockRestore();
  }
}

const tested = async (visitor: Visitor): Promise<string> => {
  // Tests are limited to five in ten minutes.
  scene.clock.now += 10 * 60_000;
  return textOf((await visitor.send(path, "test", { channel: "webhook" })).text);
};

it("[OUR-WHK-03] [OUR-WHK-08] shows its secret once and its host alone, and refuses what chat refuses", async () => {
  const visitor = await person();
  expect(await tested(visitor)).toContain("skipped Not sent: no signed webhook is set");
  const refused = await visitor.send(path, "set-webhook", { url: address("inner.test.example") });
  expect([refused.status, textOf(refused.text)]).toEqual([
    400,
    expect.stringContaining("its name was not found, or it is not on the public internet"),
  ]);
  const made = await visitor.send(path, "set-webhook", { url: address() });
  const secret = secretIn(made.text);
  expect(secret).toMatch(/^whsec_/);
  const later = await shown(visitor);
  expect(later).toContain(`Events are posted to hooks.test.example:${hook.port} :`);
  expect(later).not.toContain(secret.slice(6));
  expect(later).not.toContain("quiet-path");
  expect(await tested(visitor)).toContain("Webhook, test message: sent E-mail ");
  expect(signs(secret)).toBe(true);
  expect(hook.received.at(-1)?.body).toMatchObject({ type: "test", data: { alert: null } });
});

it("[OUR-WHK-03] keeps address and secret sealed", async () => {
  const account = await scene.service.account("pro");
  const visitor = await signedIn(scene.service, account);
  const secret = secretIn((await visitor.send(path, "set-webhook", { url: address() })).text);
  const stored = (await scene.service.app.db.read(recipientOf, account.id))?.settings;
  expect(stored).toMatchObject({
    sealedWebhook: expect.any(String),
    sealedWebhookSecrets: expect.any(String),
  });
  for (const part of [secret.slice(6, 20), "quiet-path", "hooks.test"])
    expect(JSON.stringify(stored)).not.toContain(part);
});

it("[OUR-WHK-04] signs by the old secret too for 24 hours after a new one was made", async () => {
  const visitor = await person();
  const first = secretIn((await visitor.send(path, "set-webhook", { url: address() })).text);
  const second = secretIn((await visitor.send(path, "rotate-webhook")).text);
  const rotatedAt = scene.clock.now;
  expect(new Set([first, second]).size).toBe(2);
  expect(await shown(visitor)).toContain("A replaced secret also signs until it ends in 24 h .");
  scene.clock.now = rotatedAt + 24 * hour - 10 * 60_000 - 1;
  await tested(visitor);
  expect([signs(first), signs(second)]).toEqual([true, true]);
  scene.clock.now = rotatedAt + 24 * hour - 10 * 60_000;
  await tested(visitor);
  expect([signs(first), signs(second)]).toEqual([false, true]);
  expect(await shown(visitor)).not.toContain("also signs until it ends");
});

it("[OUR-WHK-04] has at most five secrets at once, all of which sign", async () => {
  const visitor = await person();
  const secrets = [secretIn((await visitor.send(path, "set-webhook", { url: address() })).text)];
  while (secrets.length < mostSecrets)
    secrets.push(secretIn((await visitor.send(path, "rotate-webhook")).text));
  const refused = await visitor.send(path, "rotate-webhook");
  expect([refused.status, textOf(refused.text)]).toEqual([
    409,
    expect.stringContaining("5 secrets sign already."),
  ]);
  await tested(visitor);
  expect(secrets.map(signs)).toEqual([true, true, true, true, true]);
});

it("[OUR-WHK-05] keeps its secret at another address, and none after it was removed", async () => {
  const visitor = await person();
  const rotated = await visitor.send(path, "rotate-webhook");
  expect([rotated.status, textOf(rotated.text)]).toEqual([
    409,
    expect.stringContaining("No webhook is set."),
  ]);
  const first = secretIn((await visitor.send(path, "set-webhook", { url: address() })).text);
  expect((await visitor.send(path, "set-webhook", { url: address("127.0.0.1") })).status).toBe(303);
  await tested(visitor);
  expect([hook.received.at(-1)?.headers.host, signs(first)]).toEqual([`127.0.0.1:${hook.port}`, true]);
  expect((await visitor.send(path, "remove-webhook")).status).toBe(303);
  expect(await shown(visitor)).toContain("No webhook is set. A webhook gets every alert");
  const next = secretIn((await visitor.send(path, "set-webhook", { url: address() })).text);
  await tested(visitor);
  expect([signs(first), signs(next)]).toEqual([false, true]);
});

it("[OUR-WHK-06] gets an alert of a rule without channels, and its end, and the alert's page says so", async () => {
  const { visitor, rules, beats, service, owner } = scene;
  const rule = { metric: "tps", name: "Low", condition: "below", threshold: "18", duration_minutes: "0" };
  await visitor.send(`${rules}?metric=tps`, "create-rule", { ...rule, cooldown_minutes: "0" });
  const token = await service.token(owner);
  const newest = async () => {
    const { data } = JSON.parse((await service.request("GET", "/api/v1/alert-events", { token })).text);
    return data[0];
  };
  await beats(1, { tps: 3 });
  expect((await newest()).delivery.webhook).toBeNull();
  await beats(3, { tps: 20 });
  expect(hook.received).toEqual([]);

  const browser = await signedIn(service, owner);
  const secret = secretIn((await browser.send(path, "set-webhook", { url: address() })).text);
  await beats(1, { tps: 3 });
  expect(signs(secret)).toBe(true);
  const opened = await newest();
  expect(hook.received.map(({ body }) => body)).toMatchObject([
    {
      type: "alert.opened",
      data: {
        alert: { id: opened.id, metric: "tps", threshold: 18, value: 3, resolved_at: null },
        third_party_text: { server_name: "Lobby", rule_name: "Low" },
      },
    },
  ]);
  expect(opened).toMatchObject({ notified: true, delivery: { webhook: { status: "sent", attempts: 1 } } });
  await beats(3, { tps: 20 });
  expect(hook.received.at(-1)?.body).toMatchObject({
    type: "alert.resolved",
    data: { alert: { id: opened.id, resolution_reason: "recovered" } },
  });
  const page = textOf((await visitor.get(`/alerts/${opened.id}`)).text);
  expect(page).toContain("Webhook sent 4 min ago");

  hook.received.length = 0;
  const ruleId = idAfter((await visitor.get(rules)).text, "edit=");
  const test = await service.request("POST", `/api/v1/alert-rules/${ruleId}/test`, { token });
  expect([test.status, JSON.parse(test.text).delivery.webhook, hook.received]).toEqual([200, null, []]);
});

it("[OUR-SND-07] [OUR-SND-04] a person names the second channel, and the alert's page shows what it did", async () => {
  const { service, beats, owner } = scene;
  const visitor = await signedIn(service, owner);
  await visitor.send(path, "set-webhook", { url: address() });
  await visitor.send(path, "set-chat", { url: address() });
  const chosen = async (): Promise<string> =>
    /<option[^>]*\bselected\b[^>]*>([^<]*)</.exec((await visitor.get(path)).text)?.[1] ?? "";
  expect(await chosen()).toBe("None");
  expect((await visitor.send(path, "set-second", { channel: "pigeon" })).status).toBe(400);
  expect((await visitor.send(path, "set-second", { channel: "chat" })).status).toBe(303);
  expect(await chosen()).toBe("Chat");
  // The webhook refuses its events for good; the chat, which has the form of Slack, takes its messages.
  const bodies: string[] = [];
  hook.answer = (response) => {
    const text = hook.received.at(-1)?.text ?? "";
    bodies.push(text);
    void response.writeHead(text.includes('"version"') ? 410 : 204).end();
  };
  await beats(1, { tps: 3 });
  const token = await service.token(owner);
  const { data } = JSON.parse((await service.request("GET", "/api/v1/alert-events", { token })).text);
  expect(data[0].delivery).toMatchObject({
    webhook: { status: "failed", attempts: 1 },
    second: { channel: "chat", status: "sent", attempts: 1 },
  });
  expect(bodies.at(-1)).toContain("Low on Lobby");
  const page = textOf((await visitor.get(`/alerts/${data[0].id}`)).text);
  expect(page).toContain("Notified by: Chat, as second channel.");
  expect(page).toContain("Webhook failed Given up after one attempt: the webhook refused the event");
  expect(page).toContain("Chat, as second channel sent 30 s ago");
  expect((await visitor.send(path, "set-second", { channel: "" })).status).toBe(303);
  expect(await chosen()).toBe("None");
});
