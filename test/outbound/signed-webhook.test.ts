import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { PostedAlert } from "../../src/core/alert/posted-alert.ts";
import type { Sending } from "../../src/core/notice/sending.ts";
import { webhookEvent } from "../../src/core/notice/webhook-event.ts";
import { mostSecrets } from "../../src/core/notice/webhook-secrets.ts";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { notifier } from "../../src/outbound/notifier.ts";
import { publicReach, type Reach } from "../../src/outbound/reach.ts";
import { certificate, lag, startReceiver, watchConnections, type Receiver } from "./receiver.ts";

const here: Reach = {
  resolve: async () => ["127.0.0.1"],
  isAllowed: (address) => address === "127.0.0.1",
  authority: certificate,
};
const mailFrom = { name: "", address: "tickmark@localhost" };
const baseUrl = (): string => "https://tickmark.example";
const { post } = notifier({ smtpUrl: null, baseUrl, mailFrom, reach: here });
const noon = Date.UTC(2026, 10, 20, 12, 0, 0, 900);
const secrets = Array.from({ length: mostSecrets }, () => systemSecrets().newWebhookSecret());
const [secret = "", old = ""] = secrets;

const facts: PostedAlert = {
  alert: {
    id: "019a9f5e-1d00-7000-8000-000000000061",
    kind: "threshold",
    server_id: "019a9f5e-1d00-7000-8000-000000000010",
    server_state: "running",
    rule_id: "019a9f5e-1d00-7000-8000-000000000060",
    metric: "tps",
    condition: "below",
    threshold: 18,
    duration_minutes: 5,
    value: 14.2,
    worst_value: 14.2,
    opened_at: "2026-11-20T12:00:00.000Z",
    resolved_at: null,
    resolution_reason: null,
    event: null,
  },
  names: { server_name: "Lobby é 💾 \u2028", rule_name: "Low TPS", event_type: null, event_title: null },
};
const sending: Sending = {
  id: "019a9f5e-1d00-7000-8000-0000000000d1",
  purpose: "opened",
  message: { ...lag, link: "/alerts/1" },
  postedAlert: facts,
  queuedAt: noon - 5000,
  now: noon,
};

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = (response) => void response.writeHead(204).end();
});

const target = (port = receiver.port) => ({
  url: `https://hooks.test.example:${port}/hook?x=1`,
  secrets: [secret, old],
});
const newest = () => {
  const request = receiver.received.at(-1);
  if (!request) throw new Error("Nothing came.");
  return { ...request, headers: request.headers as Record<string, string> };
};

/** What the independent package says of the newest request, with its clock at `now`. */
function checked(by: string, now: number): unknown {
  const clock = vi.spyOn(Date, "now").mockReturnValue(now);
  try {
    const { text, headers } = newest();
    return new Webhook(by).verify(text, headers);
  } finally {
    clock.mockRestore();
  }
}

it("[OUR-WHK-01] an event carries signatures that the independent package accepts, by either secret and by no other", async () => {
  expect(await post(target(), webhookEvent(sending), sending.id, noon)).toEqual({ status: "sent" });
  const { method, path, headers } = newest();
  expect([method, path, headers["content-type"]]).toEqual(["POST", "/hook?x=1", "application/json"]);
  const event = {
    type: "alert.opened",
    version: 1,
    timestamp: "2026-11-20T11:59:55.900Z",
    data: {
      url: "https://tickmark.example/alerts/1",
      alert: facts.alert,
      third_party_text: { title: lag.title, lines: lag.lines, ...facts.names },
    },
  };
  expect([checked(secret, noon), checked(old, noon)]).toEqual([event, event]);
  expect(() => checked(secrets[2] ?? "", noon)).toThrow("No matching signature");
  expect(() => checked(secret, noon + 6 * 60_000)).toThrow("too old");
});

it("[OUR-WHK-02] every attempt has the id and the body of the first, and the time of its own", async () => {
  receiver.answer = (response) => void response.writeHead(503).end();
  await post(target(), webhookEvent(sending), sending.id, noon);
  const first = newest();
  await post(target(), webhookEvent({ ...sending, now: noon + 90_000 }), sending.id, noon + 90_000);
  const second = newest();
  expect([second.text, second.headers["webhook-id"]]).toEqual([first.text, sending.id]);
  expect(second.headers["webhook-signature"]).not.toBe(first.headers["webhook-signature"]);
  expect([first, second].map(({ headers }) => Number(headers["webhook-timestamp"]))).toEqual([
    Math.floor(noon / 1000),
    Math.floor(noon / 1000) + 90,
  ]);
  expect(checked(secret, noon + 90_000)).toMatchObject({ type: "alert.opened" });
});

it("[OUR-WHK-03] a secret is 32 random bytes in base64 behind whsec_", () => {
  expect(new Set(secrets).size).toBe(mostSecrets);
  for (const each of secrets) {
    expect(each).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(each.slice(6), "base64")).toHaveLength(32);
  }
});

it("[OUR-WHK-07] has names in third_party_text alone, and is at most 32 KiB long with the longest ones", async () => {
  const names = {
    server_name: "\u{e0041}".repeat(80),
    rule_name: "\u0001".repeat(80),
    event_type: "\u2028".repeat(64),
    event_title: "\u0002".repeat(500),
  };
  // A digest has 6,000 characters at most [OUR-DIG-18]; three bytes are the most of one.
  const lines = Array.from({ length: 60 }, () => "\u2060".repeat(100));
  const message = { title: "é".repeat(400), lines, link: "/digest", tone: "info" } as const;
  const event = webhookEvent({ ...sending, message, postedAlert: { ...facts, names } });
  await post({ ...target(), secrets }, event, sending.id, noon);
  expect(Buffer.byteLength(newest().text)).toBeLessThanOrEqual(32 * 1024);
  const { third_party_text: texts, ...rest } = event.data;
  expect(texts).toEqual({ title: message.title, lines, ...names });
  for (const text of [...Object.values(names), message.title, lines[0] ?? ""])
    expect(JSON.stringify({ ...event, data: rest })).not.toContain(JSON.stringify(text).slice(1, -1));
});

it("[OUR-WHK-08] goes to no address inside, follows no redirect, and says when to try again, as chat does", async () => {
  const watch = watchConnections();
  try {
    const strict = notifier({ smtpUrl: null, baseUrl, mailFrom });
    expect(publicReach.authority).toBeUndefined();
    for (const url of [
      "https://127.0.0.1:4443/",
      "https://[::1]/",
      "http://hooks.test.example/",
      "https://a:b@x.example/",
    ])
      expect(await strict.post({ ...target(), url }, webhookEvent(sending), sending.id, noon)).toMatchObject({
        status: "failed",
        reason: "provider_error",
      });
    expect(watch.targets).toEqual([]);
  } finally {
    watch.stop();
  }
  for (const [status, again, reason] of [
    [302, "later", "provider_error"],
    [410, "never", "provider_error"],
    [425, "later", "provider_error"],
    [429, "later", "rate_limited"],
    [500, "later", "provider_error"],
  ] as const) {
    receiver.answer = (response) =>
      void response.writeHead(status, { "retry-after": "90", location: "https://127.0.0.2/" }).end();
    const result = await post(target(), webhookEvent(sending), sending.id, noon);
    expect(result).toMatchObject({ status: "failed", again, reason, retryAfterMs: 90_000 });
    expect(JSON.stringify(result)).not.toMatch(/hooks\.test|whsec|hook/);
  }
  receiver.answer = (response) => void response.socket?.destroy();
  expect(await post(target(), webhookEvent(sending), sending.id, noon)).toMatchObject({ again: "unknown" });
});
