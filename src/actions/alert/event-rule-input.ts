import { z } from "zod";
import type { Fail } from "../../contract/call/context.ts";
import {
  EventPreset,
  eventPresets,
  presetSeverity,
  type EventRuleRecord,
  type WatchedEvents,
} from "../../core/alert/event-rule.ts";
import { longestRuleMinutes } from "../../core/alert/limits.ts";
import { EventCategory, EventSeverity } from "../../core/event/server-event.ts";
import { callerName } from "../../core/text/third-party-text.ts";

const mostNames = 20;
const names = z.array(callerName(64)).max(mostNames);

/** All but the name have a default. */
export const eventRuleInput = {
  name: callerName(80),
  preset: EventPreset.optional(),
  event_types: names.optional(),
  categories: z.array(EventCategory).max(EventCategory.options.length).optional(),
  min_severity: EventSeverity.nullable().optional(),
  sources: names.optional(),
  cooldown_minutes: z.int().min(0).max(longestRuleMinutes).optional(),
  notify_email: z.boolean().optional(),
  notify_chat: z.boolean().optional(),
  notify_in_app: z.boolean().optional(),
};

interface Sent {
  readonly preset?: EventPreset | undefined;
  readonly event_types?: readonly string[] | undefined;
  readonly categories?: readonly EventCategory[] | undefined;
  readonly min_severity?: EventSeverity | null | undefined;
  readonly sources?: readonly string[] | undefined;
}

export function refuseContradiction({ preset, event_types }: Sent, fail: Fail<"validation_error">): void {
  if (preset === undefined || event_types === undefined) return;
  fail("validation_error", "preset sets event_types: send either preset or event_types.", {
    field: "event_types",
  });
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** A newly chosen preset brings its own severity, unless one is sent. */
function minSeverityAfter(before: WatchedEvents, { preset, min_severity }: Sent): EventSeverity | null {
  if (min_severity !== undefined) return min_severity;
  return preset === undefined || preset === before.preset ? before.minSeverity : presetSeverity[preset];
}

/** Applies the sent conditions to the stored ones; sent event types replace a preset. */
export function watchedAfter(before: WatchedEvents, sent: Sent): WatchedEvents {
  const types =
    sent.preset !== undefined
      ? { preset: sent.preset, eventTypes: eventPresets[sent.preset] }
      : sent.event_types !== undefined
        ? { preset: null, eventTypes: unique(sent.event_types) }
        : { preset: before.preset, eventTypes: before.eventTypes };
  return {
    ...types,
    categories: unique(sent.categories ?? before.categories),
    minSeverity: minSeverityAfter(before, sent),
    sources: unique(sent.sources ?? before.sources),
  };
}

export const everyEvent: Pick<EventRuleRecord, keyof WatchedEvents> = {
  preset: null,
  eventTypes: [],
  categories: [],
  minSeverity: null,
  sources: [],
};
