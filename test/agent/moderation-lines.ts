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

/** How many events these lines give, and those that are verified or raise an alert. */
export function raised(lines: readonly string[]) {
  const alerts: string[] = [];
  let told = 0;
  // A few at a time, as they would be read.
  for (let from = 0; from < lines.length; from += 500)
    for (const event of moderationEvents(lines.slice(from, from + 500))) {
      told += 1;
      const isVerified = !(typeof event.metadata === "object" && "unverified" in (event.metadata ?? {}));
      const isAlert = rules.some((rule) => matchesEvent(rule, event, { serverStopWithin10Min: false }));
      if (isVerified || isAlert) alerts.push(`${event.title} ${JSON.stringify(event.metadata)}`);
    }
  return { told, alerts };
}
