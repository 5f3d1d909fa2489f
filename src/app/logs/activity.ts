import type { Database } from "../../store/engine/database.ts";
import { recordActivityOfTokens } from "../../services/access/record-activity.ts";
import { uncountedGrainMs, type Activity, type ActivityEntry } from "../../core/access/activity.ts";
import type { Instant } from "../../core/time.ts";
import type { Secrets } from "../access/secrets.ts";

/** Different actions that wait while the database does not answer; further ones are dropped. */
const mostWaiting = 10_000;

/** Rows in one transaction: few enough that nobody waits for it. */
const batch = 200;

interface Waiting {
  readonly entry: ActivityEntry;
  readonly counted: boolean;
  at: Instant;
  times: number;
}

/** Buffers the actions of tokens for the database. */
export interface ActivityLog {
  /** Only changes memory; never fails. */
  note(entry: ActivityEntry, counted: boolean, now: Instant): void;
  /** Writes what is due; what could not be written is due again at the next call. */
  flush(now: Instant): Promise<void>;
  /** Writes everything at the end of the process. */
  close(now: Instant): Promise<void>;
}

const keyOf = ({ tokenId, call, status, error }: ActivityEntry): string =>
  `${tokenId} ${call} ${status} ${error}`;

/** Equal actions are one row a second; if no rate window limits them, one row a minute. */
export function activityLog(db: Database, secrets: Pick<Secrets, "newId">): ActivityLog {
  let waiting = new Map<string, Waiting>();
  const quietUntil = new Map<string, Instant>();

  const add = ({ entry, counted, at, times }: Waiting): void => {
    const key = keyOf(entry);
    const known = waiting.get(key);
    if (known) {
      known.times += times;
      known.at = Math.max(known.at, at);
    } else if (waiting.size < mostWaiting) waiting.set(key, { entry, counted, at, times });
  };

  const takeDue = (now: Instant, all: boolean): Waiting[] => {
    for (const [key, until] of quietUntil) if (until <= now) quietUntil.delete(key);
    const due: Waiting[] = [];
    const later = new Map<string, Waiting>();
    for (const [key, one] of waiting) {
      if (!all && quietUntil.has(key)) later.set(key, one);
      else due.push(one);
    }
    waiting = later;
    return due;
  };

  const write = async (now: Instant, all: boolean): Promise<void> => {
    const due = takeDue(now, all);
    for (let start = 0; start < due.length; start += batch) {
      const rows = due.slice(start, start + batch);
      try {
        await db.writeRelaxed(
          recordActivityOfTokens,
          rows.map(({ entry, at, times }) => rowOf(entry, at, times)),
        );
      } catch (error) {
        for (const one of due.slice(start)) add(one);
        throw error;
      }
      for (const { entry, counted } of rows)
        if (!counted) quietUntil.set(keyOf(entry), now + uncountedGrainMs);
    }
  };

  const rowOf = (entry: ActivityEntry, at: Instant, times: number): Activity => ({
    ...entry,
    id: secrets.newId(at),
    at,
    times,
  });

  return {
    note: (entry, counted, now) => add({ entry, counted, at: now, times: 1 }),
    flush: (now) => write(now, false),
    close: (now) => write(now, true),
  };
}
