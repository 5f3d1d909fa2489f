import { createHash } from "node:crypto";
import { toTimestamp, type Instant } from "../../core/time.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import type { LoggedEvent, LoggedSoftware } from "./log-events.ts";
import type { LivingProcess, ProcessEnd } from "./process-end.ts";
import type { Reading } from "./source.ts";

/** The most events between two readings: a log that is nothing but events must not fill the memory. */
const mostEvents = 6000;
const droppedAtOnce = 1000;

/** One run of the server, as far as its log and its process tell of it. */
export interface LoggedRun {
  bootedAt: Instant | null;
  software: LoggedSoftware | null;
  /** When its first line was written; null if none was read. */
  begunAt: Instant | null;
  isReady: boolean;
  isStopping: boolean;
  /** The last line of an orderly shutdown; the server may have been told to stop where no line says so. */
  closingAt: Instant | null;
  /** True after a crash or a failed start: a stop after that is not by command. */
  hasFailed: boolean;
  /** When it first reported that its memory was full. */
  outOfMemoryAt: Instant | null;
  /** Only its process shows that it runs. */
  isByProcess: boolean;
  /** Its process is known to be gone. */
  isOver: boolean;
  /** A second start wrote into its log, or took the file. */
  hadSecond: boolean;
  /** The last lag event sent. */
  behind: { readonly at: Instant; readonly ms: number } | null;
  hungAt: Instant | null;
}

export const fresh = (bootedAt: Instant | null, software: LoggedSoftware | null): LoggedRun => ({
  bootedAt,
  software,
  begunAt: bootedAt,
  isReady: false,
  isStopping: false,
  closingAt: null,
  hasFailed: false,
  outOfMemoryAt: null,
  isByProcess: false,
  isOver: false,
  hadSecond: false,
  behind: null,
  hungAt: null,
});

export interface StoryState {
  session: LoggedRun;
  pausedSince: Instant | null;
  /** True once the server paused. */
  canPause: boolean;
  announced: Reading["announced"];
  lagMs: number | null;
  events: EventBody[];
  /** Events dropped since the last call because there were too many. */
  leftOut: number;
  /** The end of the process, while the log does not explain it. */
  end: ProcessEnd | null;
  living: LivingProcess | null;
  /** A second start beside the living server, whose end is still to come. */
  second: { readonly at: Instant; readonly software: LoggedSoftware } | null;
  secondFailedAt: Instant | null;
  isRestartTold: boolean;
  /** A stop that may be that of a second start; the end of the process decides. */
  doubtfulStop: { readonly at: Instant; readonly line: string } | null;
  /** How often each line gave an event in the second of the last event. */
  alike: { readonly at: Instant; readonly counts: Map<string, number> };
}

export function tellFailure(state: StoryState, event: LoggedEvent, at: Instant, line: string): void {
  if (state.session.hasFailed) return;
  state.session.hasFailed = true;
  state.pausedSince = null;
  tell(state, event, at, line);
}

/** The same line read twice is one event; two such lines in one second are two. */
export function tell(state: StoryState, event: LoggedEvent, at: Instant, line: string): void {
  if (state.alike.at !== at) state.alike = { at, counts: new Map() };
  const { counts } = state.alike;
  const key = `${event.type}\n${at}\n${line}`;
  const nth = counts.get(key) ?? 0;
  counts.set(key, nth + 1);
  const digest = createHash("sha256").update(`${key}\n${nth}`).digest("hex");
  if (state.events.length >= mostEvents) {
    state.events.splice(0, droppedAtOnce);
    state.leftOut += droppedAtOnce;
  }
  state.events.push({ ...event, local_id: `log-${digest.slice(0, 32)}`, timestamp: toTimestamp(at) });
}
