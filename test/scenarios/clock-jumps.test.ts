import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMail, startMailServer, type MailServer } from "../outbound/mail-server.ts";
import { dayMs, handClock, hourMs, minuteMs, secondMs } from "../support/clock.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type Json,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";
import { Findings } from "./plausible.ts";
import { isLong } from "../support/long.ts";

const clock = handClock();
const findings = new Findings();
let mail: MailServer;
let app: TestService;
let server: LinkedServer;
let token: string;
let ruleId: string;

beforeAll(async () => {
  mail = await startMailServer();
  app = await startTestService({ clock: clock.now, plans: roomyPlans, smtpUrl: mail.url });
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

async function ask(method: string, path: string, body?: Json): Promise<Answer> {
  const answer = await app.request(method, `/api/v1${path}`, { token, ...(body && { body }) });
  findings.look(`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "ID")}`, answer, clock.now());
  expect([answer.status < 500, answer.text]).toEqual([true, answer.text]);
  return answer;
}

async function beat(tps: number): Promise<void> {
  const sent_at = new Date(clock.now()).toISOString();
  const sample = { sampled_at: sent_at, tps, mspt: 20 };
  const body = { sent_at, boot_timestamp: "2026-11-20T06:00:00.000Z", plugin_version: "1.10.2", sample };
  const { json } = await app.request("POST", "/plugin/v1/heartbeat", { token: server.credential, body });
  expect(json["accepted"]).toBe(true);
  findings.fresh((await ask("GET", `/servers/${server.id}/status`)).json, clock.now());
}

/** Half-minutes in which the server ticks so fast, and the service does what is due. */
async function beats(count: number, tps: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    clock.advance(30 * secondMs);
    await beat(tps);
    await app.service.work.run();
  }
}

const actions = {
  bad: () => beat(5),
  good: () => beat(20),
  silence: async () => {},
  mute: () => ask("PATCH", `/alert-rules/${ruleId}`, { mute_minutes: 60 }),
  unmute: () => ask("PATCH", `/alert-rules/${ruleId}`, { mute_minutes: 0 }),
  maintain: () => ask("POST", `/servers/${server.id}/maintenance`, { duration_minutes: 60 }),
  end: () => ask("POST", `/servers/${server.id}/maintenance/end`),
  test: () => ask("POST", `/alert-rules/${ruleId}/test`),
  acknowledge: async () => {
    const [alert] = rowsOf(await ask("GET", "/alert-events?status=open"));
    if (alert) await ask("POST", `/alert-events/${String(alert["id"])}/acknowledge`);
  },
  report: async () => {
    const event = { local_id: `e${clock.now()}`, type: "ban", category: "moderation", source: "x" };
    const events = [
      { ...event, severity: "info", title: "x", timestamp: new Date(clock.now()).toISOString() },
    ];
    await app.request("POST", "/plugin/v1/events", { token: server.credential, body: { events } });
  },
} satisfies Record<string, () => Promise<unknown>>;
type Action = keyof typeof actions;

async function lookAtEverything(): Promise<void> {
  for (const path of [
    `/servers/${server.id}/status`,
    "/monitoring/overview",
    `/servers/${server.id}/maintenance`,
    `/servers/${server.id}/alert-rules`,
    `/servers/${server.id}/events`,
    "/alert-events",
    "/token",
  ])
    await ask("GET", path);
}

const jump = fc.constantFrom(
  0,
  0,
  -dayMs,
  dayMs,
  -5 * minuteMs,
  5 * minuteMs,
  -90 * secondMs,
  301 * secondMs,
);
const steps = fc.array(
  fc.record({
    jump,
    action: fc.constantFrom(...(Object.keys(actions) as Action[])),
    beats: fc.nat({ max: 3 }),
  }),
  { minLength: 6, maxLength: 14 },
);

/** A server of a new owner, with a rule that is told by mail. */
async function newcomer(): Promise<void> {
  const owner = await app.account("pro");
  token = await app.token(owner, undefined, { expiresAt: clock.now() + 100 * dayMs });
  server = await app.server(owner, { name: "Survival" });
  const limits = {
    metric: "tps",
    condition: "below",
    threshold: 18,
    duration_minutes: 1,
    cooldown_minutes: 30,
  };
  const rule = { name: "Low TPS", ...limits, notify_email: true };
  ruleId = String((await ask("POST", `/servers/${server.id}/alert-rules`, rule)).json["id"]);
}

const newest = async (): Promise<Json | undefined> => rowsOf(await ask("GET", "/alert-events?limit=1"))[0];

describe("a service whose clock is set at any moment", () => {
  it("[OUR-PRC-08] tells no negative number and no window without an end, and goes on raising alerts", async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        await newcomer();
        for (const { jump, action, beats: count } of taken) {
          clock.advance(jump);
          await actions[action]();
          await app.service.work.run();
          await lookAtEverything();
          await beats(count, count % 2 === 0 ? 20 : 5);
        }
        await settles();
        runs += 1;
      }),
      { numRuns: isLong ? 12 : 4 },
    );
    const stuck = findings.endless.length;
    console.log(
      `clock set at will, over REST: ${runs} runs, ${findings.answers} answers, ` +
        `negative ages and numbers ${findings.negative.length}, endless windows ${stuck}`,
    );
    expect([findings.negative, findings.endless]).toEqual([[], []]);
    expect(app.defects).toEqual([]);
  });
});

