import type { z } from "zod";
import { timelineAt, type EventRecord } from "../event/server-event.ts";
import { toTimestamp, type Instant } from "../time.ts";
import type { HealthFacts } from "./facts.ts";
import { changeKinds, type ChangeKind, type Coincidence, type HealthChange } from "./health.ts";
import { coincidesAfterMs, coincidesBeforeMs, mostChanges, mostCoincidences } from "./thresholds.ts";

/** Types of timeline entries that are a change of the server. */
const kindOfType: Readonly<Record<string, ChangeKind>> = {
  plugin_added: "software",
  plugin_removed: "software",
  plugin_updated: "software",
  software_changed: "software",
  server_updated: "software",
  java_changed: "software",
  setting_changed: "setting",
  server_start: "restart",
  restart: "restart",
  server_crash: "crash",
  backup: "backup",
  world_generation: "other",
  maintenance_start: "maintenance",
};

interface Change {
  readonly kind: ChangeKind;
  readonly at: Instant;
  readonly event: EventRecord;
}

const changesIn = (events: readonly EventRecord[]): Change[] =>
  events.flatMap((event) => {
    const kind = kindOfType[event.type];
    return kind === undefined ? [] : [{ kind, at: timelineAt(event), event }];
  });

/** What changed in the period, newest first, at most 20. */
export const healthChanges = ({ events }: HealthFacts): HealthChange[] =>
  changesIn(events)
    .slice(0, mostChanges)
    .map(({ kind, at, event }) => ({ kind, at: toTimestamp(at), subject: event.title, event_id: event.id }));

const rankOf = ({ kind }: Change): number => changeKinds.indexOf(kind);

/**
 * Changes within 30 minutes before the start of a finding and 5 minutes after it: those of software first, then
 * settings, restarts and the rest, inside a kind the nearest first, at most 5. They are not called causes.
 */
export function coincidencesOf(
  { events }: HealthFacts,
  since: Instant | null,
): z.infer<typeof Coincidence>[] {
  if (since === null) return [];
  return changesIn(events)
    .filter(({ at }) => at >= since - coincidesBeforeMs && at <= since + coincidesAfterMs)
    .toSorted(
      (one, other) => rankOf(one) - rankOf(other) || Math.abs(one.at - since) - Math.abs(other.at - since),
    )
    .slice(0, mostCoincidences)
    .map(({ kind, at, event }) => ({
      kind,
      at: toTimestamp(at),
      subject: event.title,
      minutes_before: Math.round((since - at) / 6000) / 10,
    }));
}
