import { afterAll, beforeAll, expect, it } from "vitest";
import { switchPlan } from "../../../src/services/access/switch-plan.ts";
import { switchMonitoring } from "../../../src/services/monitoring/switch-monitoring.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { eventOf } from "../../core/health/facts.ts";
import type { Json } from "../../support/payload.ts";
import { alertingScene, type AlertingScene } from "../alert/alerting.ts";

const [second, minute] = [1000, 60_000];

let scene: AlertingScene;
let path: string;

beforeAll(async () => {
  scene = await alertingScene();
  path = `/servers/${scene.server.id}/health`;
});
afterAll(() => scene.close());

/** So many minutes of samples, one every 30 seconds. */
async function play(minutes: number, values: Json): Promise<void> {
  for (let index = 0; index < minutes * 2; index += 1) {
    scene.test.clock.advance(30 * second);
    await scene.beat(values);
  }
}

const diagnose = async (query = ""): Promise<Json> => {
  const { status, body } = await scene.ask("GET", `${path}${query}`);
  expect([status, body["error"]]).toEqual([200, undefined]);
  return body;
};

const codes = (health: Json): unknown[] => (health["findings"] as Json[]).map(({ code }) => code);

it("[OUR-HLT-20] a server that never sent anything is not judged", async () => {
  expect(await diagnose()).toMatchObject({
    verdict: "unknown",
    headline: { code: "never_seen" },
    findings: [],
  });
});

it("[OUR-HLT-20] [OUR-HLT-26] [OUR-HLT-37] a restart after which ticks are late is found with the restart beside it", async () => {
  await play(30, { tps: 20, mspt: 15 });
  expect(await diagnose()).toMatchObject({
    verdict: "healthy",
    availability: { incidents: 0, percent: 100 },
  });
  const { db } = scene.test.app;
  const now = scene.test.clock.now;
  const start = eventOf("server_start", now, { serverId: scene.server.id, title: "Server started" });
  await db.write(recordEvents, scene.server.id, [start], now);
  await play(20, { tps: 16, mspt: 62.5 });
  const health = await diagnose();
  expect(health).toMatchObject({
    verdict: "critical",
    headline: {
      code: "tick_over_budget",
      text: "Ticks take 62.5 ms of the 50 ms they have (median of 15 min).",
    },
  });
  const [finding] = health["findings"] as Json[];
  expect(finding).toMatchObject({
    code: "tick_over_budget",
    evidence: [{ key: "mspt_median", value: 62.5, unit: "ms", threshold: 50 }],
    coincides_with: [{ kind: "restart", subject: "Server started" }],
  });
  expect(Math.abs(Date.parse(finding?.["since"] as string) - now)).toBeLessThanOrEqual(5 * minute);
});

it("[OUR-HLT-20] a silence is down, and the period of before still says what was then", async () => {
  const before = new Date(scene.test.clock.now).toISOString();
  scene.test.clock.advance(20 * minute);
  const health = await diagnose();
  expect([health["verdict"], codes(health)[0]]).toEqual(["down", "server_down"]);
  expect(health["availability"]).toMatchObject({ incidents: 1 });
  const from = new Date(Date.parse(before) - 60 * minute).toISOString();
  const then = await diagnose(`?from=${from}&to=${before}`);
  expect([then["verdict"], codes(then)[0]]).toEqual(["critical", "tick_over_budget"]);
});

it("[OUR-HLT-20] answers within the plan and its retention, and for own servers alone", async () => {
  expect(await scene.ask("GET", `${path}?range=1y`)).toMatchObject({ body: { error: "retention_exceeded" } });
  expect(await scene.ask("GET", `${path}?range=1h&from=2026-01-01T00:00:00Z`)).toMatchObject({
    body: { error: "validation_error" },
  });
  const other = await scene.test.token(await scene.test.account("pro"));
  expect(await scene.rest.call(other.secret, "GET", path)).toMatchObject({ status: 404 });
  const free = await scene.test.account("free");
  const own = await scene.test.server(free, { name: "Free" });
  const { secret } = await scene.test.token(free);
  expect(await scene.rest.call(secret, "GET", `/servers/${own.id}/health`)).toMatchObject({
    body: { error: "plan_required" },
  });
});

