import type { Database } from "../../store/engine/database.ts";
import { insertSecurityRows } from "../../store/security-log/security-log.ts";
import {
  isRefusedKind,
  type SecurityEvent,
  type SecurityNotes,
  type SecurityRow,
} from "../../core/security-log/event.ts";
import { dayMs, hourMs, minuteMs, type Instant } from "../../core/time.ts";

/** Rows that wait while the database does not answer; further ones are dropped. */
const mostWaiting = 10_000;

/** Rows in one transaction: few enough that nobody waits for it. */
const batch = 200;

/**
 * Full rows of a process in a day. A flood of refused attempts would make rows without limit, so that further
 * ones are summed by account and hour, then by kind and hour. Changes of an account have a share of their
 * own: no flood hides them.
 */
const most = { refused: 400, ofAccounts: 400, changesOfAccount: 100 } as const;

/** Buffers security events for the database. */
export interface SecurityLog extends SecurityNotes {
  /** Rejects if a write fails; the next call writes the same rows. */
  flush(now: Instant): Promise<void>;
}

interface Waiting {
  row: SecurityRow;
  /** After this time, the same event is a row of its own. */
  readonly until: Instant;
  isNew: boolean;
}

/** One form of an event: complete, by its account, or by its kind. */
interface Slot {
  readonly level: "all" | "account" | "kind";
  readonly event: SecurityEvent;
  readonly lengthMs: number;
}

const keyOf = ({ event, lengthMs }: Slot, now: Instant): string => {
  const { kind, accountId, address, tokenId, detail } = event;
  return [lengthMs, Math.floor(now / lengthMs), kind, accountId, address, tokenId, detail].join(" ");
};

export function securityLog(db: Database, secrets: { newId(now: Instant): string }): SecurityLog {
  const rows = new Map<string, Waiting>();
  const room = dailyRoom();

  const note: SecurityLog["note"] = (event, now) => {
    for (const slot of slotsOf(event)) {
      const key = keyOf(slot, now);
      const known = rows.get(key);
      if (known) {
        const { row } = known;
        known.row = { ...row, times: row.times + 1, lastAt: Math.max(row.lastAt, now) };
        known.isNew = true;
        return;
      }
      if (rows.size >= mostWaiting || !room.hasRoom(slot, now)) continue;
      const row = { ...slot.event, id: secrets.newId(now), at: now, lastAt: now, times: 1 };
      const until = (Math.floor(now / slot.lengthMs) + 1) * slot.lengthMs;
      rows.set(key, { row, until, isNew: true });
      return;
    }
  };

  const flush: SecurityLog["flush"] = async (now) => {
    const due = [...rows.values()].filter(({ isNew }) => isNew);
    for (const one of due) one.isNew = false;
    for (let start = 0; start < due.length; start += batch) {
      try {
        await db.writeRelaxed(
          insertSecurityRows,
          due.slice(start, start + batch).map(({ row }) => row),
        );
      } catch (error) {
        for (const one of due.slice(start)) one.isNew = true;
        throw error;
      }
    }
    for (const [key, { until, isNew }] of rows) if (until <= now && !isNew) rows.delete(key);
  };

  return { note, flush };
}

/** The most complete form first. */
function slotsOf(event: SecurityEvent): readonly Slot[] {
  const short = { ...event, address: null, tokenId: null, detail: null };
  const ofKind: Slot = { level: "kind", event: { ...short, accountId: null }, lengthMs: hourMs };
  const full: Slot = { level: "all", event, lengthMs: minuteMs };
  return event.accountId === null
    ? [full, ofKind]
    : [full, { level: "account", event: short, lengthMs: hourMs }, ofKind];
}

/** Whether the rows of the same day leave room for a new row of this form. */
function dailyRoom(): { hasRoom(slot: Slot, now: Instant): boolean } {
  let day = 0;
  let added = new Map<string, number>();
  const countUpTo = (share: string, limit: number): boolean => {
    const count = (added.get(share) ?? 0) + 1;
    if (count > limit) return false;
    added.set(share, count);
    return true;
  };
  return {
    hasRoom: ({ level, event: { kind, accountId } }, now) => {
      const today = Math.floor(now / dayMs);
      if (today !== day) [day, added] = [today, new Map()];
      if (level === "kind") return true;
      if (level === "account") return countUpTo("accounts", most.ofAccounts);
      return isRefusedKind(kind)
        ? countUpTo("refused", most.refused)
        : countUpTo(`changes of ${accountId}`, most.changesOfAccount);
    },
  };
}
