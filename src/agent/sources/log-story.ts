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

/** Makes events and figures from the facts of the log, which come one by one, oldest first. */
export interface LogStory {
  take(found: DatedFact): void;
  /** The server's process is gone; the log may still say why. */
  sawEnd(end: ProcessEnd): void;
  /** Called once the log is read up to that end. */
  settleEnd(lastLineAt: Instant | null): void;
  /** The reading since the last call: `past` gives no events, and only `now` gives lost time. */
  reading(of: "past" | "missed" | "now"): Reading & { readonly leftOut?: number };
  /** Called when the log was replaced: lines that were read before may come again. */
  anew(): void;
}

/** Of similar events one is sent in this time, and another only if it is twice as bad, ms. */
const quietMs = 5 * minuteMs;

/** The most events between two readings: a log that is nothing but events must not fill the memory. */
const mostEvents = 6000;
const droppedAtOnce = 1000;

interface Session {
  bootedAt: Instant | null;
  software: LoggedSoftware | null;
  /** When its first line was written; null if none was read. */
  begunAt: Instant | null;
  isReady: boolean;
  isStopping: boolean;
  /** True after a crash or a failed start: a stop after that is not by command. */
  hasFailed: boolean;
  outOfMemory: boolean;
  /** The last lag event sent. */
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
  /** True once the server paused. */
  canPause: boolean;
  announced: Reading["announced"];
  lagMs: number | null;
  events: EventBody[];
  /** Events dropped since the last call because there were too many. */
  leftOut: number;
  /** The end of the process, while the log does not explain it. */
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
      // Only a pause shows that this server pauses.
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
  // Without the line of the start (a log read from the middle), the start follows from its duration.
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

function endUnexplained(state: State, at: Instant): void {
  const { isReady } = state.session;
  const event = isReady ? killed(state.end?.forMemory ?? false) : notStarted("it ended before it was ready");
  fail(state, event, at, `ended ${state.session.bootedAt ?? ""}`);
}

/** If the end was not seen: when the last line was written or the process last seen, whichever is later. */
function endedAt(end: ProcessEnd | null, lastLineAt: Instant | null): Instant {
  if (end?.at !== null && end?.at !== undefined) return end.at;
  return Math.max(lastLineAt ?? -Infinity, end?.lastSeenAt ?? -Infinity);
}

/** A process last seen before the session began is that of the session before. */
function settleEnd(state: State, lastLineAt: Instant | null): void {
  const { end, session } = state;
  state.end = null;
  if (end === null || !isUnexplained(session)) return;
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

/** The same line read twice is one event; two such lines in one second are two. */
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
