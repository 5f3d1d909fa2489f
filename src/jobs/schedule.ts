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
  /** False: nothing is done until `run` is called, as tests want it whose clock does not move by itself. */
  readonly timers: boolean;
}

export interface Schedule {
  /** Does what is due now instead of waiting for its timer. */
  run(): Promise<void>;
  /** Starts no more, and waits for what is under way. */
  stop(): Promise<void>;
}

/** How often within its period a process checks whether a job is due: a job of a dead process waits no longer. */
const asksAPeriod = 3;

/**
 * A process that just started answers requests for so long before its first jobs begin, ms: first requests compile the
 * code that they run, and jobs compile theirs on the same thread.
 */
const answersFirstMs = 2000;

/**
 * Runs jobs at their period, each in one process at a time. The first runs of a process follow one another, so that
 * requests wait for one job at most. The timers keep no process alive.
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

/** Runs `work` every so often in this process, never twice at once; without timers only by `run`. */
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

/** Several schedules as one. */
export const together = (schedules: readonly Schedule[]): Schedule => ({
  run: async () => {
    for (const schedule of schedules) await schedule.run();
  },
  stop: async () => {
    await Promise.all(schedules.map((schedule) => schedule.stop()));
  },
});
