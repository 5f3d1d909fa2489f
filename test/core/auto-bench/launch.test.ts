import fc from "fast-check";
import { expect, it } from "vitest";
import { launchRefusal, type LaunchFacts } from "../../../src/core/auto-bench/launch.ts";

const now = Date.UTC(2026, 10, 20, 8);
const hour = 3_600_000;
const facts: LaunchFacts = { runsPerJob: 3, lastLaunchedAt: null, inFlightId: null, limit: 10, spent: [] };

it("[AUT-11] [AUT-18] [AUT-16] a launch is refused for the first of several reasons: running, cooldown, quota", () => {
  const all = { ...facts, inFlightId: "j", lastLaunchedAt: now - 1, limit: 0 };
  expect(launchRefusal(all, now)).toEqual({ kind: "already_running", jobId: "j" });
  expect(launchRefusal({ ...all, inFlightId: null }, now)).toEqual({ kind: "cooldown", waitMs: 59_999 });
  expect(launchRefusal({ ...all, inFlightId: null, lastLaunchedAt: now - 60_000 }, now)?.kind).toBe(
    "daily_run_quota_exceeded",
  );
  expect(launchRefusal(facts, now)).toBeNull();
});

const spending = fc
  .array(fc.record({ ago: fc.integer({ min: 0, max: 30 * hour }), runs: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 12,
  })
  .map((list) => list.toSorted((a, b) => b.ago - a.ago).map(({ ago, runs }) => ({ at: now - ago, runs })));

it("[AUT-16] [AUT-17] runs of the last 24 hours count, each of them, and waiting as long as told makes room", () => {
  fc.assert(
    fc.property(
      spending,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 20 }),
      (spent, runsPerJob, limit) => {
        const asked = { ...facts, spent, runsPerJob, limit };
        const used = (at: number): number =>
          spent.filter((one) => one.at > at - 24 * hour).reduce((sum, { runs }) => sum + runs, 0);
        const refusal = launchRefusal(asked, now);
        expect(refusal === null).toBe(used(now) + runsPerJob <= limit);
        if (refusal?.kind !== "daily_run_quota_exceeded") return;
        expect(refusal.left).toBe(Math.max(0, limit - used(now)));
        if (refusal.waitMs === null) return void expect(runsPerJob > limit).toBe(true);
        expect(launchRefusal(asked, now + refusal.waitMs)).toBeNull();
        expect(launchRefusal(asked, now + refusal.waitMs - 1)).not.toBeNull();
      },
    ),
  );
});

it("[OUR-AUT-02] a launch that a wrong clock noted ahead of now blocks nothing", () => {
  const ahead = now + 400 * 24 * hour;
  expect(
    launchRefusal({ ...facts, lastLaunchedAt: ahead, spent: [{ at: ahead, runs: 10 }] }, now),
  ).toBeNull();
});
