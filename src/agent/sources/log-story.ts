import { minuteMs, type Instant } from "../../core/time.ts";
import type { Reading } from "./source.ts";
import {
  crashed,
  fellBehind,
  hung,
  moderated,
  notStarted,
  outOfMemory,
  pausedEvent,
  restarting,
} from "./log-events.ts";
import type { LogFact } from "./log-fact.ts";
import type { DatedFact } from "./log-reader.ts";
import { begin, failSecond, readUp, settleEnd, start, takeClosing, takeStop } from "./log-runs.ts";
import { tellFailure, fresh, tell, type StoryState } from "./log-state.ts";
import type { LivingProcess, ProcessEnd } from "./process-end.ts";

/** Makes events and figures from the facts of the log, which come one by one, oldest first. */
export interface LogStory {
  take(found: DatedFact): void;
  /** The server's process at this reading, which may be another than the one of the log; null for none. */
  sawLiving(living: LivingProcess | null): void;
  /** All lines up to now were taken; a process that listens without words in the log counts as started. */
  readUp(now: Instant): void;
  /** The server's process is gone; the log may still say why. */
  sawEnd(end: ProcessEnd): void;
  /** What showed how it ended, if that was seen later. */
  sawWitness(witness: ProcessEnd["witness"]): void;
  /** Called once the log is read up to that end. */
  settleEnd(lastLineAt: Instant | null): void;
  /** The reading since the last call: `past` gives no events, and only `now` gives lost time. */
  reading(of: "past" | "missed" | "now"): Reading & { readonly leftOut?: number };
  /** Called when the log was replaced: lines that were read before may come again. */
  anew(): void;
}

/** Of similar events one is sent in this time, and another only if it is twice as bad, ms. */
const quietMs = 5 * minuteMs;

export function logStory(): LogStory {
  const state: StoryState = {
    session: fresh(null, null),
    pausedSince: null,
    canPause: false,
    announced: undefined,
    lagMs: null,
    events: [],
    leftOut: 0,
    end: null,
    living: null,
    second: null,
    secondFailedAt: null,
    isRestartTold: false,
    doubtfulStop: null,
    alike: { at: 0, counts: new Map() },
  };
  return {
    take: (found) => take(state, found),
    sawLiving(living) {
      state.living = living;
    },
    readUp: (now) => readUp(state, now),
    sawEnd(end) {
      state.end = end;
    },
    sawWitness(witness) {
      if (state.end) state.end = { ...state.end, witness };
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
  { session, pausedSince, canPause, announced, lagMs, events, leftOut }: StoryState,
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

function take(state: StoryState, { fact, at, lineBeforeAt, line }: DatedFact): void {
  const { session } = state;
  switch (fact.is) {
    case "starting":
      return start(state, fact, at, lineBeforeAt);
    case "listening":
      return session.software?.proxy === undefined ? undefined : begin(state, null, at, line);
    case "ready":
      return begin(state, fact.tookMs, at, line);
    case "stopping":
      return takeStop(state, at, line);
    case "closing":
      return takeClosing(state, at);
    case "restarting":
      return tell(state, restarting(), at, line);
    case "crash":
      if (state.second) return failSecond(state, { ...fact, why: fact.why ?? "it crashed" }, at, line);
      return tellFailure(state, crashed(fact.why, fact.report), at, line);
    case "failed":
      if (state.second) return failSecond(state, fact, at, line);
      return tellFailure(state, notStarted(fact), at, line);
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
      if (session.outOfMemoryAt !== null) return;
      session.outOfMemoryAt = at;
      return tell(state, outOfMemory(fact.what), at, line);
    case "moderation":
      return tell(state, moderated(fact.moderation), at, line);
    case "threw":
    case "crashing":
  }
}

function lag(state: StoryState, { ms, ticks }: LogFact & { is: "behind" }, at: Instant, line: string): void {
  if (ms === null) return;
  state.lagMs = (state.lagMs ?? 0) + ms;
  const last = state.session.behind;
  if (last && Math.abs(at - last.at) < quietMs && ms < 2 * last.ms) return;
  state.session.behind = { at, ms };
  tell(state, fellBehind(ms, ticks), at, line);
}
