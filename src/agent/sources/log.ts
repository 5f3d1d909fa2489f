import type { ServerPlace } from "../place.ts";
import { thisMachine, type MachineRoot } from "../proc.ts";
import type { Finding, Source } from "../source.ts";
import { logReader } from "./log-reader.ts";
import { logStory } from "./log-story.ts";
import { logTail } from "./log-tail.ts";
import { processWatch } from "./process-end.ts";

/** What the server writes to its log: that it starts, stops or crashes, falls behind, pauses, bans somebody. */
export function logSource(place: ServerPlace, root: MachineRoot = thisMachine): Source {
  const tail = logTail(place.log);
  const story = logStory();
  const reader = logReader();
  const watch = processWatch(place, root);
  /** The process ended, and lines that it wrote before may not be read yet. */
  let isEnding = false;

  return {
    name: "latest.log",
    check: () => check(place),
    async read(now, signal) {
      const wasEnding = isEnding;
      const end = await watch.look(now);
      if (end) story.sawEnd(end);
      isEnding = end !== null;
      const { writtenAt, isPast, isAnew } = await tail.read((line) => reader.take(line), signal);
      if (writtenAt === null) return {};
      if (isAnew) story.anew();
      for (const found of reader.found(writtenAt, wasEnding ? Infinity : now)) story.take(found);
      if (wasEnding) story.settleEnd();
      return story.reading(isPast);
    },
    close: () => tail.close(),
  };
}

async function check(place: ServerPlace): Promise<readonly Finding[]> {
  const about = "latest.log";
  const tail = logTail(place.log);
  const reader = logReader();
  try {
    let lines = 0;
    const { writtenAt } = await tail.read((line) => {
      lines += 1;
      reader.take(line);
    }, AbortSignal.timeout(10_000));
    if (writtenAt === null) {
      const says =
        "There is no logs/latest.log that this user may read: start the server once, or run the agent as the server's user.";
      return [{ able: false, about, says }];
    }
    const facts = reader.found(writtenAt, Date.now());
    const hasStart = facts.some(({ fact }) => fact.is === "ready");
    const says = hasStart
      ? "Read; the server's last start is in it. Tells starts, stops, crashes, bans and lost time."
      : lines === 0
        ? "Read; it is empty so far."
        : "Read; no start of the server is in it. Tells starts, stops, crashes, bans and lost time from now on.";
    return [{ able: true, about, says }];
  } finally {
    await tail.close();
  }
}
