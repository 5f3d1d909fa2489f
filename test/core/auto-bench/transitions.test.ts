import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInFlight, queuedJob, type JobState } from "../../../src/core/auto-bench/job.ts";
import { afterJob } from "../../../src/core/auto-bench/target.ts";
import {
  cancelled,
  claimed,
  finished,
  heard,
  reported,
  settle,
  shouldStop,
} from "../../../src/core/auto-bench/transitions.ts";
import { targetOf } from "../../support/auto-bench-target.ts";
import { happen, newModel, type Happening } from "./job-model.ts";
import { randomCases } from "../../support/long.ts";

const now = Date.UTC(2026, 10, 20, 8);
const minute = 60_000;
const claim = { runnerId: "r", agentId: "a", nonce: "n2" };
const silent = { percent: null, stage: null, runIndex: null };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constantFrom("time", "claim", "cancel", "report") }),
  fc.record({ kind: fc.constant("claim" as const) }),
  fc.record({ kind: fc.constant("heartbeat" as const), starts: fc.boolean() }),
  fc.record({
    kind: fc.constant("finish" as const),
    outcome: fc.constantFrom("succeeded", "failed", "cancelled"),
  }),
);
const wait = fc.oneof(
  fc.constantFrom(
    0,
    1,
    5 * minute - 1,
    5 * minute,
    10 * minute - 1,
    10 * minute,
    30 * minute - 1,
    30 * minute,
  ),
  fc.integer({ min: 0, max: 4 * minute }),
  fc.integer({ min: 0, max: 50 * minute }),
);

/** The same as the model's, through the functions of the core. */
function apply(before: JobState, event: Happening, at: number, reports: number): [JobState, boolean] {
  const job = settle(before, at);
  switch (event.kind) {
    case "time":
      return [job, true];
    case "claim":
      return job.status === "queued" ? [claimed(job, claim, at), true] : [job, false];
    case "cancel":
      return [cancelled(job, at), isInFlight(job.status)];
    case "report": {
      const after = reported(job, at);
      return [after ?? job, after !== null];
    }
    case "heartbeat": {
      const after = heard(job, { ...silent, stage: event.starts ? "running_tests" : "preparing" }, at);
      return [after, after !== job];
    }
    case "finish": {
      const after = finished(job, { outcome: event.outcome, errorCode: null, reports }, at);
      return [after ?? job, after !== null];
    }
  }
}

const takes: Happening = { kind: "claim" };
const starts: Happening = { kind: "heartbeat", starts: true };
const reports: Happening = { kind: "report" };
const stops: Happening = { kind: "cancel" };
const waits: Happening = { kind: "time" };
const ends = (outcome: "succeeded" | "failed" | "cancelled"): Happening => ({ kind: "finish", outcome });
/** Jobs of one run that take the rare ways too, whatever chance adds; `waits` is half an hour after what was before. */
const stories = [
  [takes, starts, reports, ends("succeeded")],
  [takes, reports, stops, ends("succeeded")],
  [takes, starts, ends("failed")],
  [takes, starts, waits],
  [takes, stops, ends("failed")],
  [takes, stops, ends("cancelled")],
  [takes, ends("failed")],
  [takes, waits, takes, waits],
  [stops],
  [waits],
].map((story): [number, [number, Happening][]] => [
  1,
  story.map((event) => [event === waits ? 30 * minute : 0, event]),
]);

it("[OUR-AUT-01] a job lives as the table of its states says, whatever happens to it and when", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.tuple(wait, happening), { maxLength: 40 }),
      (runs, story) => {
        const model = newModel(now);
        let job = queuedJob("n", runs, now);
        let at = now;
        for (const [pause, event] of story) {
          at += pause;
          const from = job.status;
          const [after, taken] = apply(job, event, at, model.reports);
          expect(happen(model, event, at, runs)).toBe(taken);
          expect(after.status).toBe(model.status);
          expect(after.finishedAt === null).toBe(isInFlight(after.status));
          expect(shouldStop(after)).toBe(!["claimed", "running"].includes(after.status));
          if (from !== after.status)
            seen.set(`${from} > ${after.status}`, (seen.get(`${from} > ${after.status}`) ?? 0) + 1);
          if (!isInFlight(from)) expect(after).toBe(job);
          job = after;
        }
      },
    ),
    { numRuns: randomCases(5000), examples: stories },
  );
  console.log([...seen].map(([move, count]) => `${move}: ${count}`).join(", "));
  expect(seen.size).toBeGreaterThan(12);
});

const jump = fc.oneof(
  fc.integer({ min: -400, max: 400 }).map((days) => days * 24 * 60 * minute),
  wait,
);

it("[OUR-AUT-02] clocks that are set leave no job in flight for longer than its longest wait", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(jump, happening), { maxLength: 12 }), (story) => {
      let job = queuedJob("n", 1, now);
      let at = now;
      for (const [pause, event] of story) {
        at += pause;
        [job] = apply(job, event, at, 1);
      }
      // Nobody says a word any more: claimed, queued again, and waited for in vain.
      for (let passed = 0; passed <= 120; passed += 1) job = settle(job, at + passed * minute);
      // A clock that was set back within a wait is waited for so much longer.
      for (let passed = 0; passed <= 240; passed += 5) job = settle(job, at + passed * minute);
      expect(isInFlight(job.status)).toBe(false);
    }),
    { numRuns: randomCases(2000) },
  );
});

