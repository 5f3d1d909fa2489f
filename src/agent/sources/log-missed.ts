import { dayMs, parseInstant, toTimestamp, type Instant } from "../../core/time.ts";
import { stat } from "node:fs/promises";
import { nullIfAbsent } from "../../core/failure-code.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import type { FirstRead } from "../files/followed-file.ts";
import { archivesSince, continuedIn, isStill, type Archive } from "./log-archives.ts";
import type { LogMemory } from "../state/log-memory.ts";

/** Older lines are not read after an absence, ms. */
export const longestAwayMs = 7 * dayMs;
/** After an absence, only the newest events are sent. */
export const mostMissed = 5000;

export interface MissedLogs {
  /** Logs rotated meanwhile, oldest first; `readBytes` of the first one were read before. */
  readonly aside: readonly { readonly archive: Archive; readonly readBytes: number }[];
  /** The part of the current log that was already read. */
  readonly first: FirstRead;
  /** Events up to this instant are known. Null if the read part ends exactly where the rest begins. */
  readonly knownUntil: Instant | null;
  /** No line is newer. */
  readonly until: Instant;
  /** The last line that was read before; null if unknown. */
  readonly since: Instant | null;
  /** Rotated logs that are too many to read. */
  readonly leftOutLogs: number;
}

/** The last write, but not after now: the clock may be years ahead, and lines are dated by their file. */
const lastWritten = async (log: string, now: Instant): Promise<Instant> =>
  Math.min(now, (await stat(log).catch(nullIfAbsent))?.mtimeMs ?? now);

/** Finds the lines written since then, whether the log is the same file, was rotated or replaced. */
export async function missedLogs(
  log: string,
  { file, last_line_at: lastLineAt, process }: LogMemory,
  { now, backBytes }: { readonly now: Instant; readonly backBytes: number },
): Promise<MissedLogs> {
  const until = await lastWritten(log, now);
  const since = file === null ? (process?.seen_at ?? null) : lastLineAt;
  if (file !== null && (await isStill(log, file))) {
    const first = { from: Math.max(0, file.position - backBytes), until: file.position };
    return { aside: [], first, knownUntil: null, until, since, leftOutLogs: 0 };
  }
  const from = since === null || since > until ? 0 : since;
  const { archives, leftOut } = await archivesSince(log, Math.max(from, until - longestAwayMs));
  const index = file === null ? -1 : await continuedIn(archives, file);
  return {
    aside: archives.slice(Math.max(0, index)).map((archive, nth) => ({
      archive,
      readBytes: file !== null && index >= 0 && nth === 0 ? file.position : 0,
    })),
    first: { from: 0, until: 0 },
    // A last line in the future was dated before the clock was set back, so its time orders nothing.
    knownUntil: index >= 0 || (since ?? 0) > until ? null : file === null && since ? since - 1 : since,
    until,
    since,
    leftOutLogs: index >= 0 ? 0 : leftOut,
  };
}

/** The newest events of an absence, and what is given up of it. */
export class MissedEvents {
  readonly #missed: Pick<MissedLogs, "knownUntil" | "until" | "since" | "leftOutLogs">;
  #events: EventBody[] = [];
  #leftOut = 0;

  constructor(missed: Pick<MissedLogs, "knownUntil" | "until" | "since" | "leftOutLogs">) {
    this.#missed = missed;
  }

  get #weekAgo(): Instant {
    return this.#missed.until - longestAwayMs;
  }

  add(events: readonly EventBody[], leftOut: number): void {
    const knownUntil = this.#missed.knownUntil ?? -1;
    const unknown = events.filter(({ timestamp }) => (parseInstant(timestamp ?? "") ?? 0) > knownUntil);
    const wanted = unknown.filter(({ timestamp }) => (parseInstant(timestamp ?? "") ?? 0) >= this.#weekAgo);
    const all = [...this.#events, ...wanted];
    this.#leftOut += leftOut + (unknown.length - wanted.length) + Math.max(0, all.length - mostMissed);
    this.#events = all.slice(-mostMissed);
  }

  /** Oldest first. */
  get all(): readonly EventBody[] {
    const { since, until, leftOutLogs: logs } = this.#missed;
    const isLong = since !== null && since < this.#weekAgo;
    if (this.#leftOut === 0 && logs === 0 && !isLong) return this.#events;
    const first = parseInstant(this.#events[0]?.timestamp ?? "");
    const to = first ?? (isLong ? this.#weekAgo : until);
    return [gapBefore({ events: this.#leftOut, logs, from: Math.min(since ?? to, to), to }), ...this.#events];
  }
}

/** The event for a part of the log that cannot be read, or was too long. */
export const unreadGap = (id: string, what: string, description: string, at: Instant): EventBody => ({
  local_id: `log-unread-${id.replaceAll(/[^\w.-]/g, "_").slice(0, 80)}`,
  type: "agent_gap",
  category: "custom",
  source: "tickmark-agent",
  severity: "warning",
  title: `${what}: its events are not known`,
  description,
  metadata: { part: what },
  timestamp: toTimestamp(at),
});

interface LeftOut {
  readonly events: number;
  readonly logs: number;
  readonly from: Instant;
  readonly to: Instant;
}

/** Of logs older than a week nobody knows how many events they hold. */
const gapBefore = ({ events, logs, from, to }: LeftOut): EventBody => ({
  local_id: `log-gap-${Math.floor(from)}-${Math.floor(to)}-${events}-${logs}`,
  type: "agent_gap",
  category: "custom",
  source: "tickmark-agent",
  severity: "warning",
  title:
    events > 0
      ? `${events} events of the server's log were left out`
      : "A part of the server's log was left out",
  description: `The agent did not run. It sends at most the newest ${mostMissed} events of a week.`,
  metadata: { events, ...(logs > 0 && { logs }), from: toTimestamp(from), to: toTimestamp(to) },
  timestamp: toTimestamp(to),
  duration_ms: Math.max(0, Math.round(to - from)),
});
