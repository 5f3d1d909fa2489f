import { createHash } from "node:crypto";
import { minuteMs, toTimestamp, type Instant } from "../../core/time.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import type { Reading } from "../source.ts";
import {
  crashed,
  fellBehind,
  hung,
  moderated,
  notStarted,
  outOfMemory,
  paused,
  restarting,
  started,
  stopped,
  type Told,
} from "./log-events.ts";
import type { Fact } from "./log-facts.ts";

/** What the log tells of the server's life, one fact after the other, oldest first. */
export interface LogStory {
  take(fact: Fact, at: Instant, line: string): void;
  /** What was told since the last time. `isPast`: from before anybody listened, so that it is no news. */
  reading(isPast: boolean): Reading;
  /** Lines may come that were read before: the log was replaced. */
  anew(): void;
}

/** One of many alike is told in this time, and one twice as bad, ms. */
const quietMs = 5 * minuteMs;

interface Session {
  bootedAt: Instant | null;
  version: string | null;
  isReady: boolean;
  isStopping: boolean;
  /** It crashed or could not start: what stops after that was not stopped by anybody. */
  hasFailed: boolean;
  outOfMemory: boolean;
  /** The last told of its kind. */
  behind: { readonly at: Instant; readonly ms: number } | null;
  hungAt: Instant | null;
}

const fresh = (bootedAt: Instant | null, version: string | null): Session => ({
  bootedAt,
  version,
  isReady: false,
  isStopping: false,
  hasFailed: false,
  outOfMemory: false,
  behind: null,
  hungAt: null,
});

export function logStory(): LogStory {
  let session = fresh(null, null);
  let pausedSince: Instant | null = null;
  let canPause = false;
  let announced: Reading["announced"];
  let lagMs: number | null = null;
  let events: EventBody[] = [];
  let alike = { at: 0, ids: new Map<string, number>() };

  const tell = (told: Told, at: Instant, line: string): void => {
    if (alike.at !== at) alike = { at, ids: new Map() };
    const key = `${told.type}\n${at}\n${line}`;
    const nth = alike.ids.get(key) ?? 0;
    alike.ids.set(key, nth + 1);
    // The same line read twice is the same event; two such lines in one second are two.
    const digest = createHash("sha256").update(`${key}\n${nth}`).digest("hex");
    events.push({ ...told, local_id: `log-${digest.slice(0, 32)}`, timestamp: toTimestamp(at) });
  };

  const begin = (at: Instant, tookMs: number | null, line: string): void => {
    // A log that was opened later has no line of its start; the time it took leads back to it.
    if (session.isStopping || session.hasFailed) session = fresh(null, session.version);
    if (session.isReady) return;
    session.isReady = true;
    session.bootedAt ??= at - (tookMs ?? 0);
    pausedSince = null;
    announced = { what: "started", at };
    tell(started(tookMs, session.version), at, line);
  };

  const stop = (at: Instant, line: string): void => {
    if (session.isStopping) return;
    session.isStopping = true;
    pausedSince = null;
    if (session.hasFailed) return;
    announced = { what: "stopping", at };
    tell(stopped(session.bootedAt === null ? null : at - session.bootedAt), at, line);
  };

  const fail = (told: Told, at: Instant, line: string): void => {
    if (session.hasFailed) return;
    session.hasFailed = true;
    pausedSince = null;
    tell(told, at, line);
  };

  const lag = (fact: Fact & { is: "behind" }, at: Instant, line: string): void => {
    if (fact.ms === null) return;
    lagMs = (lagMs ?? 0) + fact.ms;
    const last = session.behind;
    if (last && at - last.at < quietMs && fact.ms < 2 * last.ms) return;
    session.behind = { at, ms: fact.ms };
    tell(fellBehind(fact.ms, fact.ticks), at, line);
  };

  const take = (fact: Fact, at: Instant, line: string): void => {
    switch (fact.is) {
      case "starting":
        session = fresh(at, fact.version);
        pausedSince = null;
        return;
      case "ready":
        return begin(at, fact.tookMs, line);
      case "stopping":
        return stop(at, line);
      case "restarting":
        return tell(restarting(), at, line);
      case "crash":
        return fail(crashed(fact.why, fact.report), at, line);
      case "failed":
        return fail(notStarted(fact.why), at, line);
      case "hanging":
        if (session.hungAt !== null && at - session.hungAt < quietMs) return;
        session.hungAt = at;
        return tell(hung(fact.seconds), at, line);
      case "behind":
        return lag(fact, at, line);
      case "paused":
        canPause = true;
        pausedSince = at;
        return tell(paused(fact.afterSeconds), at, line);
      case "joined":
        pausedSince = null;
        return;
      case "out_of_memory":
        if (session.outOfMemory) return;
        session.outOfMemory = true;
        return tell(outOfMemory(fact.what), at, line);
      case "moderation":
        return tell(moderated(fact.moderation), at, line);
      case "threw":
    }
  };

  return {
    take,
    anew() {
      alike = { at: 0, ids: new Map() };
    },
    reading(isPast) {
      const isUp = session.isReady && !session.isStopping && !session.hasFailed;
      const reading: Reading = {
        measured: {
          ...(lagMs !== null && !isPast && { lag_seconds: lagMs / 1000 }),
          // Whether it pauses at all shows only when it does.
          ...(canPause && isUp && { paused_empty: pausedSince !== null }),
        },
        ...(isUp && session.bootedAt !== null && { bootedAt: session.bootedAt }),
        ...(isUp && pausedSince !== null && { pausedSince }),
        ...(announced && { announced }),
        ...(!isPast && events.length > 0 && { events }),
      };
      lagMs = null;
      events = [];
      announced = undefined;
      return reading;
    },
  };
}
