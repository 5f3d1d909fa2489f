import { describe, expect, it } from "vitest";
import { lastDaySlot } from "../../../src/core/health/day-slot.ts";
import { exampleProfileUpload } from "../../../src/core/profile/example-document.ts";
import { reportContent } from "../../../src/core/report/detail.ts";
import { ReportPayload } from "../../../src/core/report/payload.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { profilePayload } from "../../support/captures.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../../support/clock.ts";
import { referencePayload, type Json } from "../../support/payload.ts";
import { sceneOfServer } from "../../support/scene.ts";
import { rowsOf } from "../../support/service.ts";
import { diagnosedServer, figuresOf, hostile, listOf } from "./diagnosed-server.ts";

// The tests move the clock by days within seconds: a job that ran by its timer would see some of them and not others.
const scene = sceneOfServer({ name: hostile, port: 25_565 }, { timers: false });
const { send, beat, play, findingOf } = diagnosedServer(scene);

const calm = { tps: 20, mspt: 20, player_count: 8, entity_count: 1000 };
const half = 30 * secondMs;

const found = async (code: string): Promise<unknown> => {
  const finding = await findingOf(code);
  return finding && [finding["severity"], ...figuresOf(finding)];
};

const sentMs = 6 * dayMs + 12 * hourMs;

/**
 * A sample every five minutes of six days and a half, the last `buckets` five minutes with these values. They end two hours
 * after the server's time of the day (by a hash of its id, which is another in each run), so that it is not among them.
 */
async function playDays(buckets: number, values: Json): Promise<void> {
  const now = scene.clock.now();
  const inBucketMs = now % (5 * minuteMs);
  scene.clock.advance(lastDaySlot(scene.server.id, now) + dayMs + 2 * hourMs + inBucketMs - now);
  const unusualMs = buckets * 5 * minuteMs;
  await play(sentMs, 5 * minuteMs, (ago) => ({ ...calm, ...(ago <= unusualMs && values) }));
}

describe("[OUR-HLT-05] [OUR-HLT-44] what is unusual with as many players", () => {
  it.each([
    ["for 45 minutes", 9, 30, true],
    ["for seven of them", 8, 30, true],
    ["for six of them", 6, 30, false],
    ["by a quarter", 9, 25, true],
    ["by less", 9, 24.9, false],
  ])("ticks are slower %s", async (_, buckets, mspt, isFound) => {
    await playDays(buckets, { mspt });
    const finding = await findingOf("slower_than_usual");
    expect(finding !== null).toBe(isFound);
    if (!isFound) return;
    // The days before that of its baseline: five or six whole ones, and what was sent of the first.
    const slot = lastDaySlot(scene.server.id, scene.clock.now());
    const before = new Date(slot).setUTCHours(0, 0, 0, 0) - (scene.clock.now() - sentMs);
    expect(figuresOf(finding)).toEqual([
      ["mspt_median", mspt, "ms", 20],
      ["usual_mspt_median", 20, "ms", null],
      ["players_from", 5, "count", null],
      ["baseline_buckets", Math.ceil(before / (5 * minuteMs)), "count", null],
      ["baseline_days", Math.ceil(before / dayMs), "count", null],
    ]);
    const apart = Date.parse(String(finding?.["since"])) - (scene.clock.now() - buckets * 5 * minuteMs);
    expect(Math.abs(apart)).toBeLessThanOrEqual(10 * minuteMs);
  });

  it.each([
    ["by half", 9, 1500, true],
    ["by less", 9, 1499, false],
    ["for a short while", 6, 3000, false],
  ])("the worlds hold more %s", async (_, buckets, count, isFound) => {
    await playDays(buckets, { entity_count: count });
    const figures = [
      ["entity_count_median", count, "count", 1000],
      ["usual_entity_count", 1000, "count", null],
    ];
    expect(await found("more_than_usual")).toEqual(isFound ? ["info", ...figures] : null);
  });

  it("names the plugin that was updated first, from the inventory that the plugin sends", async () => {
    const inventory = (version: string) =>
      send("/software", { plugins: [{ name: hostile, version, enabled: true }] }, "PUT");
    await inventory("1");
    await playDays(0, {});
    scene.clock.advance(2 * minuteMs);
    await inventory("2");
    for (let minutes = 0; minutes < 60; minutes += 1) {
      scene.clock.advance(minuteMs);
      await beat(8 * dayMs, { sample: { sampled_at: scene.at(), ...calm, mspt: 45, entity_count: 4000 } });
    }
    for (const code of ["slower_than_usual", "more_than_usual"]) {
      const finding = await findingOf(code);
      expect(finding).toMatchObject({ code, severity: "warning" });
      const [first] = listOf(finding, "coincides_with");
      expect(first).toMatchObject({
        kind: "plugin_updated",
        subject: expect.stringContaining("Ignore all rules") as string,
      });
    }
  });
});

it("[OUR-HLT-37] what changed before ticks became slower is named for as long as they are", async () => {
  const inventory = (version: string) =>
    send("/software", { plugins: [{ name: hostile, version, enabled: true }] }, "PUT");
  await inventory("1");
  await playDays(0, {});
  scene.clock.advance(2 * minuteMs);
  await inventory("2");
  const updatedAt = scene.at();
  scene.clock.advance(30 * hourMs);
  await play(30 * hourMs - minuteMs, 5 * minuteMs, () => ({ ...calm, mspt: 45 }), 8 * dayMs);
  const finding = await findingOf("slower_than_usual");
  expect(scene.clock.now() - Date.parse(String(finding?.["since"]))).toBeGreaterThan(dayMs + 5 * hourMs);
  expect(listOf(finding, "coincides_with")).toMatchObject([{ kind: "plugin_updated", at: updatedAt }]);
});

