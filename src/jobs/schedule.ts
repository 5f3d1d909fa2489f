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

/** Runs jobs at their period, each in one process at a time. The timers keep no process alive. */
export function startJobs(jobs: readonly Job[], scheduling: Scheduling): Schedule {
  const { runner, clock, meter } = scheduling;
  return together(
    jobs.map((job) =>
      repeat(job.everyMs / asksAPeriod, job.name, scheduling, async () => {
        const begun = performance.now();
        if (await runner.runAlone(job, clock)) meter.jobEnded(job.name, (performance.now() - begun) / 1000);
      }),
    ),
  );
}

/** Runs `work` every so often in this process, never twice at once, beginning now; without timers only by `run`. */
export function repeat(
  everyMs: number,
  name: string,
  { warn, timers }: Pick<Scheduling, "warn" | "timers">,
  work: () => Promise<void>,
): Schedule {
  let underWay: Promise<void> | null = null;
  const once = (): Promise<void> => {
    underWay ??= work()
      .catch((error: unknown) => warn(name, error))
      .finally(() => {
        underWay = null;
      });
    return underWay;
  };
  const timer = timers ? setInterval(() => void once(), everyMs).unref() : undefined;
  if (timers) void once();
  return {
    run: async () => {
      await underWay;
      await once();
    },
    stop: async () => {
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
