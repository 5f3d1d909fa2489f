import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { Job } from "../../../src/core/job/job.ts";
import { jobRunner, leaseMs } from "../../../src/store/job/jobs.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import type { JobResult } from "../engine/job-worker.ts";
import { day, minute, noon, times } from "../engine/rows.ts";
import { workers } from "../engine/workers.ts";

const everyMs = minute;
const idle = (name = "sweep"): Job => ({ name, everyMs, run: async () => {} });

/** A job that stays for some turns of the event loop, and sees whether anybody else is at it. */
function watched(name: string) {
  let inside = 0;
  const seen = { runs: 0, overlaps: 0 };
  const job = (turns: number, fails: boolean): Job => ({
    name,
    everyMs,
    run: async () => {
      seen.runs += 1;
      inside += 1;
      if (inside > 1) seen.overlaps += 1;
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      inside -= 1;
      if (fails) throw new Error("the job failed");
    },
  });
  return { seen, job };
}

const jump = fc.oneof(
  fc.integer({ min: 0, max: 2 * everyMs }),
  fc.integer({ min: -3 * day, max: 3 * day }),
  fc.constantFrom(-365 * day, 365 * day, -90_000, 90_000),
);
const ask = fc.record({
  store: fc.nat({ max: 2 }),
  name: fc.constantFrom("a", "b"),
  turns: fc.nat({ max: 20 }),
  fails: fc.boolean(),
  jump,
  /** Whether everything asked for so far is over before the next ask. */
  waits: fc.boolean(),
});

