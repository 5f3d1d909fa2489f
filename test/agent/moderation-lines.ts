import { eventPresets, matchesEvent } from "../../src/core/alert/event-rule.ts";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";

const someDay = Date.UTC(2026, 10, 20);

/** The events of moderation that these lines of a log give. */
export function moderationEvents(lines: readonly string[]) {
  const reader = logReader();
  for (const line of lines) reader.take(line);
  const story = logStory();
  for (const found of reader.found(someDay, Infinity)) story.take(found);
  return (story.reading("now").events ?? []).filter(({ category }) => category === "moderation");
}

export interface ToldAct {
  readonly type: string;
  readonly player: string | null;
  readonly by: string;
  readonly reason: string | null;
}

/** The same, as what was done, to whom, by whom and why. */
export const moderationsOf = (lines: readonly string[]): readonly ToldAct[] =>
  moderationEvents(lines).map(({ type, metadata, description }) => {
    const { player, by } = metadata as { player: string | null; by: string };
    return { type, player, by, reason: description ?? null };
  });

const rules = [
  { preset: "bans", eventTypes: eventPresets.bans, categories: [], minSeverity: null, sources: [] },
  { preset: null, eventTypes: [], categories: [], minSeverity: null, sources: [] },
] as const;

/** Those of these lines that give an event, and events that are verified or raise an alert. */
export function raised(lines: readonly string[]) {
  const alerts: string[] = [];
  const told = lines.filter((line) => {
    const events = moderationEvents([line]);
    for (const event of events) {
      const isVerified = !(typeof event.metadata === "object" && "unverified" in (event.metadata ?? {}));
      const isAlert = rules.some((rule) => matchesEvent(rule, event, { serverStopWithin10Min: false }));
      if (isVerified || isAlert) alerts.push(`${event.title} ${JSON.stringify(event.metadata)}`);
    }
    return events.length > 0;
  });
  return { told, alerts };
}

const withoutStop = (message: string): string => message.replace(/[.。]$/, "");

/** The message, and without each rank that may stand behind the plugin's name. */
function readingsOf(message: string): readonly string[] {
  const prefix = /^(?:\[Essentials\] |LibertyBans » )/.exec(message)?.[0] ?? "";
  const words = withoutStop(message.slice(prefix.length)).split(" ");
  const ranks = prefix === "" ? [0] : [0, 1, 2, 3];
  return ranks.map((count) => prefix + words.slice(count).join(" "));
}

/**
 * Of these lines, those that are in a form of chat: on its thread, or not as one of these messages. Versions of the
 * plugins differ in the full stop.
 */
export function inChat(lines: readonly string[], messages: ReadonlySet<string>): readonly string[] {
  const printed = new Set([...messages].map(withoutStop));
  return lines.filter((line) => {
    const [, thread = "", message = ""] = /^\[[\d:]+\] \[(.+?)\/INFO\]: (.*)$/.exec(line) ?? [];
    const isPrinted = readingsOf(message).some((reading) => printed.has(reading));
    return /chat|netty|scheduler/i.test(thread) || !isPrinted;
  });
}
