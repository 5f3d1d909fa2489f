import { z } from "zod";
import { Id } from "../id.ts";
import { accepting } from "../accepted-form.ts";
import { thirdPartyJson } from "../text/third-party-json.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

export const EventCategory = z.enum(["lifecycle", "benchmark", "moderation", "security", "custom"]);
export type EventCategory = z.infer<typeof EventCategory>;

/** From least to most severe. */
export const eventSeverities = ["info", "warning", "error"] as const;
export const EventSeverity = z.enum(eventSeverities);
export type EventSeverity = z.infer<typeof EventSeverity>;

/** Kept up to 16 KiB, shown up to 8 levels deep. */
export const EventMetadata = accepting(
  thirdPartyJson({ maxBytes: 16 * 1024, maxDepth: 8 }),
  "any JSON of at most 16 KiB",
);

export const ServerEvent = z.object({
  id: Id,
  server_id: Id,
  type: thirdPartyText(64),
  category: EventCategory,
  source: thirdPartyText(64),
  severity: EventSeverity,
  title: thirdPartyText(500),
  description: thirdPartyText(4000).nullable(),
  metadata: EventMetadata.nullable(),
  timestamp: Timestamp.nullable(),
  duration_ms: z.int().nullable(),
});
export type ServerEvent = z.infer<typeof ServerEvent>;

export const AccountEvent = ServerEvent.extend({ server_name: thirdPartyText(80).nullable() });
export type AccountEvent = z.infer<typeof AccountEvent>;

/** The source of entries that the service writes itself. */
export const ownSource = "tickmark";

/** The types of these entries. */
export const ownTypes = [
  "maintenance_start",
  "rule_disabled",
  "rule_muted",
  "alert_acknowledged",
  "visibility_changed",
  "server_updated",
  "java_changed",
  "plugin_updated",
  "plugin_added",
  "plugin_removed",
  "setting_changed",
  "software_changed",
  "health_changed",
  "new_normal",
] as const;

/** Whether a plugin's event would look like the service's own record. */
export const looksLikeOurs = ({ source, type }: Pick<EventRecord, "source" | "type">): boolean =>
  source === ownSource && ownTypes.some((own) => own === type);

export interface EventRecord {
  readonly id: string;
  readonly serverId: string;
  /** The plugin's id of the event; null for the service's own entries. */
  readonly localId: string | null;
  readonly type: string;
  readonly category: EventCategory;
  readonly source: string;
  readonly severity: EventSeverity;
  readonly title: string;
  readonly description: string | null;
  readonly metadata: unknown;
  /** By the reporter's clock; null if the reporter gave no time. */
  readonly happenedAt: Instant | null;
  readonly durationMs: number | null;
  readonly receivedAt: Instant;
}

export interface AccountEventRecord extends EventRecord {
  readonly serverName: string | null;
}

/** When the event happened, else when it was received. */
export const timelineAt = (event: EventRecord): Instant => event.happenedAt ?? event.receivedAt;

export const toServerEvent = (event: EventRecord): ServerEvent => ({
  id: event.id,
  server_id: event.serverId,
  type: event.type,
  category: event.category,
  source: event.source,
  severity: event.severity,
  title: event.title,
  description: event.description,
  metadata: event.metadata,
  timestamp: toTimestampOrNull(event.happenedAt),
  duration_ms: event.durationMs,
});

export const toAccountEvent = (event: AccountEventRecord): AccountEvent => ({
  ...toServerEvent(event),
  server_name: event.serverName,
});
