import { z } from "zod";
import { EventCategory, EventSeverity, eventSeverities, type EventRecord } from "../event/server-event.ts";
import { Id } from "../id.ts";
import { callerName, thirdPartyText } from "../text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import type { ChannelSwitches } from "./delivery.ts";

/** A rule on a server's timeline; people make it in the browser. */
export const EventRule = z.object({
  id: Id,
  server_id: Id,
  name: callerName(80),
  event_types: z.array(thirdPartyText(64)),
  categories: z.array(EventCategory),
  min_severity: EventSeverity.nullable(),
  sources: z.array(thirdPartyText(64)),
  cooldown_minutes: z.int(),
  notify_email: z.boolean(),
  notify_chat: z.boolean(),
  notify_in_app: z.boolean(),
  enabled: z.boolean(),
  muted_until: Timestamp.nullable(),
  last_triggered_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type EventRule = z.infer<typeof EventRule>;

export const EventPreset = z.enum(["bans", "crashes", "restarts", "health"]);
export type EventPreset = z.infer<typeof EventPreset>;

export const eventPresets = {
  bans: ["ban", "tempban", "ip_ban"],
  crashes: ["server_crash"],
  restarts: ["restart", "server_start"],
  health: ["health_changed"],
} as const satisfies Readonly<Record<EventPreset, readonly string[]>>;

/** Least severity of each preset; a server that recovers is not worth a message. */
export const presetSeverity: Readonly<Record<EventPreset, EventSeverity | null>> = {
  bans: null,
  crashes: null,
  restarts: null,
  health: "warning",
};

/** Which events a rule matches; an empty list or null matches all. */
export interface WatchedEvents {
  /** Null for a rule with types of its own. */
  readonly preset: EventPreset | null;
  readonly eventTypes: readonly string[];
  readonly categories: readonly EventCategory[];
  readonly minSeverity: EventSeverity | null;
  readonly sources: readonly string[];
}

export interface EventRuleRecord extends WatchedEvents {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  readonly cooldownMinutes: number;
  readonly notify: ChannelSwitches;
  readonly enabled: boolean;
  readonly mutedUntil: Instant | null;
  readonly lastTriggeredAt: Instant | null;
  readonly lastNotifiedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type NewEventRule = Pick<
  EventRuleRecord,
  keyof WatchedEvents | "id" | "serverId" | "name" | "cooldownMinutes" | "notify"
>;

/** A rule that was made at `now`: enabled, and never triggered. */
export const newEventRule = (rule: NewEventRule, now: Instant): EventRuleRecord => ({
  ...rule,
  enabled: true,
  mutedUntil: null,
  lastTriggeredAt: null,
  lastNotifiedAt: null,
  createdAt: now,
  updatedAt: now,
});

export const toEventRule = (rule: EventRuleRecord): EventRule => ({
  id: rule.id,
  server_id: rule.serverId,
  name: rule.name,
  event_types: [...rule.eventTypes],
  categories: [...rule.categories],
  min_severity: rule.minSeverity,
  sources: [...rule.sources],
  cooldown_minutes: rule.cooldownMinutes,
  notify_email: rule.notify.email,
  notify_chat: rule.notify.chat,
  notify_in_app: rule.notify.in_app,
  enabled: rule.enabled,
  muted_until: toTimestampOrNull(rule.mutedUntil),
  last_triggered_at: toTimestampOrNull(rule.lastTriggeredAt),
  created_at: toTimestamp(rule.createdAt),
  updated_at: toTimestamp(rule.updatedAt),
});

const includes = <T>(accepted: readonly T[], value: T): boolean =>
  accepted.length === 0 || accepted.includes(value);

/** Whether a moderation event stands only in text that a player could have written too. */
const isUnverified = ({
  category,
  metadata,
}: Pick<EventRecord, "category"> & { metadata?: unknown }): boolean =>
  category === "moderation" &&
  typeof metadata === "object" &&
  metadata !== null &&
  "unverified" in metadata &&
  metadata.unverified === true;

/**
 * An unverified moderation event matches only a rule that names its source. `serverStopWithin10Min`: the
 * timeline has a `server_stop` in the ten minutes before; such a start is no restart for the preset.
 */
export function matchesEvent(
  rule: WatchedEvents,
  event: Pick<EventRecord, "type" | "category" | "source" | "severity"> & { readonly metadata?: unknown },
  { serverStopWithin10Min }: { readonly serverStopWithin10Min: boolean },
): boolean {
  const isPlannedStart = rule.preset === "restarts" && event.type === "server_start" && serverStopWithin10Min;
  const least = rule.minSeverity === null ? 0 : eventSeverities.indexOf(rule.minSeverity);
  return (
    !isPlannedStart &&
    (!isUnverified(event) || rule.sources.includes(event.source)) &&
    includes(rule.eventTypes, event.type) &&
    includes(rule.categories, event.category) &&
    includes(rule.sources, event.source) &&
    eventSeverities.indexOf(event.severity) >= least
  );
}

/** An event that arrives later than this after it happened raises no alert, ms. */
const freshMs = 15 * 60_000;

/** An event without a time counts as new. */
export const isTooOld = ({
  happenedAt,
  receivedAt,
}: Pick<EventRecord, "happenedAt" | "receivedAt">): boolean =>
  happenedAt !== null && receivedAt - happenedAt > freshMs;
