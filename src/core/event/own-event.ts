import type { Report } from "../report/report.ts";
import { z } from "zod";
import { HealthVerdict } from "../health/health.ts";
import { severityOfVerdict, type HealthEvaluation } from "../health/stored-health.ts";
import { minuteMs, parseInstant, toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { ownSource, type EventCategory, type EventRecord, type EventSeverity } from "./server-event.ts";

/** `client`: the name of a connector's program; null for a plain token. */
export interface ActingToken {
  readonly name: string;
  readonly client: string | null;
}

export interface Occasion {
  readonly id: string;
  readonly serverId: string;
  readonly now: Instant;
}

interface Entry {
  readonly type: string;
  readonly category: EventCategory;
  readonly severity: EventSeverity;
  readonly title: string;
}

/** An entry of the service without an acting person or token. */
const ownEntry = (
  { id, serverId, now }: Occasion,
  { type, category, severity, title }: Entry,
  metadata: Readonly<Record<string, unknown>>,
): EventRecord => ({
  id,
  serverId,
  localId: null,
  type,
  category,
  source: ownSource,
  severity,
  title,
  description: null,
  metadata,
  happenedAt: now,
  durationMs: null,
  receivedAt: now,
});

/** An entry about an action; `by` is null for a person in the browser. */
const entryOf = (
  occasion: Occasion,
  entry: Entry,
  by: ActingToken | null,
  done: Readonly<Record<string, unknown>>,
): EventRecord => ownEntry(occasion, entry, { token: by?.name ?? null, client: by?.client ?? null, ...done });

/** Event rules watch these entries. The headline is in the title, because messages show only the title. */
export const healthChanged = (
  occasion: Occasion,
  from: HealthVerdict,
  { verdict, reasons, since, headline }: Omit<HealthEvaluation, "beginnings">,
): EventRecord => {
  const isBetter = verdict === "degraded" && (from === "down" || from === "critical");
  return ownEntry(
    occasion,
    {
      type: "health_changed",
      category: "custom",
      severity: severityOfVerdict[verdict],
      title: `Health is ${isBetter ? "better, now" : "now"} ${verdict}: ${headline.text}`,
    },
    { from, to: verdict, reasons, since: toTimestampOrNull(since) },
  );
};

/** What an entry about the server's health says. */
export interface NamedVerdict {
  readonly from: HealthVerdict;
  readonly to: HealthVerdict;
  readonly since: Instant | null;
  readonly reasons: readonly string[];
  /** When later data showed something else; null if none did. */
  readonly revisedAt: Instant | null;
}

const Named = z.object({
  from: HealthVerdict,
  to: HealthVerdict,
  since: z.string().nullable(),
  reasons: z.array(z.string()),
  revised_at: z.string().optional(),
});

/** Null for an entry of something else. */
export function timelineVerdict({ type, source, metadata }: EventRecord): NamedVerdict | null {
  const named = type === "health_changed" && source === ownSource ? Named.safeParse(metadata) : null;
  if (!named?.success) return null;
  const { since, revised_at: revised, ...verdict } = named.data;
  return {
    ...verdict,
    since: since === null ? null : parseInstant(since),
    revisedAt: revised === undefined ? null : parseInstant(revised),
  };
}

/** The entry with the time at which later data was judged; entries are never deleted, as they were announced. */
export const revisedEntry = (entry: EventRecord, at: Instant): EventRecord => ({
  ...entry,
  metadata: Object.assign({}, entry.metadata, { revised_at: toTimestamp(at) }),
});

/** A slowdown lasted so long that its level is the usual one now. */
export const newNormal = (occasion: Occasion, since: Instant): EventRecord =>
  ownEntry(
    occasion,
    { type: "new_normal", category: "custom", severity: "info", title: "Slower ticks are usual now" },
    { since: toTimestamp(since) },
  );

export const maintenanceStart = (
  occasion: Occasion,
  by: ActingToken | null,
  window: { readonly endsAt: Instant; readonly reason: string | null },
): EventRecord =>
  entryOf(
    occasion,
    { type: "maintenance_start", category: "lifecycle", severity: "info", title: "Maintenance started" },
    by,
    {
      minutes: Math.round((window.endsAt - occasion.now) / minuteMs),
      ends_at: toTimestamp(window.endsAt),
      reason: window.reason,
    },
  );

export const recurringStart = (
  occasion: Occasion,
  window: { readonly recurringId: string; readonly endsAt: Instant; readonly title: string },
): EventRecord =>
  ownEntry(
    occasion,
    { type: "maintenance_start", category: "lifecycle", severity: "info", title: "Maintenance started" },
    {
      recurring_id: window.recurringId,
      minutes: Math.round((window.endsAt - occasion.now) / minuteMs),
      ends_at: toTimestamp(window.endsAt),
      reason: window.title,
    },
  );

const security = (type: string, title: string): Entry => ({
  type,
  category: "security",
  severity: "warning",
  title,
});

export const ruleDisabled = (
  occasion: Occasion,
  by: ActingToken,
  rule: { readonly id: string; readonly name: string },
): EventRecord =>
  entryOf(occasion, security("rule_disabled", "Alert rule switched off"), by, {
    rule_id: rule.id,
    rule_name: rule.name,
  });

export const ruleMuted = (
  occasion: Occasion,
  by: ActingToken,
  rule: { readonly id: string; readonly name: string },
  mute: { readonly minutes: number; readonly until: Instant },
): EventRecord =>
  entryOf(occasion, security("rule_muted", "Alert rule muted"), by, {
    rule_id: rule.id,
    rule_name: rule.name,
    minutes: mute.minutes,
    ends_at: toTimestamp(mute.until),
  });

export const alertAcknowledged = (
  occasion: Occasion,
  by: ActingToken,
  alert: { readonly id: string; readonly ruleId: string | null; readonly ruleName: string },
): EventRecord =>
  entryOf(occasion, security("alert_acknowledged", "Alert acknowledged"), by, {
    alert_id: alert.id,
    rule_id: alert.ruleId,
    rule_name: alert.ruleName,
  });

/** Only changed fields are set. */
export interface ServerVisibility {
  readonly is_public?: boolean;
  readonly show_address_on_report?: boolean;
}

export const serverVisibilityChanged = (
  occasion: Occasion,
  by: ActingToken,
  changed: ServerVisibility,
): EventRecord =>
  entryOf(occasion, security("visibility_changed", "Visibility of the server changed"), by, { ...changed });

export const reportVisibilityChanged = (
  occasion: Occasion,
  by: ActingToken,
  report: { readonly id: string; readonly visibility: Report["visibility"] },
): EventRecord =>
  entryOf(occasion, security("visibility_changed", "Visibility of a report changed"), by, {
    report_id: report.id,
    visibility: report.visibility,
  });
