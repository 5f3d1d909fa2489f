import type { Job } from "../core/job/job.ts";
import type { JobRunner } from "../store/job/jobs.ts";
import type { Meter } from "../contract/call/meter.ts";
import type { Instant } from "../core/time.ts";

export interface Scheduling {
  readonly runner: JobRunner;
  readonly clock: () => Instant;
  readonly meter: Pick<Meter, "jobEnded">;
  /** Called for a run that failed; the next one starts all the same. */
  readonly warn: (job: string, error: unknown) => void;
  /** False: nothing runs until `run` is called, for tests whose clock does not move by itself. */
  readonly timers: boolean;
}

export interface Schedule {
  /** Does what is due now instead of waiting for its timer. */
  run(): Promise<void>;
  /** Starts no further run, and waits for those under way. */
  stop(): Promise<void>;
}

/** Checks per period whether a job is due, so that another process soon takes over from a dead one. */
const asksAPeriod = 3;

/** Delay of a new process's first jobs, ms: they compile code on the thread of the first requests. */
const answersFirstMs = 2000;

/**
 * Runs each job at its period, in one process at a time. First runs follow one another, so that requests wait
 * for one job at most. The timers keep no process alive.
 */
export function startJobs(jobs: readonly Job[], scheduling: Scheduling): Schedule {
  const { runner, clock, meter, timers } = scheduling;
  const schedules = jobs.map((job) =>
    repeat(job.everyMs / asksAPeriod, job.name, { ...scheduling, begins: "at its time" }, async () => {
      const begun = performance.now();
      if (await runner.runAlone(job, clock)) meter.jobEnded(job.name, (performance.now() - begun) / 1000);
    }),
  );
  const all = together(schedules);
  const first = timers ? setTimeout(() => void all.run(), answersFirstMs).unref() : undefined;
  return {
    run: all.run,
    stop: async () => {
      clearTimeout(first);
      await all.stop();
    },
  };
}

interface Repeating extends Pick<Scheduling, "warn" | "timers"> {
  readonly begins?: "now" | "at its time";
}

/** Never runs `work` twice at once; without timers, runs it only when `run` is called. */
export function repeat(
  everyMs: number,
  name: string,
  { warn, timers, begins = "now" }: Repeating,
  work: () => Promise<void>,
): Schedule {
  let underWay: Promise<void> | null = null;
  let stopped = false;
  const once = async (): Promise<void> => {
    if (stopped) return;
    underWay ??= work()
      .catch((error: unknown) => warn(name, error))
      .finally(() => {
        underWay = null;
      });
    await underWay;
  };
  const timer = timers ? setInterval(() => void once(), everyMs).unref() : undefined;
  if (timers && begins === "now") void once();
  return {
    run: async () => {
      await underWay;
      await once();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await underWay;
    },
  };
}

export const together = (schedules: readonly Schedule[]): Schedule => ({
  run: async () => {
    for (const schedule of schedules) await schedule.run();
  },
  stop: async () => {
    await Promise.all(schedules.map((schedule) => schedule.stop()));
  },
});
