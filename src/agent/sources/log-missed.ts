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
}

/** The last write, but not after now: the clock may be years ahead, and lines are dated by their file. */
const lastWritten = async (log: string, now: Instant): Promise<Instant> =>
  Math.min(now, (await stat(log).catch(nullIfAbsent))?.mtimeMs ?? now);

/** Finds the lines written since then, whether the log is the same file, was rotated or replaced. */
export async function missedLogs(
  log: string,
  { file, last_line_at: lastLineAt }: LogMemory,
  { now, backBytes }: { readonly now: Instant; readonly backBytes: number },
): Promise<MissedLogs> {
  if (await isStill(log, file)) {
    const first = { from: Math.max(0, file.position - backBytes), until: file.position };
    return { aside: [], first, knownUntil: null, until: await lastWritten(log, now) };
  }
  const until = await lastWritten(log, now);
  const from = lastLineAt === null || lastLineAt > until ? 0 : lastLineAt;
  const archives = await archivesSince(log, Math.max(from, until - longestAwayMs));
  const index = await continuedIn(archives, file);
  return {
    aside: archives.slice(Math.max(0, index)).map((archive, nth) => ({
      archive,
      readBytes: index >= 0 && nth === 0 ? file.position : 0,
    })),
    first: { from: 0, until: 0 },
    // A last line in the future was dated before the clock was set back, so its time orders nothing.
    knownUntil: index >= 0 || (lastLineAt ?? 0) > until ? null : lastLineAt,
    until,
  };
}

/** The newest events of an absence, and the number of events left out. */
export class MissedEvents {
  readonly #from: Instant;
  #events: EventBody[] = [];
  #leftOut = 0;

  constructor({ knownUntil, until }: Pick<MissedLogs, "knownUntil" | "until">) {
    this.#from = Math.max(knownUntil === null ? 0 : knownUntil + 1, until - longestAwayMs);
  }

  add(events: readonly EventBody[], leftOut: number): void {
    const wanted = events.filter(({ timestamp }) => (parseInstant(timestamp ?? "") ?? 0) >= this.#from);
    const all = [...this.#events, ...wanted];
    this.#leftOut += leftOut + Math.max(0, all.length - mostMissed);
    this.#events = all.slice(-mostMissed);
  }

  /** Oldest first. */
  get all(): readonly EventBody[] {
    const [first] = this.#events;
    return this.#leftOut === 0 || !first ? this.#events : [gapBefore(first, this.#leftOut), ...this.#events];
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

const gapBefore = (first: EventBody, leftOut: number): EventBody => ({
  local_id: `log-gap-${first.local_id.slice(0, 60)}-${leftOut}`,
  type: "agent_gap",
  category: "custom",
  source: "tickmark-agent",
  severity: "warning",
  title: `${leftOut} events of the server's log were left out`,
  description: `The agent did not run. It sends at most the newest ${mostMissed} events of a week.`,
  metadata: { events: leftOut },
  timestamp: first.timestamp ?? null,
});
