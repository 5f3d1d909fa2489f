import type { AlertRecord } from "../../core/alert/alert.ts";
import { channels, planDelivery, wasNotified } from "../../core/alert/delivery.ts";
import { isTooOld, matchesEvent, type EventRuleRecord } from "../../core/alert/event-rule.ts";
import { quietOf } from "../../core/alert/quiet.ts";
import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { isInMaintenance } from "../../core/maintenance/maintenance.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { stateWhileAccepted } from "../../core/server/status.ts";
import { minuteMs, toTimestampOrNull } from "../../core/time.ts";
import { openAlert } from "./alert-changes.ts";
import { all, one, type Result, type Step } from "../engine/database.ts";
import { eventRulesOf, saveEventRule } from "./event-rules.ts";
import { newId } from "../engine/ids.ts";
import { lockServer } from "../server/locks.ts";
import { maintenanceOf } from "../maintenance/maintenance.ts";
import { query } from "../engine/query.ts";
import { monitoredServer } from "../server/server-rows.ts";

/** A start is announced by a stop of the server so long before it, ms. */
const announcedByMs = 10 * 60_000;

/**
 * Alerts that one upload raises for one rule; what matches beyond it stands in the timeline alone. An upload holds
 * 500 events and a server has 25 rules: without a bound each request could write 12,500 alerts.
 */
const mostAlerts = 20;

const stopsBetween = query<{ server: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom("server_event")
    .select("timeline_at")
    .where("server_id", "=", $.server)
    .where("type", "=", "server_stop")
    .where("timeline_at", ">=", $.from)
    .where("timeline_at", "<=", $.to),
);

/** An opening of the rule that was queued within the cooldown and is still to be sent. */
const onItsWay = query<{ rule: string; since: number; now: number }>()((db, $) =>
  db
    .selectFrom("dispatch")
    .select("id")
    .where("rule_id", "=", $.rule)
    .where("purpose", "=", "opened")
    .where("created_at", ">", $.since)
    .where("created_at", "<=", $.now)
    .limit(1),
);

/** What an event alert tells of the server as it stands. */
interface Scene {
  readonly server: MonitoredServer;
  readonly serverState: AlertRecord["serverState"];
  readonly inMaintenance: boolean;
  /** When the server said that it stops, of late. */
  readonly stops: readonly number[];
  readonly now: number;
}

/**
 * Raises the alerts of a server's event rules for events that were just stored, in the order they happened. Nothing
 * about an event recovers, so its alert is born resolved.
 */
export function* raiseEventAlerts(
  serverId: string,
  events: readonly EventRecord[],
  now: number,
): Generator<Step, void, Result> {
  const fresh = events.filter((event) => !isTooOld(event));
  if (fresh.length === 0) return;
  if (!(yield* eventRulesOf(serverId)).some(({ enabled }) => enabled)) return;
  yield* lockServer(serverId);
  const rules = (yield* eventRulesOf(serverId)).filter(({ enabled }) => enabled);
  const server = yield* monitoredServer(serverId);
  if (!server) return;
  const inMaintenance = isInMaintenance(yield* maintenanceOf(serverId), now);
  const stops = yield* stopsBefore(fresh, serverId);
  const scene = { server, serverState: stateWhileAccepted(server, now), inMaintenance, stops, now };
  const inOrder = fresh.toSorted((a, b) => timelineAt(a) - timelineAt(b));
  for (const rule of rules) yield* raiseFor(rule, inOrder, scene);
}

/** The stops that announce a start among these events. */
function* stopsBefore(events: readonly EventRecord[], server: string): Generator<Step, number[], Result> {
  const starts = events.filter(({ type }) => type === "server_start").map(timelineAt);
  if (starts.length === 0) return [];
  const from = Math.min(...starts) - announcedByMs;
  const rows = yield* all(stopsBetween, { server, from, to: Math.max(...starts) });
  return rows.map(({ timeline_at }) => timeline_at);
}

function* raiseFor(
  rule: EventRuleRecord,
  events: readonly EventRecord[],
  scene: Scene,
): Generator<Step, void, Result> {
  const matching = events.filter((event) =>
    matchesEvent(rule, event, { serverStopWithin10Min: isAnnounced(event, scene.stops) }),
  );
  if (matching.length === 0) return;
  // Or an upload of many bans would be as many mails: none of them has begun the cooldown yet.
  const { now } = scene;
  const since = now - rule.cooldownMinutes * minuteMs;
  let waits = rule.cooldownMinutes > 0 && (yield* one(onItsWay, { rule: rule.id, since, now })) !== null;
  let { lastNotifiedAt } = rule;
  for (const event of matching.slice(0, mostAlerts)) {
    const alert = yield* raised({ ...rule, lastNotifiedAt }, event, waits, scene);
    waits ||= rule.cooldownMinutes > 0 && channels.some((each) => alert.delivery[each].status === "pending");
    if (wasNotified(alert.delivery)) lastNotifiedAt = scene.now;
  }
  yield* saveEventRule({ ...rule, lastTriggeredAt: scene.now, lastNotifiedAt });
}

const isAnnounced = (event: EventRecord, stops: readonly number[]): boolean => {
  const at = timelineAt(event);
  return stops.some((stop) => stop <= at && stop >= at - announcedByMs);
};

function* raised(
  rule: EventRuleRecord,
  event: EventRecord,
  waits: boolean,
  { server, serverState, inMaintenance, now }: Scene,
): Generator<Step, AlertRecord, Result> {
  const { id, type, category, severity, title, happenedAt } = event;
  const quiet = quietOf(rule, inMaintenance, false, now) ?? (waits ? "cooldown" : null);
  return yield* openAlert(
    {
      id: newId(now),
      accountId: server.accountId,
      kind: "event",
      status: "resolved",
      serverId: server.id,
      serverName: server.name,
      ruleId: rule.id,
      ruleName: rule.name,
      metric: null,
      condition: null,
      threshold: null,
      durationMinutes: null,
      value: null,
      worstValue: null,
      serverState,
      event: { id, type, category, severity, title, timestamp: toTimestampOrNull(happenedAt) },
      pendingSince: null,
      openedAt: now,
      acknowledgedAt: null,
      acknowledgedBy: null,
      resolvedAt: now,
      resolutionReason: "instantaneous",
      inMaintenance,
      flapping: false,
      delivery: planDelivery(rule.notify, quiet),
    },
    now,
  );
}
