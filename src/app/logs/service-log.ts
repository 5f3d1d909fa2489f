import type { Database } from "../../store/engine/database.ts";
import { selectInstallation } from "../../store/job/installation.ts";
import { countInServiceLog, recordInServiceLog } from "../../services/service-log/log-act.ts";
import { jobFailed, mailFailed, started, stopped } from "../../core/service-log/entries.ts";
import type { NewEntry } from "../../core/service-log/entry.ts";
import type { Repeated } from "../../core/service-log/repeated.ts";
import type { Instant } from "../../core/time.ts";

/** Different failures that wait while the database does not answer; further ones are dropped. */
const mostWaiting = 1000;

/** A job that fails all the time is one write in this time, ms. */
export const failureGrainMs = 1000;

/** A failed write to the log never fails a start, an end or a job. */
export interface ServiceLog {
  started(now: Instant): Promise<void>;
  /** Only changes memory. */
  failed(job: string, error: unknown, now: Instant): void;
  /** Only changes memory; `why` is a fixed text of this service. */
  mailFailed(why: string, now: Instant): void;
  /** Rejects if a write fails; the next call writes the same failures. */
  flush(): Promise<void>;
  stopped(now: Instant): Promise<void>;
}

export function serviceLog(
  db: Database,
  version: string,
  /** Gets the error of an entry that could not be written. */
  report: (error: unknown) => void,
): ServiceLog {
  let waiting = new Map<string, Repeated>();

  const add = (later: Repeated): void => {
    const { words } = later.entry;
    const known = waiting.get(words);
    if (!known && waiting.size >= mostWaiting) return;
    waiting.set(words, known ? together(known, later) : later);
  };

  const note = (entry: NewEntry, now: Instant): void => add({ entry, at: now, lastAt: now, times: 1 });

  const flush = async (): Promise<void> => {
    if (waiting.size === 0) return;
    const due = [...waiting.values()];
    waiting = new Map();
    try {
      await db.writeRelaxed(countInServiceLog, due);
    } catch (error) {
      for (const one of due) add(one);
      throw error;
    }
  };

  return {
    started: (now) =>
      db
        .read(selectInstallation, db.dialect)
        .then(({ schema }) => db.write(recordInServiceLog, started(version, schema), now))
        .catch(report),
    failed: (job, error, now) => note(jobFailed(job, error), now),
    mailFailed: (why, now) => note(mailFailed(why), now),
    flush,
    stopped: (now) =>
      flush()
        .then(() => db.write(recordInServiceLog, stopped(version), now))
        .catch(report),
  };
}

const together = (one: Repeated, other: Repeated): Repeated => ({
  entry: one.entry,
  at: Math.min(one.at, other.at),
  lastAt: Math.max(one.lastAt, other.lastAt),
  times: one.times + other.times,
});
