import { afterEach, beforeEach, expect, it } from "vitest";
import { personOf, startSession } from "../../src/contract/call/person.ts";
import { callAsPerson } from "../../src/contract/call/call-as-person.ts";
import { lastDaySlot } from "../../src/core/health/day-slot.ts";
import { ReportedSample, sampleOf } from "../../src/core/metric/reported-sample.ts";
import { createEventRule } from "../../src/actions/alert/create-event-rule.ts";
import { recordEvents } from "../../src/services/event/record-events.ts";
import { newId } from "../../src/store/engine/ids.ts";
import { insertSamples } from "../../src/store/metric/samples.ts";
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
        headline: { text: "Ticks take 62.5 ms of the 50 ms they have (median of 15 min)." },
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

it("[OUR-HLT-63] a calm server is not written again", async () => {
  await played.play(20, calm);
  const first = (await played.stored())?.evaluatedAt;
  await played.play(30, calm);
  const later = (await played.stored())?.evaluatedAt;
  expect(later).toBe(first);
  await played.play(1, { tps: 20, mspt: 45 });
  await played.play(6, calm);
  expect((await played.stored())?.evaluatedAt).toBeGreaterThan(later ?? 0);
});

it("[OUR-HLT-63] [OUR-HLT-72] a calm server is evaluated anew at its time of the day", async () => {
  await played.play(20, calm);
  const { clock } = played.scene.test;
  const slot = lastDaySlot(played.scene.server.id, clock.now) + 86_400_000;
  clock.advance(slot - clock.now - 12 * 60_000);
  await played.play(11, calm);
  expect((await played.stored())?.evaluatedAt).toBeLessThan(slot);
  await played.play(10, calm);
  const evaluatedAt = (await played.stored())?.evaluatedAt ?? 0;
  expect(evaluatedAt).toBeGreaterThanOrEqual(slot);
  await played.play(10, calm);
  expect((await played.stored())?.evaluatedAt).toBe(evaluatedAt);
});

it("[OUR-HLT-60] what is stored says what the server's page says, while ticks are late and long after", async () => {
  const said = async () => {
    const { verdict, since, headline, findings } = await played.diagnose();
    const serious = (findings as Json[]).filter(({ severity }) => severity !== "info");
    return { verdict, since, headline, reasons: serious.map(({ code }) => code) };
  };
  const kept = async () => {
    const { verdict, since, headline, reasons } = (await played.stored()) ?? {};
    return { verdict, since: new Date(since ?? 0).toISOString(), headline, reasons };
  };
  await played.play(30, calm);
  const begun = played.scene.test.clock.now;
  await played.play(26, late);
  expect(await kept()).toEqual(await said());
  // More than three hours later the beginning lies before the samples that are read.
  const { clock, app } = played.scene.test;
  const between = Array.from({ length: 340 }, (_, index) => {
    const sampledAt = clock.now + (index + 1) * 30_000;
    const sent = ReportedSample.parse({ sampled_at: new Date(sampledAt).toISOString(), ...late });
    return { sampledAt, sample: sampleOf(sent), receivedAt: sampledAt };
  });
  await app.db.write(insertSamples, played.scene.server.id, between);
  clock.advance(170 * 60_000);
  await played.play(20, late);
  const later = await kept();
  expect(later).toEqual(await said());
  expect(Math.abs(Date.parse(later.since) - begun)).toBeLessThanOrEqual(6 * 60_000);
});

it("[OUR-HLT-73] a server that stays critical is evaluated every 15 minutes, and at once when it is calm again", async () => {
  await played.play(20, calm);
  await played.play(40, late);
  const times = new Set<number>();
  for (let bucket = 0; bucket < 6; bucket += 1) {
    await played.play(5, late);
    const { verdict, evaluatedAt } = (await played.stored()) ?? {};
    expect(verdict).toBe("critical");
    times.add(evaluatedAt ?? 0);
  }
  expect([2, 3]).toContain(times.size);
  await played.play(20, calm);
  expect(await played.stored()).toMatchObject({ verdict: "healthy" });
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

it("[OUR-HLT-63] the entry that names a verdict has no server evaluated for it", async () => {
  await played.play(20, calm);
  await played.play(40, late);
  const newest = async () => (await played.changes())[0];
  for (let bucket = 0; bucket < 12 && String(await newest()) !== "info,healthy"; bucket += 1)
    await played.play(5, calm);
  expect(await newest()).toEqual(["info", "healthy"]);
  const before = (await played.stored())?.evaluatedAt;
  await played.play(10, calm);
  expect((await played.stored())?.evaluatedAt).toBe(before);
});

it("[OUR-HLT-63] what players do, and what other plugins report, has no server evaluated for it", async () => {
  await played.play(40, calm);
  const before = (await played.stored())?.evaluatedAt;
  const { test: at, server } = played.scene;
  const { now } = at.clock;
  const common = { serverId: server.id, happenedAt: now, receivedAt: now };
  const entries = [
    eventOf("player_join", now, { ...common, id: newId(now), category: "custom" }),
    eventOf("server_crash", now, { ...common, id: newId(now), category: "moderation" }),
  ];
  expect(await at.app.db.write(recordEvents, server.id, entries, now)).toHaveLength(2);
  await played.play(8, calm);
  expect((await played.stored())?.evaluatedAt).toBe(before);
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
    "Health is better, now degraded: Ticks take 45 ms of the 50 ms they have, and the slowest 5 % take 60 ms (each a median of 15 min).",
    "Health is now critical: Ticks take 62.5 ms of the 50 ms they have (median of 15 min).",
  ]);
});
