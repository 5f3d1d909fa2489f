import { changedByTime, evaluateByTime } from "../../src/services/alert/sweep-servers.ts";
import { intercepting } from "../support/intercept.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { addAlertRule } from "../../src/services/alert/add-alert-rule.ts";
import { recordEvents } from "../../src/services/event/record-events.ts";
import { selectEvents } from "../../src/store/event/timeline.ts";
import { selectInbox, addTestToInbox } from "../../src/store/notice/notices.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serviceJobs } from "../../src/jobs/jobs.ts";
import { testApp, testEpoch, type TestApp } from "../support/test-app.ts";

const dayMs = 24 * 60 * 60 * 1000;
let test: TestApp;
beforeEach(() => {
  test = testApp();
});
afterEach(() => test.close());

function jobsOf(db = test.app.db, signal = new AbortController().signal) {
  const warned: unknown[] = [];
  const { plans, clock, secrets } = test.app;
  const jobs = serviceJobs({
    db,
    plans,
    secrets,
    clock,
    warn: (_job, error) => void warned.push(error),
    signal,
  });
  const run = async (name: string, previous: number | null = null) =>
    jobs.find((job) => job.name === name)?.run(previous);
  return { run, warned };
}

/** A server with a rule on it. */
async function watched(): Promise<string> {
  const { db, secrets } = test.app;
  const account = await test.account();
  const server = await test.server(account);
  const rule = {
    id: secrets.newId(testEpoch),
    serverId: server.id,
    accountId: account.id,
    definition: {
      name: "Offline",
      metric: "offline" as const,
      condition: null,
      threshold: null,
      durationMinutes: 0,
      cooldownMinutes: 0,
      notify: { email: false, chat: false, in_app: true },
      enabled: true,
      mutedUntil: null,
    },
    now: testEpoch,
    limit: 10,
  };
  await db.write(addAlertRule, rule, {
    accountId: account.id,
    route: "test",
    key: null,
    bodyDigest: rule.id,
    now: testEpoch,
  });
  return server.id;
}

describe("the sweep", () => {
  it("[OUR-PRC-20] goes on when one server cannot be judged, and says so", async () => {
    const [first, second, third] = [await watched(), await watched(), await watched()];
    const swept: string[] = [];
    const { db } = test.app;
    const broken = intercepting(db, changedByTime, async (_usual, ids) => {
      if (ids.includes(second)) throw new Error("a row nobody can read");
      swept.push(...ids);
      return [];
    });
    const { run, warned } = jobsOf(broken);
    await run("sweep");
    expect(swept.toSorted()).toEqual([first, third].toSorted());
    expect(warned).toHaveLength(1);
  });

  it("ends with the server it is at when the process is to end", async () => {
    await watched();
    await watched();
    const ending = new AbortController();
    const { db } = test.app;
    let swept = 0;
    const all = intercepting(db, changedByTime, (_usual, ids) => Promise.resolve([...ids]));
    const ended = intercepting(all, evaluateByTime, async (usual) => {
      swept += 1;
      ending.abort();
      return usual();
    });
    await jobsOf(ended, ending.signal).run("sweep");
    expect(swept).toBe(1);
  });
});

describe("retention", () => {
  it("[OUR-PRC-22] deletes nothing in the first run after the clock leapt, and everything due in the next", async () => {
    const { db, secrets } = test.app;
    const account = await test.account();
    const message = { title: "t", lines: [], link: null, tone: "info" } as const;
    await db.write(addTestToInbox, account.id, secrets.newId(testEpoch), message, testEpoch);
    const left = async () => (await db.read(selectInbox, account.id, null, 5)).length;
    const { run } = jobsOf();
    test.clock.advance(400 * dayMs);
    await run("retention", testEpoch);
    expect(await left()).toBe(1);
    await run("retention", test.clock.now - 60 * 60 * 1000);
    expect(await left()).toBe(0);
  });

  it("[OUR-PRC-23] after a lapse the larger plan's rows stay for 30 days more", async () => {
    const { db, secrets } = test.app;
    const account = await test.account("enterprise");
    const server = await test.server(account);
    const event = {
      id: secrets.newId(testEpoch),
      serverId: server.id,
      localId: "1",
      type: "ban",
      category: "moderation",
      source: "bans",
      severity: "info",
      title: "Banned",
      description: null,
      metadata: null,
      happenedAt: testEpoch - 300 * dayMs,
      durationMs: null,
      receivedAt: testEpoch,
    } as const;
    await db.write(recordEvents, server.id, [event], testEpoch);
    const filter = { from: 0, to: null, category: null, severity: null, source: null, type: null };
    const left = async () => (await db.read(selectEvents, server.id, filter, null, 5)).length;
    await db.write(changePlan, account.id, "pro", testEpoch);
    await db.write(changePlan, account.id, "free", testEpoch + dayMs);
    const { run } = jobsOf();
    test.clock.advance(30 * dayMs);
    await run("retention", test.clock.now);
    expect(await left()).toBe(1);
    test.clock.advance(dayMs + 1);
    await run("retention", test.clock.now);
    expect(await left()).toBe(0);
  });
});
