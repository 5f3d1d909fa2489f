import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInFlight, queuedJob, type JobState } from "../../../src/core/auto-bench/job.ts";
import { afterJob, type TargetRecord } from "../../../src/core/auto-bench/target.ts";
import {
  cancelled,
  claimed,
  finished,
  heard,
  reported,
  settle,
  shouldStop,
} from "../../../src/core/auto-bench/transitions.ts";
import { happen, newModel, type Happening } from "./job-model.ts";

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
    { numRuns: 5000 },
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
    { numRuns: 2000 },
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
  const target: TargetRecord = {
    id: "t",
    accountId: "a",
    serverId: "s",
    kind: "scheduled",
    name: "Nightly",
    enabled: true,
    mode: "standard",
    runsPerJob: 1,
    scheduleCron: "0 4 * * *",
    nextRunAt: now,
    notes: null,
    consecutiveFailures: 0,
    disabledReason: null,
    lastLaunchedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const ends = fc.constantFrom("succeeded", "failed", "timed_out", "cancelled");

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
