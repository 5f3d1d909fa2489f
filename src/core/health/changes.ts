import { z } from "zod";
import { ownSource, timelineAt, type EventCategory, type EventRecord } from "../event/server-event.ts";
import { WrittenSetting } from "../software/known-settings.ts";
import { toTimestamp, type Instant } from "../time.ts";
import type { HealthFacts } from "./facts.ts";
import type { ChangeKind, Coincidence, FindingCode, HealthChange } from "./health.ts";
import { episodeOf } from "./unusual-level.ts";
import { coincidesAfterMs, coincidesBeforeMs, mostChanges, mostCoincidences } from "./thresholds.ts";

const kindOfType: Readonly<Record<string, ChangeKind>> = {
  plugin_added: "plugin_added",
  plugin_removed: "plugin_removed",
  plugin_updated: "plugin_updated",
  software_changed: "software_changed",
  server_updated: "server_updated",
  java_changed: "java_changed",
  setting_changed: "setting_changed",
  server_start: "restart",
  restart: "restart",
  world_generation: "world_generation",
  backup: "backup",
  backup_complete: "backup",
  maintenance_start: "maintenance",
  server_crash: "crash",
};

export const healthEventTypes: readonly string[] = [
  ...Object.keys(kindOfType),
  "server_stop",
  "cpu_throttled",
  "out_of_memory",
];

/** Other categories are about players, not about the server. */
export const healthEventCategories: readonly EventCategory[] = ["lifecycle", "custom"];

export const isOfHealth = ({ type, category }: Pick<EventRecord, "type" | "category">): boolean =>
  healthEventCategories.includes(category) && healthEventTypes.includes(type);

type Value = HealthChange["from"];

interface Change {
  readonly kind: ChangeKind;
  readonly at: Instant;
  readonly subject: string | null;
  readonly from: Value;
  readonly to: Value;
}

const Written = z.object({
  subject: z.string().optional(),
  what: z.string().optional(),
  from: WrittenSetting.nullable().catch(null),
  to: WrittenSetting.nullable().catch(null),
});

/** Entries of the service name their subject; for others it is the title. */
function contentOf({
  source,
  title,
  metadata,
}: Pick<EventRecord, "source" | "title" | "metadata">): Omit<Change, "kind" | "at"> {
  const written = source === ownSource ? Written.safeParse(metadata) : null;
  if (!written?.success) return { subject: title, from: null, to: null };
  const { subject, what, from, to } = written.data;
  return { subject: subject ?? what ?? title, from, to };
}

/** The change of an entry in a timeline; null for an entry of another kind. */
export function changeOfEntry(
  entry: Pick<EventRecord, "type" | "source" | "title" | "metadata">,
): Omit<Change, "at"> | null {
  // The type is third-party text, such as `hasOwnProperty`.
  const kind = Object.hasOwn(kindOfType, entry.type) ? kindOfType[entry.type] : undefined;
  return kind === undefined ? null : { kind, ...contentOf(entry) };
}

const changesIn = (events: readonly EventRecord[]): (Change & { readonly event: EventRecord })[] =>
  events.flatMap((event) => {
    const change = changeOfEntry(event);
    return change === null ? [] : [{ ...change, at: timelineAt(event), event }];
  });

/** Newest first. */
export const healthChanges = ({ events, from }: HealthFacts): HealthChange[] =>
  changesIn(events)
    .filter(({ at }) => at >= from)
    .slice(0, mostChanges)
    .map(({ kind, at, subject, from: before, to, event }) => ({
      kind,
      at: toTimestamp(at),
      subject,
      from: before,
      to,
      event_id: event.id,
    }));

/** A window counts at the end nearer to `since`, or at `since` itself if that is inside. */
const windowsNear = ({ maintenance }: HealthFacts, since: Instant): Change[] =>
  maintenance.map(({ startedAt, endsAt }) => ({
    kind: "maintenance",
    at: Math.min(endsAt, Math.max(startedAt, since)),
    subject: null,
    from: null,
    to: null,
  }));

/** The kinds that most often explain a finding come first. */
const ranks: Readonly<Record<ChangeKind, number>> = {
  plugin_updated: 0,
  plugin_added: 0,
  plugin_removed: 0,
  server_updated: 0,
  java_changed: 0,
  software_changed: 0,
  setting_changed: 1,
  restart: 2,
  world_generation: 3,
  backup: 4,
  maintenance: 5,
  crash: 6,
};
const rankOf = ({ kind }: Change): number => ranks[kind];

/** What findings that count unclean ends consist of: from their start on it explains nothing. */
const ownChanges: Readonly<Partial<Record<FindingCode, readonly ChangeKind[]>>> = {
  crash_loop: ["crash", "restart"],
  crashed: ["crash", "restart"],
};

/**
 * The start that a change has to be near. Ticks that became slower than usual may pass the limit much later, when
 * more players are online: what happened then says nothing.
 */
function startToExplain({ usual: { slowness } }: HealthFacts, code: FindingCode, since: Instant): Instant {
  if (code !== "tick_over_budget" || slowness === null) return since;
  return Math.min(episodeOf(slowness), since);
}

/**
 * Changes from 30 minutes before the start that explains a finding to 5 minutes after it, by rank, then the nearest
 * first. They are not called causes. Maintenance counts up to its end, because the server is judged only after it.
 */
export function coincidencesOf(
  facts: HealthFacts,
  code: FindingCode,
  since: Instant | null,
): z.infer<typeof Coincidence>[] {
  if (since === null) return [];
  const start = startToExplain(facts, code, since);
  const own = ownChanges[code] ?? [];
  const others = changesIn(facts.events).filter(({ kind }) => kind !== "maintenance");
  return [...others, ...windowsNear(facts, start)]
    .filter(({ at }) => at >= start - coincidesBeforeMs && at <= start + coincidesAfterMs)
    .filter(({ kind, at }) => at < start || !own.includes(kind))
    .toSorted(
      (one, other) => rankOf(one) - rankOf(other) || Math.abs(one.at - start) - Math.abs(other.at - start),
    )
    .slice(0, mostCoincidences)
    .map(({ kind, at, subject, from, to }) => ({
      kind,
      at: toTimestamp(at),
      subject,
      from,
      to,
      minutes_before: Math.round((since - at) / 6000) / 10,
    }));
}
