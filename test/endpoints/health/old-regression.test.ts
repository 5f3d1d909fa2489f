import { afterAll, beforeAll, expect, it } from "vitest";
import { evaluateHealth } from "../../../src/core/health/evaluate.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { readHealthFacts } from "../../../src/services/health/read-health-facts.ts";
import { monitoredServer } from "../../../src/store/server/server-rows.ts";
import { eventOf } from "../../core/health/facts.ts";
import { alertingScene, type AlertingScene } from "../alert/alerting.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

let scene: AlertingScene;
beforeAll(async () => {
  scene = await alertingScene();
  await scene.beat({ tps: 20, mspt: 15 });
});
afterAll(() => scene.close());

/** The finding of benchmarks that are slower since an instant, in the day before `to`. */
async function regressionFinding(since: number, to: number) {
  const { db, plans } = scene.test.app;
  const server = await db.read(monitoredServer, scene.server.id);
  if (!server) throw new Error("The server is gone.");
  const request = { server, limits: plans.pro, from: to - day, to, now: scene.test.clock.now };
  const { findings } = evaluateHealth(await readHealthFacts(db, { ...request, regressionSince: since }));
  return findings.find(({ code }) => code === "benchmark_regression");
}

it("[OUR-HLT-71] a regression that began ten days ago names what changed then", async () => {
  const now = scene.test.clock.now;
  const since = now - 10 * day;
  const entry = (type: string, at: number) =>
    eventOf(type, at, { serverId: scene.server.id, title: `${type} of then` });
  const entries = [
    entry("server_updated", since - 20 * minute),
    entry("restart", since + 2 * minute),
    entry("backup", since - 40 * minute),
  ];
  await scene.test.app.db.write(recordEvents, scene.server.id, entries, now);
  const finding = await regressionFinding(since, now);
  expect(finding?.coincides_with).toMatchObject([
    { kind: "server_updated", minutes_before: 20 },
    { kind: "restart", minutes_before: -2 },
  ]);
});

it("[OUR-HLT-71] of a period that was over before it, there is none", async () => {
  const now = scene.test.clock.now;
  expect(await regressionFinding(now - day, now - 2 * day)).toBeUndefined();
});
