import { jobRunner } from "../store/job/jobs.ts";
import type { ActivityLog } from "../app/logs/activity.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { SecurityLog } from "../app/logs/security-log.ts";
import { failureGrainMs, type ServiceLog } from "../app/logs/service-log.ts";
import { minuteMs } from "../core/time.ts";
import { activityGrainMs } from "../core/access/activity.ts";
import { deliverDue, type Delivering } from "./deliver.ts";
import { serviceJobs } from "./jobs.ts";
import { confirmSecret, secretJob, type Resealing } from "./reseal.ts";
import { repeat, startJobs, together, type Schedule } from "./schedule.ts";

/** How often a process looks for messages to send, ms. */
const deliveryMs = 1000;

/** Records that are kept in memory and written soon after. */
export interface Logs {
  readonly activity: Pick<ActivityLog, "flush">;
  readonly security: Pick<SecurityLog, "flush">;
  readonly serviceLog: Pick<ServiceLog, "failed" | "flush">;
}

export interface Working extends Logs {
  readonly report: (job: string, error: unknown) => void;
  readonly undelivered: Delivering["warn"];
  readonly seals: Resealing["seals"];
  readonly unreadable: Resealing["unreadable"];
  /** False: jobs run only by `run` of the schedule. */
  readonly timers: boolean;
}

/** Starts the jobs, and the work that every process does: delivering messages and writing logs. */
export function startWork(
  app: AppContext,
  { activity, security, serviceLog, report, undelivered, seals, unreadable, timers }: Working,
): Schedule {
  const { db, clock, plans, secrets, sendMessage, meter } = app;
  const warn = (job: string, error: unknown): void => {
    report(job, error);
    meter.jobFailed(job);
    serviceLog.failed(job, error, clock());
  };
  const ending = new AbortController();
  const { signal } = ending;
  const jobs = [
    ...serviceJobs({ db, plans, secrets, clock, warn, signal }),
    secretJob({ db, clock, seals, unreadable, signal }),
  ];
  const delivering = { db, plans, sendMessage, clock, meter, warn: undelivered, signal };
  const work = together([
    startJobs(jobs, { runner: jobRunner(db), clock, meter, warn, timers }),
    repeat(deliveryMs, "delivery", { warn, timers }, () => deliverDue(delivering)),
    repeat(10 * minuteMs, "secret", { warn, timers, begins: "at its time" }, () =>
      confirmSecret({ db, seals }),
    ),
    repeat(activityGrainMs, "activity", { warn, timers }, () => activity.flush(clock())),
    repeat(activityGrainMs, "security log", { warn, timers }, () => security.flush(clock())),
    // Does not use `warn`, which would add the failure to the log that cannot be written.
    repeat(failureGrainMs, "service log", { warn: report, timers }, () => serviceLog.flush()),
  ]);
  return {
    run: () => work.run(),
    stop: () => {
      ending.abort();
      return work.stop();
    },
  };
}
