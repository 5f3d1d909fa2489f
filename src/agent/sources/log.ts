import { minuteMs, secondMs, type Instant } from "../../core/time.ts";
import { FollowedFile, withoutReturn } from "../followed-file.ts";
import type { ServerPlace } from "../place.ts";
import { thisMachine, type MachineRoot } from "../proc.ts";
import type { Finding, Reading, Source } from "../source.ts";
import { contentOf } from "./log-archives.ts";
import { noMemories, type LogMemories } from "../log-memory.ts";
import { MissedEvents, missedLogs, type MissedLogs } from "./log-missed.ts";
import { logReader, type DatedFact } from "./log-reader.ts";
import { logStory } from "./log-story.ts";
import { processWatch, type ProcessEnd } from "./process-end.ts";

/** Of what lies behind, so much is read for how the server was doing then: a day's log of a busy one, bytes. */
const backBytes = 16 * 1024 * 1024;
/** Without news the position is kept so often, ms. */
const keepEveryMs = 10 * secondMs;

export interface LogParts {
  readonly root?: MachineRoot;
  readonly memories?: LogMemories;
}

/** What the server writes to its log: that it starts, stops or crashes, falls behind, pauses, bans somebody. */
export function logSource(
  place: ServerPlace,
  { root = thisMachine, memories = noMemories }: LogParts = {},
): Source {
  const file = new FollowedFile(backBytes);
  const story = logStory();
  const reader = logReader();
  const watch = processWatch(place, root);
  /** How the process ended, until the story is at that time. */
  let ended: ProcessEnd | null = null;
  /** The story knows of the end, and lines that the process wrote before may not be read yet. */
  let isEnding = false;
  let isBegun = false;
  let away: (MissedLogs & { readonly events: MissedEvents; next: number }) | null = null;
  let keptAt = Number.NEGATIVE_INFINITY;
  let keptPosition = "";

  const begin = async (now: Instant): Promise<void> => {
    isBegun = true;
    const known = await memories.load();
    if (known === null) return;
    if (known.process) watch.remember(known.process);
    const missed = await missedLogs(place.log, known, { now, backBytes });
    away = { ...missed, events: new MissedEvents(missed, now), next: 0 };
    zoneMs = known.zone_ms;
  };
  let zoneMs: number | null = null;

  const takeAll = (facts: readonly DatedFact[]): void => {
    for (const fact of facts) story.take(fact);
  };

  const noteEnd = (): boolean => {
    if (!ended) return false;
    story.sawEnd(ended);
    ended = null;
    return true;
  };

  /** Reads one log that was put aside; true while there was one. */
  const readAside = async (): Promise<boolean> => {
    const one = away?.aside[away.next];
    if (!away || !one) return false;
    away.next += 1;
    const content = await contentOf(one.archive);
    if (content === null) return true;
    reader.begin(one.archive.dayMs);
    const takePart = (part: Buffer): void => {
      for (const line of part.toString("utf8").split("\n")) reader.take(withoutReturn(line));
      takeAll(reader.foundAside(one.archive.writtenAt, zoneMs));
    };
    if (one.readBytes > 0) {
      takePart(content.subarray(0, Math.max(0, one.readBytes - 1)));
      story.reading("past");
    }
    isEnding ||= noteEnd();
    takePart(content.subarray(one.readBytes));
    const { events = [], leftOut = 0 } = story.reading("missed");
    away.events.add(events, leftOut);
    return true;
  };

  /** Reads the log itself for the first time after the agent was away. */
  const readReturned = async (
    missed: NonNullable<typeof away>,
    now: Instant,
    signal: AbortSignal,
  ): Promise<Reading> => {
    away = null;
    if (missed.aside.length > 0) reader.begin(null);
    const take = (line: string): void => reader.take(line);
    const past = await file.read(place.log, take, signal, missed.first);
    if (past.writtenAt !== null) takeAll(reader.found(past.writtenAt, now));
    story.reading("past");
    isEnding ||= noteEnd();
    const { writtenAt } = await file.read(place.log, take, signal);
    if (writtenAt !== null) takeAll(reader.found(writtenAt, now));
    const { events = [], leftOut = 0, ...reading } = story.reading("missed");
    missed.events.add(events, leftOut);
    return { ...reading, events: missed.events.all };
  };

  const readOn = async (now: Instant, signal: AbortSignal, isOver: boolean): Promise<Reading> => {
    const { writtenAt, isPast, isAnew } = await file.read(place.log, (line) => reader.take(line), signal);
    if (writtenAt === null) return {};
    if (isAnew) story.anew();
    takeAll(reader.found(writtenAt, isOver ? Infinity : now));
    if (isOver) story.settleEnd(reader.lastLine.at);
    const { leftOut: _, ...reading } = story.reading(isPast ? "past" : "now");
    return reading;
  };

  /** Keeps how far the log is read, once what was read is safe; a failure costs reading it again. */
  const settle = async (now: Instant, isNews: boolean): Promise<void> => {
    const position = await file.position();
    if (!position) return;
    const isDue = isNews || Math.abs(now - keptAt) >= keepEveryMs;
    const written = JSON.stringify([position, watch.known]);
    if (!isDue || written === keptPosition) return;
    const { at, zoneMs: zone } = reader.lastLine;
    await memories.keep({ file: position, last_line_at: at, zone_ms: zone, process: watch.known });
    keptAt = now;
    keptPosition = written;
  };

  return {
    name: "latest.log",
    check: () => check(place),
    async read(now, signal) {
      if (!isBegun) await begin(now);
      ended ??= await watch.look(now);
      if (await readAside()) return {};
      if (away) {
        const reading = await readReturned(away, now, signal);
        return { ...reading, settle: () => settle(now, true) };
      }
      const isOver = isEnding;
      isEnding = noteEnd();
      const reading = await readOn(now, signal, isOver);
      return { ...reading, settle: () => settle(now, (reading.events?.length ?? 0) > 0) };
    },
    close: () => file.close(),
  };
}

async function check(place: ServerPlace): Promise<readonly Finding[]> {
  const about = "latest.log";
  const file = new FollowedFile(backBytes);
  const reader = logReader();
  try {
    let lines = 0;
    const take = (line: string): void => {
      lines += 1;
      reader.take(line);
    };
    const { writtenAt } = await file.read(place.log, take, AbortSignal.timeout(10_000));
    if (writtenAt === null) {
      const says =
        "There is no logs/latest.log that this user may read: start the server once, or run the agent as the server's user.";
      return [{ able: false, about, says }];
    }
    const hasStart = reader.found(writtenAt, writtenAt + minuteMs).some(({ fact }) => fact.is === "ready");
    const says = hasStart
      ? "Read; the server's last start is in it. Tells starts, stops, crashes, bans and lost time."
      : lines === 0
        ? "Read; it is empty so far."
        : "Read; no start of the server is in it. Tells starts, stops, crashes, bans and lost time from now on.";
    return [{ able: true, about, says }];
  } finally {
    await file.close();
  }
}
