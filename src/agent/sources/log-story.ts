import { createHash } from "node:crypto";
import { minuteMs, toTimestamp, type Instant } from "../../core/time.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import type { Reading } from "./source.ts";
import {
  crashed,
  fellBehind,
  hung,
  killed,
  moderated,
  notStarted,
  outOfMemory,
  pausedEvent,
  restarting,
  startedEvent,
  stoppedEvent,
  type LoggedSoftware,
  type LoggedEvent,
} from "./log-events.ts";
import type { LogFact } from "./log-fact.ts";
import type { DatedFact } from "./log-reader.ts";
import type { ProcessEnd } from "./process-end.ts";

/** Makes events and figures from the facts of the log, which it takes one by one, oldest first. */
export interface LogStory {
  take(found: DatedFact): void;
  /** The server's process is gone; the log may still say why. */
  sawEnd(end: ProcessEnd): void;
  /** Called when the log is read up to that end. */
  settleEnd(lastLineAt: Instant | null): void;
  /** The reading since the last call; nothing of the past is sent, and of the missed lines only the events. */
  reading(of: "past" | "missed" | "now"): Reading & { readonly leftOut?: number };
  /** Called when the log was replaced: lines may come that were read before. */
  anew(): void;
}

/** Of similar events one is sent in this time, and another one if it is twice as bad, ms. */
const quietMs = 5 * minuteMs;

/** A log that is nothing but events must not fill the memory: never more events than these are sent at once. */
const mostEvents = 6000;
const droppedAtOnce = 1000;

interface Session {
  bootedAt: Instant | null;
  software: LoggedSoftware | null;
  /** When its first line was written; null while none was read. */
  begunAt: Instant | null;
  isReady: boolean;
  isStopping: boolean;
  /** True if it crashed or could not start: a stop after that is no stop by command. */
  hasFailed: boolean;
  outOfMemory: boolean;
  /** The last lag event that was sent. */
  behind: { readonly at: Instant; readonly ms: number } | null;
  hungAt: Instant | null;
}

const fresh = (bootedAt: Instant | null, software: LoggedSoftware | null): Session => ({
  bootedAt,
  software,
  begunAt: bootedAt,
  isReady: false,
  isStopping: false,
  hasFailed: false,
  outOfMemory: false,
  behind: null,
  hungAt: null,
});

interface State {
  session: Session;
  pausedSince: Instant | null;
  /** True once it paused. */
  canPause: boolean;
  announced: Reading["announced"];
  lagMs: number | null;
  events: EventBody[];
  /** The number of events dropped since the last call because there were too many. */
  leftOut: number;
  /** The end of the process, as long as the log does not explain it. */
  end: ProcessEnd | null;
  /** How often each line gave an event in the second of the last event. */
  alike: { readonly at: Instant; readonly counts: Map<string, number> };
}

export function logStory(): LogStory {
  const state: State = {
    session: fresh(null, null),
    pausedSince: null,
    canPause: false,
    announced: undefined,
    lagMs: null,
    events: [],
    leftOut: 0,
    end: null,
    alike: { at: 0, counts: new Map() },
  };
  return {
    take: (found) => take(state, found),
    sawEnd(end) {
      state.end = end;
    },
    settleEnd: (lastLineAt) => settleEnd(state, lastLineAt),
    anew() {
      state.alike = { at: 0, counts: new Map() };
    },
    reading(of) {
      const reading = readingOf(state, of);
      Object.assign(state, { lagMs: null, events: [], leftOut: 0, announced: undefined });
      return reading;
    },
  };
}

function readingOf(
  { session, pausedSince, canPause, announced, lagMs, events, leftOut }: State,
  of: "past" | "missed" | "now",
): Reading & { readonly leftOut?: number } {
  const isUp = session.isReady && !session.isStopping && !session.hasFailed;
  return {
    measured: {
      ...(lagMs !== null && of === "now" && { lag_seconds: lagMs / 1000 }),
      // Whether it pauses at all shows only when it does.
      ...(canPause && isUp && { paused_empty: pausedSince !== null }),
    },
    ...(isUp && session.bootedAt !== null && { bootedAt: session.bootedAt }),
    ...(isUp && pausedSince !== null && { pausedSince }),
    ...(announced && { announced }),
    ...(of !== "past" && events.length > 0 && { events, leftOut }),
  };
}

