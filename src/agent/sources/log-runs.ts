import { minuteMs, secondMs, type Instant } from "../../core/time.ts";
import { unexplainedEnd } from "./end-events.ts";
import { listeningEvent, notStarted, startedEvent, stoppedEvent, type StartFailure } from "./log-events.ts";
import type { LogFact } from "./log-fact.ts";
import { tellFailure, fresh, tell, type LoggedRun, type StoryState } from "./log-state.ts";
import type { ProcessEnd } from "./process-end.ts";

/** A server writes its first line this soon after its process begins, or a clock is this far off, ms. */
const startSlackMs = 5 * secondMs;
/** A start that failed ends with the words of a stop within this time, ms. */
const failedEndMs = 30 * secondMs;
/** An end this soon after lines of a shutdown belongs to it: the slowest worlds save for minutes, ms. */
const closesWithinMs = 10 * minuteMs;
/** A server that ran out of memory ends within this time, ms. */
const lastWordsMs = 5 * minuteMs;

export function start(
  state: StoryState,
  software: LogFact & { is: "starting" },
  at: Instant,
  lineBeforeAt: Instant | null,
): void {
  const { session } = state;
  if (isOfLiving(state, at)) {
    state.second = { at, software };
    session.hadSecond = true;
    return;
  }
  const isSame = session.isByProcess && state.end === null;
  if (isUnexplained(session) && !isSame && (session.isReady || state.end))
    endUnexplained(state, Math.min(at, endedAt(state.end, lineBeforeAt ?? at)));
  beginSession(state, fresh(at, software));
}

function beginSession(state: StoryState, session: LoggedRun): void {
  Object.assign(state, {
    session,
    end: null,
    pausedSince: null,
    second: null,
    secondFailedAt: null,
    doubtfulStop: null,
  });
}

/** Whether the session is of the process that lives, so that a start now is one of somebody else. */
function isOfLiving({ session, living, end }: StoryState, at: Instant): boolean {
  if (
    end !== null ||
    session.begunAt === null ||
    session.isByProcess ||
    session.isOver ||
    living === null ||
    living.startedAt === null
  )
    return false;
  return session.begunAt >= living.startedAt - startSlackMs && at > session.begunAt;
}

export function failSecond(
  state: StoryState,
  { why, detail, report }: StartFailure,
  at: Instant,
  line: string,
): void {
  Object.assign(state, { second: null, secondFailedAt: at });
  tell(state, notStarted({ why, detail: detail ?? null, report: report ?? null, isSecond: true }), at, line);
}

export function readUp(state: StoryState, now: Instant): void {
  const { session, living, isRestartTold } = state;
  if (living === null || !living.wasUp || state.end || !isSilent(session)) return;
  const begunAt = living.startedAt ?? now;
  beginSession(state, { ...fresh(begunAt, null), isReady: true, isByProcess: true });
  state.isRestartTold = false;
  if (living.isOld) return;
  state.announced = { what: "started", at: now };
  if (!isRestartTold) tell(state, listeningEvent(), now, `listens ${begunAt}`);
}

export function begin(state: StoryState, tookMs: number | null, at: Instant, line: string): void {
  const { second } = state;
  if (second) {
    // It became ready, so the process that lives is not the server's, such as one that starts it anew.
    if (isUnexplained(state.session)) endUnexplained(state, second.at);
    beginSession(state, fresh(second.at, second.software));
  }
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

export function takeStop(state: StoryState, at: Instant, line: string): void {
  const { session, secondFailedAt } = state;
  if (session.isStopping) return;
  if (secondFailedAt !== null && at - secondFailedAt <= failedEndMs) {
    Object.assign(state, { secondFailedAt: null, doubtfulStop: { at, line } });
    return;
  }
  stop(state, at, line);
}

/** A line of an orderly shutdown, which is that of a second start if that has just failed. */
export function takeClosing(state: StoryState, at: Instant): void {
  const { second, secondFailedAt, doubtfulStop } = state;
  const endOfSecond = secondFailedAt ?? doubtfulStop?.at ?? null;
  const isOfSecond = endOfSecond !== null && at - endOfSecond <= failedEndMs;
  if (second === null && !isOfSecond) state.session.closingAt = at;
}

function stop(state: StoryState, at: Instant, line: string): void {
  const { session } = state;
  session.isStopping = true;
  state.pausedSince = null;
  if (session.hasFailed) return;
  if (session.begunAt !== null && !session.isReady)
    return tellFailure(state, notStarted({ why: "it stopped before it was ready" }), at, line);
  const { bootedAt } = session;
  state.announced = { what: "stopping", at };
  tell(state, stoppedEvent(bootedAt === null ? null : at - bootedAt), at, line);
}

const isUnexplained = ({ isStopping, hasFailed, isReady, begunAt }: LoggedRun): boolean =>
  (isReady || begunAt !== null) && !isStopping && !hasFailed;

/** Lines of an orderly shutdown tell of no kill and no crash of the JVM, which may interrupt it. */
function mayBeOrderly(end: ProcessEnd | null): boolean {
  const by = end?.witness?.is ?? "orderly";
  return by === "orderly" || by === "exited";
}

function endUnexplained(state: StoryState, at: Instant, wasReady = state.session.isReady): void {
  const { session, end } = state;
  const { closingAt, isReady, outOfMemoryAt } = session;
  if (closingAt !== null && isReady && at - closingAt <= closesWithinMs && mayBeOrderly(end))
    return stop(state, closingAt, `closed ${session.bootedAt ?? ""}`);
  const event = unexplainedEnd(end, {
    isComplete: session.begunAt !== null && !session.isByProcess && !session.hadSecond,
    wasReady,
    ranOutOfMemory: outOfMemoryAt !== null && at - outOfMemoryAt <= lastWordsMs,
  });
  state.isRestartTold = event.type === "restart";
  if (event.type === "server_stop") state.announced = { what: "stopping", at };
  tellFailure(state, event, at, `ended ${session.bootedAt ?? ""}`);
}

/** If the end was not seen: when the last line was written or the process last seen, whichever is later. */
function endedAt(end: ProcessEnd | null, lastLineAt: Instant | null): Instant {
  if (end?.at !== null && end?.at !== undefined) return end.at;
  return Math.max(lastLineAt ?? -Infinity, end?.lastSeenAt ?? -Infinity);
}

/** Whether the log has told nothing of the process that runs, or ran last. */
const isSilent = ({ begunAt, isReady, isStopping, hasFailed, isOver }: LoggedRun): boolean =>
  isOver || (begunAt === null && !isReady && !isStopping && !hasFailed);

/** A process last seen before the session began is that of the session before. */
export function settleEnd(state: StoryState, lastLineAt: Instant | null): void {
  const { end, session, doubtfulStop } = state;
  if (end === null) return;
  const isOfNext = !session.isOver && session.begunAt !== null && session.begunAt > end.lastSeenAt;
  if (!isOfNext) {
    const at = endedAt(end, lastLineAt);
    if (isSilent(session)) {
      state.session = fresh(null, session.software);
      if (end.wasUp || end.isServer) endUnexplained(state, at, end.wasUp);
    } else if (isUnexplained(session)) {
      const isStop = doubtfulStop !== null && at - doubtfulStop.at <= lastWordsMs && mayBeOrderly(end);
      if (isStop) stop(state, doubtfulStop.at, doubtfulStop.line);
      else endUnexplained(state, at);
    }
    Object.assign(state, { second: null, secondFailedAt: null, doubtfulStop: null });
    state.session.isOver = true;
  }
  state.end = null;
}
