import { noMeter } from "../../src/contract/call/meter.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import type { Availability } from "../../src/core/health/health.ts";
import { sendDigests } from "../../src/jobs/digest.ts";
import { deliverDue } from "../../src/jobs/deliver.ts";
import { serviceJobs } from "../../src/jobs/jobs.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { changeDigestChannels } from "../../src/services/digest/change-digest-channels.ts";
import { switchMonitoring } from "../../src/services/monitoring/switch-monitoring.ts";
import { selectFleetOwner } from "../../src/store/monitoring/standings.ts";
import { jobRunner } from "../../src/store/job/jobs.ts";
import { alertingScene, type AlertingScene } from "../endpoints/alert/alerting.ts";
import { failure } from "../store/alert/alerting.ts";
import { intercepting } from "../support/intercept.ts";
import type { Json } from "../support/payload.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const day = 24 * hour;
const monday = Date.parse("2026-11-23T08:00:00Z");

let scene: AlertingScene;
let warned: string[];
/** Ends the jobs of a process. */
let ending: AbortController;
beforeEach(async () => {
  scene = await alertingScene();
  warned = [];
  ending = new AbortController();
});
afterEach(async () => {
  expect(scene.test.defects).toEqual([]);
  await scene.test.close();
});

const deps = (through = scene.test.app.db) => {
  const { plans, secrets, clock } = scene.test.app;
  const warn = (job: string, error: unknown): void => void warned.push(`${job}: ${String(error)}`);
  return { db: through, plans, secrets, clock, warn, signal: ending.signal };
};

const deliver = (sendMessage = scene.test.app.sendMessage): Promise<void> =>
  deliverDue({ ...deps(), meter: noMeter, sendMessage, warn: (_, why) => void warned.push(why) });

/** One look of a process at what is due, and at what waits to be sent. */
async function turn(): Promise<void> {
  await sendDigests(deps());
  await deliver();
}

/** Turns every so often until that instant, the last one at it. */
async function until(at: number, everyMs = hour): Promise<void> {
  const { clock } = scene.test;
  while (clock.now < at) {
    clock.now = Math.min(at, clock.now + everyMs);
    await turn();
  }
}

const switchOn = (account: Account = scene.owner, channels = { byEmail: true, byChat: false }) =>
  scene.test.app.db.write(changeDigestChannels, account.id, channels, scene.test.clock.now);

/** To whom digests went so far. */
const receivers = (): string[] => scene.test.sent.map(({ destination }) => destination);
const sentCount = (): number => scene.test.sent.length;

it("[OUR-DIG-01] nothing is sent to an account that did not switch it on", async () => {
  await until(monday + 2 * 7 * day, 6 * hour);
  expect(sentCount()).toBe(0);
});

it("[OUR-DIG-02] [OUR-DIG-03] it is sent once on each of several Mondays, from 08:00 UTC on", async () => {
  await switchOn();
  await until(monday - second);
  expect(sentCount()).toBe(0);
  await until(monday, second);
  expect(receivers()).toEqual([scene.owner.email]);
  await until(monday + 7 * day - second);
  expect(sentCount()).toBe(1);
  await until(monday + 3 * 7 * day);
  expect(sentCount()).toBe(4);
  expect(scene.test.sent.map(({ message }) => message.lines[0])).toEqual([
    "The week from 2026-11-16 08:00 to 2026-11-23 08:00 UTC.",
    "The week from 2026-11-23 08:00 to 2026-11-30 08:00 UTC.",
    "The week from 2026-11-30 08:00 to 2026-12-07 08:00 UTC.",
    "The week from 2026-12-07 08:00 to 2026-12-14 08:00 UTC.",
  ]);
});

it("[OUR-DIG-02] a service that was off all Monday sends it in the evening, and one that starts on Thursday does not", async () => {
  await switchOn();
  scene.test.clock.now = monday + 12 * hour;
  await turn();
  expect(sentCount()).toBe(1);
  scene.test.clock.now = monday + 7 * day + 3 * day;
  await turn();
  expect(sentCount()).toBe(1);
  await until(monday + 2 * 7 * day);
  expect(sentCount()).toBe(2);
});

it("[OUR-DIG-03] the jobs of several processes send it once, also when they start anew", async () => {
  await switchOn();
  scene.test.clock.now = monday;
  const job = serviceJobs(deps()).find(({ name }) => name === "digest");
  if (!job) throw new Error("There is no such job.");
  const { db, clock } = scene.test.app;
  await Promise.all(Array.from({ length: 3 }, () => jobRunner(db).runAlone(job, clock)));
  await Promise.all(Array.from({ length: 3 }, () => sendDigests(deps())));
  scene.test.clock.advance(job.everyMs);
  await jobRunner(db).runAlone(job, clock);
  await deliver();
  expect(sentCount()).toBe(1);
});

it("[OUR-DIG-04] switched on in the afternoon of a Monday it begins a week later", async () => {
  scene.test.clock.now = monday + 5 * hour;
  await switchOn();
  await until(monday + 7 * day - second);
  expect(sentCount()).toBe(0);
  await until(monday + 7 * day, second);
  expect(sentCount()).toBe(1);
});