function take(state: State, { fact, at, lineBeforeAt, line }: DatedFact): void {
  const { session } = state;
  switch (fact.is) {
    case "starting":
      if (isUnexplained(session) && (session.isReady || state.end)) {
        endUnexplained(state, Math.min(at, endedAt(state.end, lineBeforeAt ?? at)));
      }
      state.end = null;
      state.session = fresh(at, fact);
      state.pausedSince = null;
      return;
    case "listening":
      return session.software?.proxy === undefined ? undefined : begin(state, null, at, line);
    case "ready":
      return begin(state, fact.tookMs, at, line);
    case "stopping":
      return stop(state, at, line);
    case "restarting":
      return tell(state, restarting(), at, line);
    case "crash":
      return fail(state, crashed(fact.why, fact.report), at, line);
    case "failed":
      return fail(state, notStarted(fact.why, fact.report), at, line);
    case "hanging":
      if (session.hungAt !== null && Math.abs(at - session.hungAt) < quietMs) return;
      session.hungAt = at;
      return tell(state, hung(fact.seconds), at, line);
    case "behind":
      return lag(state, fact, at, line);
    case "paused":
      Object.assign(state, { canPause: true, pausedSince: at });
      return tell(state, pausedEvent(fact.afterSeconds), at, line);
    case "joined":
      state.pausedSince = null;
      return;
    case "out_of_memory":
      if (session.outOfMemory) return;
      session.outOfMemory = true;
      return tell(state, outOfMemory(fact.what), at, line);
    case "moderation":
      return tell(state, moderated(fact.moderation), at, line);
    case "threw":
    case "reporting":
  }
}

function begin(state: State, tookMs: number | null, at: Instant, line: string): void {
  const { session } = state;
  // A log that was read from later on has no line of its start: the time it took leads back to it.
  if (session.isStopping || session.hasFailed) state.session = fresh(null, session.software);
  if (state.session.isReady) return;
  state.session.isReady = true;
  state.session.begunAt ??= at;
  state.session.bootedAt ??= at - (tookMs ?? 0);
  state.pausedSince = null;
  state.announced = { what: "started", at };
  tell(state, startedEvent(tookMs, state.session.software), at, line);
}

function stop(state: State, at: Instant, line: string): void {
  const { session } = state;
  if (session.isStopping) return;
  session.isStopping = true;
  state.pausedSince = null;
  if (session.hasFailed) return;
  state.announced = { what: "stopping", at };
  tell(state, stoppedEvent(session.bootedAt === null ? null : at - session.bootedAt), at, line);
}

const isUnexplained = ({ isStopping, hasFailed, isReady, begunAt }: Session): boolean =>
  (isReady || begunAt !== null) && !isStopping && !hasFailed;

/** The session ended, and its log does not say how. */
function endUnexplained(state: State, at: Instant): void {
  const { isReady } = state.session;
  const event = isReady ? killed(state.end?.forMemory ?? false) : notStarted("it ended before it was ready");
  fail(state, event, at, `ended ${state.session.bootedAt ?? ""}`);
}

/** The time a process ended that was not seen ending: not before its last line, nor while it was still seen. */
function endedAt(end: ProcessEnd | null, lastLineAt: Instant | null): Instant {
  if (end?.at !== null && end?.at !== undefined) return end.at;
  return Math.max(lastLineAt ?? -Infinity, end?.lastSeenAt ?? -Infinity);
}

/** A process that was last seen before the session began was the one of the session before. */
function settleEnd(state: State, lastLineAt: Instant | null): void {
  const { end, session } = state;
  state.end = null;
  if (end === null || !isUnexplained(session)) return;
  // Stamps are whole seconds.
  if (session.begunAt !== null && session.begunAt > end.lastSeenAt) return;
  state.end = end;
  endUnexplained(state, endedAt(end, lastLineAt));
  state.end = null;
}

function fail(state: State, event: LoggedEvent, at: Instant, line: string): void {
  if (state.session.hasFailed) return;
  state.session.hasFailed = true;
  state.pausedSince = null;
  tell(state, event, at, line);
}

function lag(state: State, { ms, ticks }: LogFact & { is: "behind" }, at: Instant, line: string): void {
  if (ms === null) return;
  state.lagMs = (state.lagMs ?? 0) + ms;
  const last = state.session.behind;
  if (last && Math.abs(at - last.at) < quietMs && ms < 2 * last.ms) return;
  state.session.behind = { at, ms };
  tell(state, fellBehind(ms, ticks), at, line);
}

/** The same line read twice is the same event; two such lines in one second are two. */
function tell(state: State, event: LoggedEvent, at: Instant, line: string): void {
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