describe("a clock that was two days ahead for a moment, and is right again,", () => {
  /** What happens while it is ahead. */
  async function daysAhead<T>(happens: () => Promise<T>): Promise<T> {
    clock.advance(2 * dayMs);
    const done = await happens();
    clock.advance(-2 * dayMs);
    return done;
  }
  const group = async (name: string) =>
    app.request("POST", "/api/v1/server-groups", {
      token,
      body: { name },
      headers: { "idempotency-key": "k" },
    });

  it("[OUR-PRC-08] leaves no key of a creation taken, and makes nothing twice when it was set back by less", async () => {
    await newcomer();
    expect((await daysAhead(() => group("A"))).status).toBe(201);
    expect((await group("B")).status).toBe(201);
    clock.advance(-hourMs);
    expect((await group("B")).status).toBe(200);
    expect((await group("C")).status).toBe(409);
  });

  it("[OUR-PRC-08] refuses no test message for longer than ten minutes", async () => {
    await newcomer();
    const test = async () => (await ask("POST", `/alert-rules/${ruleId}/test`)).status;
    const sent = await daysAhead(async () => [
      await test(),
      await test(),
      await test(),
      await test(),
      await test(),
    ]);
    expect(sent).toEqual([200, 200, 200, 200, 200]);
    expect(await test()).toBe(200);
  });

  it("[OUR-PRC-08] shows no silent server as online", async () => {
    await newcomer();
    await daysAhead(() => beat(20));
    clock.advance(10 * minuteMs);
    const { json } = await ask("GET", `/servers/${server.id}/status`);
    expect(json).toMatchObject({ status: "offline", state: "unreachable" });
  });
});

/** From here on the clock runs. What it was before may hold for as long as the longest window of its kind. */
async function settles(): Promise<void> {
  clock.advance(dayMs + 6 * minuteMs);
  const maintained = async () => (await ask("GET", `/servers/${server.id}/maintenance`)).json["in_progress"];
  // One that was begun ahead may hold when the clock comes to it, for the hour it was asked for.
  const before = await maintained();
  clock.advance(hourMs + minuteMs);
  if (before && (await maintained())) findings.endless.push("a maintenance of an hour, for longer than that");
  clock.advance(6 * dayMs + hourMs);
  await app.service.work.run();
  await beats(4, 20);
  const told = mail.mails.length;
  await beats(4, 5);
  const alert = await newest();
  expect(alert).toMatchObject({ status: "open", notified: true, delivery: { email: { status: "sent" } } });
  await beats(4, 20);
  expect(await newest()).toMatchObject({
    id: alert?.["id"],
    status: "resolved",
    resolution_reason: "recovered",
  });
  const subjects = mail.mails.slice(told).map((each) => readMail(each).subject);
  expect(subjects).toEqual(["Low TPS on Survival", "Resolved: Low TPS on Survival"]);
}