it("[OUR-DIG-05] accounts without monitoring or a monitored server get none for that week", async () => {
  const { test, owner, server } = scene;
  const free = await test.account("free");
  const empty = await test.account("pro");
  for (const account of [owner, free, empty]) await switchOn(account);
  const { db, plans, clock } = test.app;
  const limits = plans.pro;
  const change = { serverId: server.id, accountId: owner.id, limits, now: clock() };
  await db.write(switchMonitoring, { ...change, enabled: false });
  test.clock.now = monday;
  await turn();
  await db.write(switchMonitoring, { ...change, enabled: true });
  await db.write(changePlan, free.id, "pro", clock());
  await test.server({ ...free, plan: "pro" });
  await until(monday + day);
  expect(receivers()).toEqual([]);
  await until(monday + 7 * day);
  expect(receivers().toSorted()).toEqual([free.email, owner.email].toSorted());
});

it("[OUR-DIG-06] a mail that fails is tried again, and none goes out when the plan has no monitoring any more", async () => {
  await switchOn();
  scene.test.clock.now = monday;
  await sendDigests(deps());
  await deliver(async () => failure({ reason: "timeout", detail: "no answer" }));
  expect([sentCount(), warned.splice(0)]).toEqual([0, ["timeout: no answer"]]);
  await until(monday + hour);
  expect(sentCount()).toBe(1);
  scene.test.clock.now = monday + 7 * day;
  await sendDigests(deps());
  await scene.test.app.db.write(changePlan, scene.owner.id, "free", scene.test.clock.now);
  await until(monday + 8 * day);
  expect(sentCount()).toBe(1);
});

it("[OUR-DIG-07] one that fails holds up no other, and is tried again until it is too late", async () => {
  const other = await scene.test.account("pro");
  await scene.test.server(other);
  for (const account of [scene.owner, other]) await switchOn(account);
  const failing = intercepting(scene.test.app.db, selectFleetOwner, (usual, account) => {
    if (account === scene.owner.id) throw new Error("the disk is slow");
    return usual();
  });
  for (const at of [monday, monday + hour]) {
    scene.test.clock.now = at;
    await sendDigests(deps(failing));
  }
  await deliver();
  expect([receivers(), warned.splice(0)]).toEqual([
    [other.email],
    ["digest: Error: the disk is slow", "digest: Error: the disk is slow"],
  ]);
  await until(monday + 2 * hour);
  expect(receivers()).toEqual([other.email, scene.owner.email]);
  scene.test.clock.now = monday + 7 * day;
  await sendDigests(deps(failing));
  scene.test.clock.now += day + second;
  await turn();
  expect(receivers()).toEqual([other.email, scene.owner.email, other.email]);
  expect(warned.splice(0)).toHaveLength(1);
});

it("[OUR-DIG-07] accounts that are left when a process ends get theirs from the next", async () => {
  await switchOn();
  scene.test.clock.now = monday;
  ending.abort();
  await sendDigests(deps());
  ending = new AbortController();
  await deliver();
  expect(sentCount()).toBe(0);
  await turn();
  expect(sentCount()).toBe(1);
});

it("[OUR-DIG-12] [OUR-DIG-13] [OUR-DIG-16] says of a week what the endpoints say of it", async () => {
  const { test, server, ask, beat } = scene;
  const jobs = serviceJobs(deps());
  const health = jobs.find(({ name }) => name === "health");
  await switchOn(scene.owner, { byEmail: true, byChat: true });
  /** So many minutes of samples every 30 seconds, with the job of health between them. */
  const play = async (minutes: number, values: Json): Promise<void> => {
    for (let passed = 0; passed < minutes * 2; passed += 1) {
      test.clock.advance(30 * second);
      await beat(values);
      if (passed % 10 === 9) await health?.run(test.clock.now - 5 * minute);
    }
  };
  test.clock.now = monday - 8 * hour;
  await play(60, { tps: 20, mspt: 12 });
  // Silent for 23 minutes, and late for an hour afterwards.
  test.clock.advance(23 * minute);
  await play(60, { tps: 14, mspt: 70 });
  test.clock.now = monday - 20 * minute;
  await play(20, { tps: 14, mspt: 70 });
  test.clock.now = monday;
  await turn();
  const period = `?from=${new Date(monday - 7 * day).toISOString()}&to=${new Date(monday).toISOString()}`;
  const { body } = await ask("GET", `/servers/${server.id}/health${period}`);
  const { percent, incidents } = body["availability"] as Availability;
  expect(incidents).toBe(2);
  const mail = test.sent.find(({ channel }) => channel === "email")?.message;
  expect(mail?.title).toBe("Weekly digest: 1 of 1 server with problems");
  expect(mail?.lines).toEqual(
    expect.arrayContaining([
      `Availability: ${percent} % on 1 server, 2 incidents; 1 server for a part of the week.`,
      expect.stringMatching(
        /^- Lobby: critical since .*Ticks take 70 ms of the 50 ms they have \(median of 15 min\)\./,
      ),
      "- Ticks take too long: 1 server, still",
    ]),
  );
  const { body: now } = await ask("GET", `/servers/${server.id}/health`);
  const [leading] = now["findings"] as { code: string; next: { action: string }[] }[];
  expect([leading?.code, leading?.next[0]?.action]).toEqual(["tick_over_budget", "capture_profile"]);
  expect(mail?.lines).toContain("- Lobby: Capture a profile.");
  // The account set no webhook, so nothing goes there.
  expect(test.sent.map(({ channel }) => channel)).toEqual(["email"]);
});
