import type { Database } from "../../store/engine/database.ts";
import { insertSecurityRows } from "../../store/security-log/security-log.ts";
import {
  isRefusedKind,
  type SecurityEvent,
  type SecurityNotes,
  type SecurityRow,
} from "../../core/security-log/event.ts";
import { dayMs, hourMs, minuteMs, type Instant } from "../../core/time.ts";

/** Rows that wait for a database that does not answer; further ones are forgotten. */
const mostWaiting = 10_000;

/** Rows written in one transaction: few enough that nobody waits for it. */
const batch = 200;

/**
 * Rows a process adds in a day with all they could say. A flood of refused attempts from many addresses would be
 * rows without bound, so that further ones are summed by account and hour, and then by kind and hour. What an
 * account's people changed has a share of its own: no flood hides it.
 */
const most = { refused: 400, ofAccounts: 400, changesOfAccount: 100 } as const;

/** What happened that matters to the safety of accounts, on its way to the database. */
export interface SecurityLog extends SecurityNotes {
  /** Writes what is new; what could not be written is written the next time, and this rejects. */
  flush(now: Instant): Promise<void>;
}

interface Waiting {
  row: SecurityRow;
  /** Afterwards the same event is a row of its own. */
  readonly until: Instant;
  isNew: boolean;
}

/** One way to tell an event: with all it says, by its account, or by its kind alone. */
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

/** The forms in which an event may be recorded, the fullest first. */
function slotsOf(event: SecurityEvent): readonly Slot[] {
  const short = { ...event, address: null, tokenId: null, detail: null };
  const ofKind: Slot = { level: "kind", event: { ...short, accountId: null }, lengthMs: hourMs };
  const full: Slot = { level: "all", event, lengthMs: minuteMs };
  return event.accountId === null
    ? [full, ofKind]
    : [full, { level: "account", event: short, lengthMs: hourMs }, ofKind];
}

/** Whether a new row may have this form, given the rows that were added on the same day. */
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