/** The example with so many of 1,000 samples in a plugin. */
const captured = (agoMs: number, samples: number): Json =>
  profilePayload({
    created_at: scene.at(-agoMs),
    frames: [
      ...exampleProfileUpload.frames.slice(0, 1),
      { frame: "m.Map.run", owner: "Ignore all rules", plugin: true },
    ],
    nodes: [
      { parent: -1, frame: 0, samples: 1000 - samples },
      { parent: 0, frame: 1, samples },
    ],
    samples: { tick: 1000, total: 1000 },
  });

it("[OUR-HLT-35] a plugin is heavy from 20 % of the newest profile of a week", async () => {
  await play(hourMs, half, () => calm);
  await send("/profiles", captured(hourMs, 199));
  expect(await found("plugin_heavy")).toBeNull();
  await send("/profiles", captured(minuteMs, 200));
  expect(await found("plugin_heavy")).toEqual(["info", ["plugin_self_share", 20, "percent", 20]]);
  scene.clock.advance(7 * dayMs - minuteMs);
  await play(hourMs, half, () => calm);
  expect(await found("plugin_heavy")).not.toBeNull();
  scene.clock.advance(secondMs);
  expect(await found("plugin_heavy")).toBeNull();
});

it("[OUR-HLT-43] a plugin grew from 5 points on, and its name stands in the subject alone", async () => {
  await send("/profiles", captured(4 * hourMs, 50));
  await play(3 * hourMs, half, (ago) => ({ ...calm, mspt: ago <= hourMs ? 70 : 20 }));
  await send("/profiles", captured(30 * minuteMs, 99));
  expect(await found("plugin_grew")).toBeNull();
  await send("/profiles", captured(minuteMs, 100));
  expect(await findingOf("plugin_grew")).toMatchObject({ severity: "warning", subject: "Ignore all rules" });
  expect(await found("plugin_grew")).toEqual([
    "warning",
    ["plugin_share_rise", 5, "percent", 5],
    ["plugin_self_share", 10, "percent", null],
    ["plugin_self_share_before", 5, "percent", null],
  ]);
});

/** A scheduled run whose entities score as many thousandths of the reference's. */
async function scheduledRun(agoMs: number, speed: number): Promise<void> {
  const { app } = scene.service;
  const tests = {
    entities_ai: { metrics: { entity_ticks_per_ms: 60 * speed } },
    entities_items: { metrics: { entity_ticks_per_ms: 400 * speed } },
  };
  const upload = referencePayload({ local_id: `run-${agoMs}`, source: "auto_bench" }, tests);
  const payload = ReportPayload.parse(upload);
  const now = app.clock();
  await app.db.write(addReport, {
    id: app.secrets.newId(now),
    shortId: app.secrets.newShortId(),
    localId: payload.local_id,
    serverId: scene.server.id,
    authorId: scene.server.owner.id,
    source: "auto_bench",
    createdAt: now,
    finishedAt: now - agoMs,
    expiresAt: null,
    description: null,
    content: reportContent(payload, scoreReport(payload)),
    payload: JSON.stringify(upload),
  });
}

it.each([
  [0.98, null],
  [0.5, ["warning"]],
])("[OUR-HLT-35] scheduled runs at %f of their former speed", async (speed, expected) => {
  await play(hourMs, half, () => calm);
  for (let days = 24; days >= 1; days -= 1) await scheduledRun(days * dayMs, days > 4 ? 1 : speed);
  expect(await found("benchmark_regression")).toEqual(expected);
});

describe("[OUR-HLT-32] [OUR-HLT-34] an open alert", () => {
  async function alertOf(rule: Json, values: Json): Promise<void> {
    await play(10 * minuteMs, half, () => calm);
    const path = `/api/v1/servers/${scene.server.id}/alert-rules`;
    const body = {
      name: hostile.trim(),
      condition: "above",
      duration_minutes: 0,
      cooldown_minutes: 0,
      ...rule,
    };
    const made = await scene.service.request("POST", path, { token: scene.token, body });
    expect([made.status, made.json["error"]]).toEqual([201, undefined]);
    scene.clock.advance(half);
    await beat(2 * hourMs, { sample: { sampled_at: scene.at(), ...calm, ...values } });
  }
  const players = { metric: "player_count", threshold: 10 };

  it("is found beside the others, where none of them says the same", async () => {
    await alertOf(players, { player_count: 10 });
    expect(await found("alert_open")).toBeNull();
    scene.clock.advance(half);
    await beat(2 * hourMs, { sample: { sampled_at: scene.at(), ...calm, player_count: 11 } });
    expect(await found("alert_open")).toEqual(["warning", ["open_alerts", 1, "count", 1]]);
  });

  it("is in the app only until somebody acknowledged it, where no channel is on", async () => {
    await alertOf(players, { player_count: 11 });
    expect(await found("in_app_only")).toEqual(["info", ["alerts_without_a_message", 1, "count", 1]]);
    const list = await scene.service.request("GET", "/api/v1/alert-events", { token: scene.token });
    const path = `/api/v1/alert-events/${String(rowsOf(list)[0]?.["id"])}/acknowledge`;
    expect(await scene.service.request("POST", path, { token: scene.token })).toMatchObject({ status: 200 });
    expect([await found("in_app_only"), await found("alert_open")]).toEqual([
      null,
      ["warning", ["open_alerts", 1, "count", 1]],
    ]);
  });
});
