import {
  isRefusedKind,
  type SecurityEvent,
  type SecurityLogStore,
  type SecurityRow,
} from "../core/security-log/event.ts";
import { dayMs, hourMs, minuteMs, type Instant } from "../core/time.ts";
import type { Secrets } from "./context.ts";

/** Rows that wait for a database that does not answer; further ones are forgotten. */
const mostWaiting = 10_000;

/** Rows written in one transaction: few enough that nobody waits for it. */
const batch = 200;

/**
 * Rows a process adds in a day with all they could say. A flood of refused attempts from many addresses would be
 * rows without bound, so that further ones are told by account and hour, and then by kind and hour. What an
 * account's people changed has a share of its own: no flood hides it.
 */
const most = { refused: 400, ofAccounts: 400, changesOfAccount: 100 } as const;

/** What happened that matters to the safety of accounts, on its way to the database. */
export interface SecurityLog {
  /** Takes note in memory alone; never fails. */
  note(event: SecurityEvent, now: Instant): void;
  /** Writes what is new; what could not be written is written the next time, and this rejects. */
  flush(now: Instant): Promise<void>;
}

interface Waiting {
  row: SecurityRow;
  /** Afterwards the same event is a row of its own. */
  readonly until: Instant;
  isNew: boolean;
}

interface Slot {
  readonly event: SecurityEvent;
  readonly lengthMs: number;
}

const keyOf = ({ event, lengthMs }: Slot, now: Instant): string => {
  const { kind, accountId, address, tokenId, detail } = event;
  return [lengthMs, Math.floor(now / lengthMs), kind, accountId, address, tokenId, detail].join(" ");
};

export function securityLog(store: SecurityLogStore, secrets: Pick<Secrets, "newId">): SecurityLog {
  const rows = new Map<string, Waiting>();
  const room = dailyRoom();

  const add = (slot: Slot, now: Instant): void => {
    if (rows.size >= mostWaiting) return;
    const row = { ...slot.event, id: secrets.newId(now), at: now, lastAt: now, times: 1 };
    const until = (Math.floor(now / slot.lengthMs) + 1) * slot.lengthMs;
    rows.set(keyOf(slot, now), { row, until, isNew: true });
  };

  const note: SecurityLog["note"] = (event, now) => {
    const known = slotsOf(event)
      .map((slot) => rows.get(keyOf(slot, now)))
      .find((each) => each !== undefined);
    if (!known) return add(room.slotFor(event, now), now);
    known.row = { ...known.row, times: known.row.times + 1, lastAt: Math.max(known.row.lastAt, now) };
    known.isNew = true;
  };

  const flush: SecurityLog["flush"] = async (now) => {
    const due = [...rows.values()].filter(({ isNew }) => isNew);
    for (const one of due) one.isNew = false;
    for (let start = 0; start < due.length; start += batch) {
      try {
        await store.save(due.slice(start, start + batch).map(({ row }) => row));
      } catch (error) {
        for (const one of due.slice(start)) one.isNew = true;
        throw error;
      }
    }
    for (const [key, { until, isNew }] of rows) if (until <= now && !isNew) rows.delete(key);
  };

  return { note, flush };
}

/** How an event may be told, the fullest first. */
function slotsOf(event: SecurityEvent): [full: Slot, ofAccount: Slot, ofKind: Slot] {
  const short = { ...event, address: null, tokenId: null, detail: null };
  return [
    { event, lengthMs: minuteMs },
    { event: short, lengthMs: hourMs },
    { event: { ...short, accountId: null }, lengthMs: hourMs },
  ];
}

/** Says how fully a new row may be told, by those that were added on the same day. */
function dailyRoom(): { slotFor(event: SecurityEvent, now: Instant): Slot } {
  let day = 0;
  let refused = 0;
  let ofAccounts = 0;
  let changes = new Map<string, number>();
  return {
    slotFor: (event, now) => {
      const today = Math.floor(now / dayMs);
      if (today !== day) [day, refused, ofAccounts, changes] = [today, 0, 0, new Map()];
      const [full, ofAccount, ofKind] = slotsOf(event);
      if (isRefusedKind(event.kind)) {
        if ((refused += 1) <= most.refused) return full;
      } else {
        const count = (changes.get(event.accountId ?? "") ?? 0) + 1;
        changes.set(event.accountId ?? "", count);
        if (count <= most.changesOfAccount) return full;
      }
      if (event.accountId !== null && (ofAccounts += 1) <= most.ofAccounts) return ofAccount;
      return ofKind;
    },
  };
}
