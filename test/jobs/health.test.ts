import { afterEach, beforeEach, expect, it } from "vitest";
import { personOf, startSession } from "../../src/contract/access/person.ts";
import { callAsPerson } from "../../src/contract/call/call-as-person.ts";
import { createEventRule } from "../../src/endpoints/web/alert/create-event-rule.ts";
import { recordEvents } from "../../src/services/event/record-events.ts";
import { newId } from "../../src/store/engine/ids.ts";
import { eventOf } from "../core/health/facts.ts";
import type { Json } from "../support/payload.ts";
import { playedHealth, type PlayedHealth } from "./played-health.ts";

let played: PlayedHealth;
beforeEach(async () => {
  played = await playedHealth();
});
afterEach(async () => {
  expect(played.warned).toEqual([]);
  await played.scene.close();
});

const healthOfRow = async (): Promise<Json> => {
  const { body } = await played.scene.ask("GET", "/monitoring/overview");
  return (body["data"] as Json[])[0]?.["health"] as Json;
};

const calm = { tps: 20, mspt: 15 };
const late = { tps: 16, mspt: 62.5 };

it("[OUR-HLT-60] a server is evaluated when it is first seen, and when five minutes are over", async () => {
  await played.play(20, calm);
  expect(await played.stored()).toMatchObject({ verdict: "healthy", reasons: [] });
  expect(await healthOfRow()).toMatchObject({ verdict: "healthy" });
  await played.play(14, late);
  expect(await played.stored()).toMatchObject({ verdict: "critical", reasons: ["tick_over_budget"] });
  const fleet = await played.scene.ask("GET", "/monitoring/health");
  expect(fleet.body).toMatchObject({
    data: [
      {
        verdict: "critical",
        reasons: ["tick_over_budget"],
        headline: { text: "Ticks take 62.5 ms of the 50 ms they have." },
      },
    ],
    more_servers: 0,
    totals: { servers: 1, critical: 1, healthy: 0 },
  });
  await played.play(40, calm);
  expect(await played.stored()).toMatchObject({ verdict: "healthy" });
});

it("[OUR-HLT-61] a verdict of 15 minutes is an entry of the timeline, and the first one none", async () => {
  await played.play(20, calm);
  expect(await played.changes()).toEqual([]);
  // Late for so short a time that it never settles.
  await played.play(13, late);
  await played.play(25, calm);
  expect(await played.changes()).toEqual([]);
  await played.play(40, late);
  expect(await played.changes()).toEqual([["error", "critical"]]);
  await played.play(60, calm);
  expect(await played.changes()).toEqual([
    ["info", "healthy"],
    ["error", "critical"],
  ]);
});

it("[OUR-HLT-61] [OUR-OVR-06] a server that is down is told of at once, and a stop is no fault", async () => {
  await played.play(20, calm);
  await played.silence(3);
  expect(await played.stored()).toMatchObject({ verdict: "down", reasons: ["server_down"] });
  expect(await played.changes()).toEqual([["error", "down"]]);
  await played.play(40, calm);
  expect(await played.changes()).toEqual([
    ["info", "healthy"],
    ["error", "down"],
  ]);
});

it("[OUR-HLT-62] a ready-made rule on events watches the health from a warning on", async () => {
  const { app } = played.scene.test;
  const { secret } = await startSession(app, played.scene.owner, null, app.clock());
  const person = await personOf(app, secret, "127.0.0.1", app.clock());
  const input = { server_id: played.scene.server.id, name: "Health", preset: "health" } as const;
  const rule = await callAsPerson(app, createEventRule, person, input, "r");
  expect(rule).toMatchObject({ event_types: ["health_changed"], min_severity: "warning" });
  await played.play(20, calm);
  await played.play(40, late);
  await played.play(60, calm);
  const alerts = await played.scene.alerts("?kind=event");
  expect(alerts.map(({ rule_name, event }) => [rule_name, (event as Json)["severity"]])).toEqual([
    ["Health", "error"],
  ]);
});

it("[OUR-HLT-63] a calm server is not written again, and evaluated anew after a day", async () => {
  await played.play(20, calm);
  const first = (await played.stored())?.evaluatedAt;
  await played.play(30, calm);
  const later = (await played.stored())?.evaluatedAt;
  expect(later).toBe(first);
  await played.play(1, { tps: 20, mspt: 45 });
  await played.play(6, calm);
  expect((await played.stored())?.evaluatedAt).toBeGreaterThan(later ?? 0);
});

it("[OUR-HLT-60] a server that measures no ticks is found down within the minute, and is not evaluated for it again", async () => {
  await played.play(20, { ram_used_mb: 900 });
  expect(await played.stored()).toMatchObject({ verdict: "unknown" });
  await played.silence(2);
  const down = await played.stored();
  expect(down).toMatchObject({ verdict: "down", reasons: ["server_down"] });
  await played.silence(2);
  expect((await played.stored())?.evaluatedAt).toBe(down?.evaluatedAt);
});

it("[OUR-HLT-63] an entry that arrives late is judged when the next five minutes are over", async () => {
  await played.play(40, calm);
  const before = (await played.stored())?.evaluatedAt;
  const { test: at, server } = played.scene;
  const happenedAt = at.clock.now - 30 * 60_000;
  const crash = {
    ...eventOf("server_crash", happenedAt),
    id: newId(happenedAt),
    serverId: server.id,
    happenedAt,
  };
  const entry = { ...crash, receivedAt: at.clock.now };
  await at.app.db.write(recordEvents, server.id, [entry], at.clock.now);
  await played.play(8, calm);
  const after = await played.stored();
  expect(after?.evaluatedAt).toBeGreaterThan(before ?? 0);
  expect(after).toMatchObject({ verdict: "degraded", reasons: ["crashed"] });
});

it("[OUR-HLT-61] an entry names the headline, and says when the health is better but not good", async () => {
  const titles = async (): Promise<unknown[]> => {
    const { id } = played.scene.server;
    const { body } = await played.scene.ask("GET", `/servers/${id}/events?type=health_changed`);
    return (body["data"] as Json[]).map(({ title }) => title);
  };
  await played.play(20, calm);
  await played.play(40, late);
  await played.play(40, { tps: 19, mspt: 45, mspt_p95: 60 });
  expect(await titles()).toEqual([
    "Health is better, now degraded: Ticks take 45 ms of the 50 ms they have, and the slowest 5 % take 60 ms.",
    "Health is now critical: Ticks take 62.5 ms of the 50 ms they have.",
  ]);
});
