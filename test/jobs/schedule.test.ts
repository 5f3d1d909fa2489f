import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startJobs } from "../../src/jobs/schedule.ts";
import { jobRunner } from "../../src/store/job/jobs.ts";
import { testApp, type TestApp } from "../support/test-app.ts";
import { patience } from "../support/patience.ts";

const minuteMs = 60_000;

let test: TestApp;
beforeEach(() => {
  test = testApp();
});
afterEach(() => test.close());

describe("the jobs of a process that just started", () => {
  it("begin after it has answered for two seconds, one after another", async () => {
    const { db, clock } = test.app;
    const log: string[] = [];
    let begunAt = Infinity;
    const job = (name: string) => ({
      name,
      everyMs: minuteMs,
      run: async () => {
        begunAt = Math.min(begunAt, performance.now());
        log.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        log.push(`${name} ends`);
      },
    });
    const startedAt = performance.now();
    const work = startJobs([job("one"), job("other")], {
      runner: jobRunner(db),
      clock,
      meter: { jobEnded: () => {} },
      warn: (name, error) => log.push(`${name}: ${String(error)}`),
      timers: true,
    });
    await vi.waitFor(() => expect(log).toHaveLength(4), patience);
    await work.stop();
    expect(begunAt - startedAt).toBeGreaterThanOrEqual(1990);
    expect(log).toEqual(["one begins", "one ends", "other begins", "other ends"]);
  });

  it("do not begin after it was stopped", async () => {
    const { db, clock } = test.app;
    const begun: string[] = [];
    const work = startJobs([{ name: "one", everyMs: 300, run: async () => void begun.push("one") }], {
      runner: jobRunner(db),
      clock,
      meter: { jobEnded: () => {} },
      warn: (name) => begun.push(name),
      timers: true,
    });
    await work.stop();
    await work.run();
    expect(begun).toEqual([]);
  });
});
