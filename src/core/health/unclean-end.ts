import { timelineAt, type EventRecord } from "../event/server-event.ts";
import type { ServerState } from "../server/status.ts";
import { shownDuration } from "../text/plain-words.ts";
import { minuteMs, secondMs, type Instant } from "../time.ts";

export type EndReason = "out_of_memory" | "killed" | "watchdog" | "jvm_crashed" | "process_ended" | "crash";

/** The end of a server that announced no stop. */
export interface UncleanEnd {
  readonly at: Instant;
  readonly reason: EndReason;
}

/** Events are dated by the clock of the game's machine, heartbeats by ours: difference that is tolerated, ms. */
const clockDifferenceMs = 10 * secondMs;

/** A process that runs out of memory writes that in its log at most this long before it ends, ms. */
const lastWordsMs = 5 * minuteMs;

const metadataOf = ({ metadata }: EventRecord): Readonly<Record<string, unknown>> =>
  typeof metadata === "object" && metadata !== null ? (metadata as Record<string, unknown>) : {};

const memoryTitle = /out of memory|OutOfMemoryError/i;
const killedTitle = /\bkilled\b/i;
const watchdogTitle = /watchdog|stopped responding|one tick took too long/i;

function reasonOf(end: EventRecord, events: readonly EventRecord[]): EndReason {
  const { reason, out_of_memory: forMemory } = metadataOf(end);
  const sinceLastWords = (event: EventRecord): number => timelineAt(end) - timelineAt(event);
  const ranOut = events.some(
    (event) =>
      event.type === "out_of_memory" && sinceLastWords(event) >= 0 && sinceLastWords(event) <= lastWordsMs,
  );
  if (forMemory === true || reason === "out_of_memory" || memoryTitle.test(end.title) || ranOut)
    return "out_of_memory";
  if (reason === "jvm_crashed" || reason === "process_ended") return reason;
  if (reason === "killed" || killedTitle.test(end.title)) return "killed";
  return reason === "watchdog" || watchdogTitle.test(end.title) ? "watchdog" : "crash";
}

const lifecycleTypes = new Set(["server_crash", "server_stop", "server_start"]);

export interface LastSign {
  /** The last heartbeat or, in the past, the last sample; null if there is none. */
  readonly at: Instant | null;
  readonly bootAt: Instant | null;
}

/**
 * The unclean end after which nothing came from the server; null if its last sign is newer, or it announced its
 * stop. `events` come newest first.
 */
export function uncleanEndAfter(
  events: readonly EventRecord[],
  { at: sign, bootAt }: LastSign,
): UncleanEnd | null {
  const last = events.find(({ type }) => lifecycleTypes.has(type));
  if (last?.type !== "server_crash") return null;
  const at = Math.min(timelineAt(last), last.receivedAt);
  const isOver = sign !== null && (last.receivedAt < sign || at < sign - clockDifferenceMs);
  // Another boot after the end: it runs again.
  if (isOver || (bootAt !== null && bootAt > at)) return null;
  return { at, reason: reasonOf(last, events) };
}

interface Judged {
  readonly state: ServerState;
  readonly stateSince: Instant | null;
  readonly ended?: UncleanEnd;
}

const ending = new Set<ServerState>(["running", "unresponsive", "paused_empty", "unreachable"]);

/** The state that health judges by: a server that ended uncleanly is unreachable before its heartbeats are late. */
export function judgedState(known: Judged, events: readonly EventRecord[], sign: LastSign): Judged {
  const ended = ending.has(known.state) ? uncleanEndAfter(events, sign) : null;
  return ended === null ? known : { state: "unreachable", stateSince: ended.at, ended };
}

const reasonWords: Readonly<Record<EndReason, string>> = {
  out_of_memory: "out of memory",
  killed: "its process was killed",
  jvm_crashed: "its JVM crashed",
  process_ended: "its process ended, and nothing says why",
  watchdog: "its watchdog ended it because a tick took too long",
  crash: "it crashed",
};

export const endedText = ({ at, reason }: UncleanEnd, now: Instant): string =>
  `The server ended ${shownDuration(now - at)} ago: ${reasonWords[reason]}.`;
