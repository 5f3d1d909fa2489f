import { expect, it } from "vitest";
import { baselineDays, baselineOf } from "../../src/core/health/baseline.ts";
import { stepSlowerThanUsual } from "../../src/core/health/slower-than-usual.ts";
import { unseenLevelState } from "../../src/core/health/unusual-level.ts";
import { bucketsPerDay, firstJudged, serverKinds, slowHistory } from "../support/slow-histories.ts";
import { eveningsFound, falseEpisodes, slowdownRates } from "../support/slow-rates.ts";

const servers = 60;
const percent = (count: number, of: number): string => `${((100 * count) / of).toFixed(0)} %`;

it(`how often a server that did not change is called slower, ${servers} servers a kind, 7 days judged each`, () => {
  for (const [kind, { name, dayToDay }] of serverKinds.entries()) {
    const rate = falseEpisodes(dayToDay, servers, 1 + kind * servers);
    console.log(
      `${name} (day to day ${dayToDay * 100} %): ${rate.toFixed(1)} false episodes per server and 30 days`,
    );
    expect(rate).toBeGreaterThanOrEqual(0);
  }
});

it(`how many lasting slowdowns are found within 2 h, one in each of ${servers} servers a kind`, () => {
  for (const factor of [2, 1.5])
    for (const [kind, { name, dayToDay }] of serverKinds.entries()) {
      const rates = slowdownRates(dayToDay, factor, servers, 1 + kind * servers);
      const { planted, found, sinceRight, rightNextDay, delays } = rates;
      const delay = delays[delays.length >> 1] ?? NaN;
      console.log(
        `x${factor} ${name}: ${percent(found, planted)} found, median delay ${delay.toFixed(0)} min; ` +
          `since within 10 min in ${percent(sinceRight, found)}, a day later in ${percent(rightNextDay, found)}`,
      );
      expect(found).toBeGreaterThan(0);
    }
});

it("how many slow evenings (18 to 22 h) are found, on the first to the fourteenth day, 24 servers a kind", () => {
  for (const factor of [1.6, 2])
    for (const [kind, { name, dayToDay }] of serverKinds.entries()) {
      const found = eveningsFound(dayToDay, { servers: 24, factor, firstSeed: 1 + kind * servers });
      console.log(`x${factor} ${name}: ${found.join(" ")} %`);
      expect(found[0]).toBeGreaterThan(0);
    }
});

/** CPU of one run in ms, on average over as many. */
function cpuOf(runs: number, work: () => unknown): string {
  for (let warm = 0; warm < runs / 10; warm += 1) work();
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) work();
  const { user, system } = process.cpuUsage(before);
  return `${((user + system) / 1000 / runs).toFixed(4)} ms of CPU`;
}

it("what a baseline and an hour of buckets cost", () => {
  const buckets = slowHistory(1, 0.1, { at: firstJudged, factor: 2 });
  const before = buckets.slice(0, baselineDays * bucketsPerDay);
  const baseline = baselineOf(before, firstJudged);
  const hour = buckets.slice(before.length, before.length + 12);
  const next = buckets.slice(before.length + 12, before.length + 24);
  const { state } = stepSlowerThanUsual(unseenLevelState, hour, baseline);
  expect(state.open).not.toBeNull();
  const kept = JSON.stringify(state);
  const calm = slowHistory(1, 0.1).slice(before.length, before.length + 12);
  console.log(
    [
      `a baseline of ${before.length} buckets: ${cpuOf(500, () => baselineOf(before, firstJudged))}`,
      `12 buckets of a usual hour: ${cpuOf(20_000, () => stepSlowerThanUsual(unseenLevelState, calm, baseline))}`,
      `12 buckets, a finding opens: ${cpuOf(20_000, () => stepSlowerThanUsual(unseenLevelState, hour, baseline))}`,
      `12 more of an open one: ${cpuOf(20_000, () => stepSlowerThanUsual(state, next, baseline))}`,
      `the same, read from JSON and written: ${cpuOf(20_000, () => JSON.stringify(stepSlowerThanUsual(JSON.parse(kept), next, baseline)))}`,
      `an open state as JSON: ${kept.length} characters`,
    ].join("\n"),
  );
});