const folder = mkdtempSync(join(tmpdir(), "tickmark-jobs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void vi.useRealTimers());

eachDatabase((databases, kind) => {
  const start = workers("job");

  const onOne = async (count: number, ticks?: () => number) => {
    const url = await databases.url();
    const opened = [];
    for (const _ of times(count)) opened.push(jobRunner(await databases.open(url), ticks));
    return opened;
  };

  describe("a job", () => {
    it("[OUR-PRC-03] [OUR-PRC-06] runs in one process at a time, however often and by whatever clock it is asked for", async () => {
      const db = await onOne(3);
      const totals = { runs: 0, overlaps: 0, blocked: 0 };
      let now = noon;
      await fc.assert(
        fc.asyncProperty(fc.array(ask, { minLength: 1, maxLength: 12 }), async (asks) => {
          const jobs = { a: watched("a"), b: watched("b") };
          const asked: Promise<unknown>[] = [];
          for (const { store, name, turns, fails, jump, waits } of asks) {
            now += jump;
            const [job, at] = [jobs[name as "a" | "b"].job(turns, fails), now];
            asked.push(Promise.resolve(db[store]?.runAlone(job, () => at)).catch(() => "failed"));
            if (waits) await Promise.all(asked);
          }
          await Promise.all(asked);
          // Whatever the clock did: nobody is at it, so within two periods it runs, for whoever asks.
          for (const [name, { seen }] of Object.entries(jobs)) {
            totals.runs += seen.runs;
            totals.overlaps += seen.overlaps;
            const runs = async (later: number) => db[2]?.runAlone(idle(name), () => now + later);
            if (!(await runs(everyMs)) && !(await runs(2 * everyMs))) totals.blocked += 1;
          }
        }),
        { numRuns: kind === "PostgreSQL" ? 40 : 100 },
      );
      console.log(
        `jobs under three db on ${kind}, clocks set at will: ${totals.runs} runs, ` +
          `overlaps ${totals.overlaps}, blocked ${totals.blocked}`,
      );
      expect(totals).toMatchObject({ overlaps: 0, blocked: 0 });
    });

    it("[OUR-PRC-03] runs in one process at a time when three ask for it without a pause", async () => {
      const url = await databases.url();
      const log = join(folder, `${kind}.log`);
      const racers = await Promise.all(times(3).map(() => start(url, log, "30")));
      for (const racer of racers) racer.begin();
      const results = (await Promise.all(racers.map((racer) => racer.result()))) as JobResult[];
      const lines = readFileSync(log, "utf8").trim().split("\n");
      const overlaps = lines.filter((line, index) =>
        index % 2 === 0 ? !line.startsWith("enter") : line !== lines[index - 1]?.replace("enter", "leave"),
      ).length;
      const runs = results.reduce((sum, result) => sum + result.runs, 0);
      console.log(`jobs in three processes on ${kind}: ${runs} runs, overlaps ${overlaps}`);
      expect(results.flatMap(({ errors }) => errors)).toEqual([]);
      expect([lines.length, overlaps]).toEqual([2 * runs, 0]);
      expect(runs).toBe(90);
    });

    it("[OUR-PRC-04] of a process that is killed is taken over", async () => {
      const url = await databases.url();
      let ahead = 0;
      const jobs = jobRunner(
        await databases.open(url),
        () => Number(process.hrtime.bigint() / 1_000_000n) + ahead,
      );
      const job = { ...idle("visit"), everyMs: 1000 };
      const holder = await start(url, "", "0");
      const { stdout } = holder.process;
      if (!stdout) throw new Error("A worker's output is read.");
      holder.begin();
      await once(stdout, "data");
      expect(await jobs.runAlone(job, Date.now)).toBe(false);
      const ended = once(holder.process, "exit");
      holder.process.kill("SIGKILL");
      await ended;
      const diedAt = performance.now();
      if (kind === "PostgreSQL") {
        while (!(await jobs.runAlone(job, Date.now)));
        const waitedMs = performance.now() - diedAt;
        console.log(`a job of a killed process on ${kind}: taken over after ${waitedMs.toFixed(0)} ms`);
        // The clock of the leases stands still but for the time of the test, so that no lease ran out.
        expect(leaseMs).toBeGreaterThan(waitedMs);
        return;
      }
      expect(await jobs.runAlone(job, Date.now)).toBe(false);
      ahead = leaseMs;
      expect(await jobs.runAlone(job, Date.now)).toBe(true);
      console.log(`a job of a killed process on ${kind}: taken over after its lease of ${leaseMs} ms`);
    });

    it("[OUR-PRC-04] that fails is given back at once, and tells its failure", async () => {
      const [one, other] = await onOne(2);
      const failing = { ...idle(), run: () => Promise.reject(new Error("no")) };
      await expect(one?.runAlone(failing, () => noon)).rejects.toThrow("no");
      expect(await other?.runAlone(idle(), () => noon + everyMs / 2)).toBe(false);
      expect(await other?.runAlone(idle(), () => noon + everyMs)).toBe(true);
    });

    it("[OUR-PRC-05] is done once a period, whoever asks", async () => {
      const [one, other] = await onOne(2);
      const ran: boolean[] = [];
      for (const step of times(12)) {
        const asked = [one, other][step % 2];
        if (await asked?.runAlone(idle(), () => noon + step * (everyMs / 3))) ran.push(step % 3 === 0);
      }
      expect(ran).toEqual([true, true, true, true]);
    });

    // A lease is SQLite's alone: PostgreSQL has locks of its own.
    if (kind !== "PostgreSQL")
      it("[OUR-PRC-04] that takes longer than a lease stays with the process that lives", async () => {
        vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
        let ticks = 5000;
        const [one, other] = await onOne(2, () => ticks);
        let end = (): void => {};
        const long = { ...idle(), run: () => new Promise<void>((resolve) => (end = resolve)) };
        const running = one?.runAlone(long, () => noon);
        for (const step of times(10)) {
          await setImmediate();
          ticks += leaseMs / 3;
          vi.advanceTimersByTime(leaseMs / 3);
          await setImmediate();
          expect(await other?.runAlone(idle(), () => noon + (step + 1) * everyMs)).toBe(false);
        }
        end();
        expect(await running).toBe(true);
        expect(await other?.runAlone(idle(), () => noon + 20 * everyMs)).toBe(true);
      });

    if (kind !== "PostgreSQL")
      it("[OUR-PRC-04] that was under way when the machine stopped is taken over after its start", async () => {
        for (const [before, after, waits] of [
          [90_000_000, 3000, false],
          [5000, 8000, true],
        ] as const) {
          let ticks: number = before;
          const [dead, next] = await onOne(2, () => ticks);
          void dead?.runAlone({ ...idle(), run: () => new Promise(() => {}) }, () => noon);
          await setImmediate();
          await setImmediate();
          ticks = after;
          expect(await next?.runAlone(idle(), () => noon + everyMs)).toBe(!waits);
          ticks = before + leaseMs;
          if (waits) expect(await next?.runAlone(idle(), () => noon + everyMs)).toBe(true);
        }
      });
  });
}, sharedKinds);
