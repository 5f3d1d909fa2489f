import { afterEach, beforeEach, expect, it } from "vitest";
import { lastDaySlot } from "../../src/core/health/day-slot.ts";
import { ReportedSample, sampleOf } from "../../src/core/metric/reported-sample.ts";
import { loadDaysOf } from "../../src/store/health/baselines.ts";
import { insertSamples } from "../../src/store/metric/samples.ts";
import { dice } from "../support/dice.ts";
import type { Json } from "../support/payload.ts";
import { playedHealth, type PlayedHealth } from "./played-health.ts";

const [minute, day] = [60_000, 86_400_000];
const players = { player_count: 12 };

let played: PlayedHealth;
beforeEach(async () => {
  played = await playedHealth();
});
afterEach(async () => {
  expect(played.warned).toEqual([]);
  await played.scene.close();
});

/** So many days of samples before now, one every five minutes, of 18 to 22 ms a tick, or of `least` and 4 ms more. */
async function usualDays(days: number, least = 18): Promise<void> {
  const { clock, app } = played.scene.test;
  const random = dice(7);
  const samples = Array.from({ length: days * 288 }, (_, index) => {
    const sampledAt = clock.now - days * day + index * 5 * minute;
    const sent = { ...players, tps: 20, mspt: least + 4 * random(), entity_count: 900 };
    const reported = ReportedSample.parse({ sampled_at: new Date(sampledAt).toISOString(), ...sent });
    return { sampledAt, sample: sampleOf(reported), receivedAt: clock.now };
  });
  await app.db.write(insertSamples, played.scene.server.id, samples);
}

const findingOf = (health: Json, code: string): Json | undefined =>
  (health["findings"] as Json[]).find((finding) => finding["code"] === code);

const usual = { ...players, tps: 20, mspt: 20, entity_count: 900 };
const slow = { ...usual, mspt: 34 };

it("[OUR-HLT-64] a slowdown against the same server's usual days is found, with its beginning, and ends", async () => {
  await usualDays(14);
  await played.play(30, usual);
  expect(await played.diagnose()).toMatchObject({ verdict: "healthy" });
  const begun = played.scene.test.clock.now;
  await played.play(55, slow);
  const health = await played.diagnose();
  expect(health).toMatchObject({ verdict: "degraded", headline: { code: "slower_than_usual" } });
  const finding = findingOf(health, "slower_than_usual");
  expect(Math.abs(Date.parse(String(finding?.["since"])) - begun)).toBeLessThanOrEqual(10 * minute);
  const evidence = finding?.["evidence"] as Json[];
  expect(evidence[0]).toMatchObject({ key: "mspt_median", value: 34, unit: "ms" });
  expect(evidence[0]?.["threshold"]).toBeGreaterThan(20);
  expect(evidence[0]?.["threshold"]).toBeLessThanOrEqual(22);
  expect(await played.stored()).toMatchObject({ verdict: "degraded", reasons: ["slower_than_usual"] });
  const overThen = new Date(played.scene.test.clock.now).toISOString();
  await played.play(110, usual);
  expect(await played.diagnose()).toMatchObject({ verdict: "healthy" });
  // Read later, the period that is over says the same.
  const from = new Date(Date.parse(overThen) - 6 * 60 * minute).toISOString();
  const past = await played.diagnose(`?from=${from}&to=${overThen}`);
  expect(findingOf(past, "slower_than_usual")?.["since"]).toBe(finding?.["since"]);
});

it("[OUR-HLT-79] a slowdown that comes back each evening began on the first, now and read later", async () => {
  const { clock } = played.scene.test;
  await usualDays(14);
  await played.play(30, usual);
  const begun = clock.now;
  for (let evening = 1; evening <= 3; evening += 1) {
    await played.play(60, slow);
    const now = clock.now;
    const past = `?from=${new Date(now - 6 * 60 * minute).toISOString()}&to=${new Date(now).toISOString()}`;
    const answers = [await played.diagnose(), await played.diagnose(past)];
    await played.play(110, usual);
    expect(findingOf(await played.diagnose(), "slower_than_usual")).toBeUndefined();
    const rest = day - 170 * minute;
    clock.advance(rest);
    await usualDays(rest / day);
    answers.push(await played.diagnose(past));
    for (const answer of answers) {
      const finding = findingOf(answer, "slower_than_usual");
      expect(finding).toMatchObject({ intermittent: evening > 1 });
      expect(Math.abs(Date.parse(String(finding?.["since"])) - begun)).toBeLessThanOrEqual(10 * minute);
      const evidence = (finding?.["evidence"] ?? []) as Json[];
      const figures = new Map(evidence.map(({ key, value }) => [key, value]));
      expect(figures.get("evenings")).toBe(evening > 1 ? evening : undefined);
    }
  }
});

it("[OUR-HLT-64] a slowdown that nobody followed is found with its beginning, hours ago", async () => {
  const { clock } = played.scene.test;
  await usualDays(14);
  const begun = clock.now;
  clock.advance(day / 4);
  await usualDays(0.25, 32);
  await played.play(6, slow);
  const finding = findingOf(await played.diagnose(), "slower_than_usual");
  expect(Math.abs(Date.parse(String(finding?.["since"])) - begun)).toBeLessThanOrEqual(10 * minute);
  // It stays when buckets follow.
  await played.play(15, slow);
  const later = findingOf(await played.diagnose(), "slower_than_usual");
  expect(later?.["since"]).toBe(finding?.["since"]);
});

it("what is usual is worked out once a day, from days that are read once", async () => {
  await usualDays(6);
  await played.play(6, usual);
  const { app, clock } = played.scene.test;
  const { id } = played.scene.server;
  // It was worked out at the server's own time of the day, which may be before a midnight that has passed.
  const workedOut = Math.floor(lastDaySlot(id, clock.now) / day) * day;
  const days = await app.db.read(loadDaysOf, id, workedOut - 20 * day, workedOut);
  expect(days).toHaveLength(14);
  expect(days.at(-1)?.buckets.length).toBeGreaterThan(200);
  expect(days[0]?.buckets).toEqual([]);
  const { not_measured } = await played.diagnose();
  expect((not_measured as Json[]).map(({ field }) => field)).not.toContain("usual_mspt");
});

it("[OUR-HLT-66] a server of two days says from when on its ticks are compared", async () => {
  await usualDays(2);
  await played.play(6, usual);
  const { not_measured } = await played.diagnose();
  const missing = (not_measured as Json[]).find(({ field }) => field === "usual_mspt");
  expect(missing).toMatchObject({ reason: "baseline_too_short" });
  const wait = Date.parse(String(missing?.["available_from"])) - played.scene.test.clock.now;
  expect(wait).toBeGreaterThan(day);
  expect(wait).toBeLessThan(5 * day);
});