it("[OUR-AUT-01] [AUT-13] an agent that was asked to stop and talks on has five minutes, to the millisecond", () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.integer({ min: 0, max: 4 * minute }),
      fc.array(fc.integer({ min: 1, max: minute }), { minLength: 30, maxLength: 30 }),
      (starts, before, pauses) => {
        const taken = claimed(queuedJob("n", 3, now), claim, now);
        const told = heard(taken, { ...silent, stage: starts ? "running_tests" : null }, now + 1);
        const asked = now + 1 + before;
        let job = cancelled(told, asked);
        let at = asked;
        for (const pause of pauses) {
          at += pause;
          job = heard(settle(job, at), { ...silent, percent: 40 }, at);
          expect(shouldStop(job)).toBe(true);
          expect(job.status).toBe(at - asked < 5 * minute ? "cancelling" : "cancelled");
        }
        const ended = settle(job, asked + 5 * minute);
        expect(ended).toMatchObject({ status: "cancelled", errorCode: null, cancelRequested: true });
        expect(settle(cancelled(told, asked), asked + 5 * minute - 1).status).toBe("cancelling");
        expect(cancelled(ended, at)).toBe(ended);
      },
    ),
  );
});

describe("progress", () => {
  const running = heard(
    claimed(queuedJob("n", 2, now), claim, now),
    { ...silent, stage: "running_tests" },
    now,
  );

  it("[AUT-08] is what the agent said last, and what it does not know stays", () => {
    const told = heard(running, { percent: 40, stage: null, runIndex: 3 }, now + 1);
    expect(told).toMatchObject({ percent: 40, stage: "running_tests", runIndex: 2, updatedAt: now + 1 });
    expect(heard(told, silent, now + 2)).toMatchObject({ percent: 40, runIndex: 2, lastSeenAt: now + 2 });
  });

  it.each([
    [33.3, 33],
    [66.5, 67],
    [0.4, 0],
    [99.9, 100],
  ])("[OUR-AUT-25] a percentage of %s is kept as %i", (percent, kept) => {
    expect(heard(running, { ...silent, percent }, now).percent).toBe(kept);
  });

  it("[OUR-AUT-03] a claim takes a nonce of its own, and a job that goes back to the queue forgets its agent", () => {
    const taken = claimed(queuedJob("n", 1, now), claim, now);
    expect(taken).toMatchObject({ nonce: "n2", runnerId: "r", stage: "preparing" });
    expect(settle(taken, now + 10 * minute)).toMatchObject({
      status: "queued",
      runnerId: null,
      agentId: null,
      claimedAt: null,
      stage: "waiting_agent",
    });
  });

  it("[OUR-AUT-04] a job says why it ended", () => {
    expect(settle(queuedJob("n", 1, now), now + 30 * minute).errorCode).toBe("not_claimed");
    expect(settle(running, now + 5 * minute).errorCode).toBe("agent_silent");
    const busy = { ...running, lastSeenAt: now + 90 * minute };
    expect(settle(busy, now + 90 * minute).errorCode).toBe("took_too_long");
    const failed = finished(running, { outcome: "failed", errorCode: "no_java", reports: 0 }, now);
    expect(failed?.errorCode).toBe("no_java");
  });
});

describe("failures in a row", () => {
  const target = targetOf({ id: "t", accountId: "a", serverId: "s" }, now, {
    scheduleCron: "0 4 * * *",
    nextRunAt: now,
  });
  const ends = fc.constantFrom("succeeded", "failed", "timed_out", "cancelled");

  it.each(["server_busy", "machine_busy"])("[OUR-AUT-26] a runner may skip a job with %s", (errorCode) => {
    const job = claimed(queuedJob("n", 1, now), claim, now);
    const skip = finished(job, { outcome: "cancelled", errorCode, reports: 0 }, now);
    expect(skip).toMatchObject({ status: "cancelled", errorCode, cancelRequested: false });
    const other = { outcome: "cancelled", errorCode: "bored", reports: 0 } as const;
    expect(finished(job, other, now)).toBeNull();
  });

  it("[OUR-AUT-05] three of them switch a target off; a success counts from zero, a cancelled job not at all", () => {
    fc.assert(
      fc.property(fc.array(ends, { maxLength: 12 }), (story) => {
        let after = target;
        let row: string[] = [];
        let off = false;
        for (const end of story) {
          after = afterJob(after, end, now);
          if (end === "succeeded") row = [];
          if (end === "failed" || end === "timed_out") row.push(end);
          off ||= row.length >= 3;
          expect(after.consecutiveFailures).toBe(row.length);
          expect(after.enabled).toBe(!off);
          expect(after.disabledReason).toBe(off ? "consecutive_failures" : null);
          expect(after.nextRunAt).toBe(off ? null : now);
        }
      }),
    );
    expect(afterJob({ ...target, enabled: false, consecutiveFailures: 2 }, "failed", now)).toMatchObject({
      enabled: false,
      disabledReason: null,
    });
  });
});
