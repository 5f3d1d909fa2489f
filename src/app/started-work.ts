import type { AppContext } from "../contract/call/app-context.ts";
import type { DefectLog, Levels } from "./logs/defect-log.ts";
import type { Schedule } from "../jobs/schedule.ts";
import { startWork, type Logs } from "../jobs/work.ts";
import type { StoredSeals } from "./access/stored-seals.ts";

/** Jobs that run without a caller; this process logs their failures. */
export const workOf = (
  app: AppContext,
  logs: Logs,
  seals: StoredSeals,
  { log, failed }: Pick<DefectLog, "failed"> & { readonly log: Levels<"warn"> },
  timers: boolean,
): Schedule =>
  startWork(app, {
    ...logs,
    seals,
    unreadable: (counts) =>
      log.warn(
        { unreadable: counts.closed },
        "sealed values cannot be read: their owners have to enter them again",
      ),
    timers,
    report: (job, error) => failed(error, "a job failed", { job }),
    undelivered: ({ id, channel }, why) =>
      log.warn({ message: id, channel, why }, "a message did not go out"),
  });