it("[OUR-HLT-70] [OUR-HLT-20] of a period that is over it says when what was wrong then ended, and on which page", async () => {
  await play(5, { tps: 20, mspt: 15 });
  scene.test.clock.advance(15 * minute);
  const silent = new Date(scene.test.clock.now).toISOString();
  expect((await diagnose())["findings"]).toMatchObject([{ code: "server_down", until: null }]);
  scene.test.clock.advance(10 * minute);
  await play(2, { tps: 20, mspt: 15 });
  const next = new Date(scene.test.clock.now - 90 * second).toISOString();
  const from = new Date(Date.parse(silent) - 60 * minute).toISOString();
  const then = await diagnose(`?from=${from}&to=${silent}`);
  const down = (then["findings"] as Json[]).find(({ code }) => code === "server_down");
  expect(down?.["until"]).toBe(next);
  expect(then["urls"]).toEqual({ server: `${scene.test.app.baseUrl}/servers/${scene.server.id}` });
});

it("[OUR-HLT-69] [OUR-HLT-38] a stop that a heartbeat announced and a time without monitoring are not down", async () => {
  const start = scene.test.clock.now;
  const since = async (at: number) =>
    (
      await diagnose(`?from=${new Date(at).toISOString()}&to=${new Date(scene.test.clock.now).toISOString()}`)
    )["availability"];
  await play(5, { tps: 20, mspt: 15 });
  await scene.test.app.db.write(recordHeartbeat, {
    serverId: scene.server.id,
    receivedAt: scene.test.clock.now,
    bootTimestamp: null,
    lastTickAgeMs: 40,
    announcement: { kind: "stopped", at: scene.test.clock.now },
    sample: null,
    limits: scene.test.app.plans.pro,
  });
  scene.test.clock.advance(20 * minute);
  await play(5, { tps: 20, mspt: 15 });
  expect(await since(start)).toMatchObject({ down_seconds: 0, stopped_seconds: 1230, incidents: 0 });

  const paused = scene.test.clock.now;
  const { db } = scene.test.app;
  const change = async (enabled: boolean): Promise<void> => {
    const { owner, server } = scene;
    const limits = scene.test.app.plans[owner.plan];
    const now = scene.test.clock.now;
    expect(
      await db.write(switchMonitoring, { serverId: server.id, accountId: owner.id, enabled, limits, now }),
    ).toBe("set");
  };
  await change(false);
  scene.test.clock.advance(60 * minute);
  expect(await since(paused)).toMatchObject({ percent: null, unmonitored_seconds: 3600, down_seconds: 0 });
  await change(true);
  await play(5, { tps: 20, mspt: 15 });
  expect(await since(paused)).toMatchObject({ percent: 100, unmonitored_seconds: 3600, up_seconds: 300 });
});

it("[OUR-HLT-69] the time between the end of a plan and the next one that covers the server is not down", async () => {
  const { app, clock } = scene.test;
  const start = clock.now;
  await play(5, { tps: 20, mspt: 15 });
  const change = (plan: "free" | "pro") =>
    app.db.write(switchPlan, { accountId: scene.owner.id, plan, plans: app.plans, now: clock.now });
  await change("free");
  clock.advance(60 * minute);
  await change("pro");
  // The server needs a while until it is back, and that is down.
  clock.advance(10 * minute);
  await play(5, { tps: 20, mspt: 15 });
  const period = `?from=${new Date(start).toISOString()}&to=${new Date(clock.now).toISOString()}`;
  expect((await diagnose(period))["availability"]).toMatchObject({
    unmonitored_seconds: 3600,
    down_seconds: 630,
    up_seconds: 570,
    incidents: 1,
  });
});

it("[OUR-HLT-70] of a period that is over, an open alert says when the last of those that were open ended", async () => {
  const { clock } = scene.test;
  await scene.rule({ name: "Full", metric: "player_count", condition: "above", threshold: 5 });
  const openIn = async (query: string): Promise<Json | undefined> =>
    ((await diagnose(query))["findings"] as Json[]).find(({ code }) => code === "alert_open");
  await play(6, { tps: 20, mspt: 15, player_count: 9 });
  const open = new Date(clock.now).toISOString();
  expect(await openIn("")).toMatchObject({ until: null });
  await play(6, { tps: 20, mspt: 15, player_count: 1 });
  const [alert] = await scene.alerts("?kind=threshold");
  expect(alert).toMatchObject({ rule_name: "Full", status: "resolved" });
  const from = new Date(Date.parse(open) - 60 * minute).toISOString();
  expect(await openIn(`?from=${from}&to=${open}`)).toMatchObject({
    severity: "warning",
    until: alert?.["resolved_at"],
  });
});
