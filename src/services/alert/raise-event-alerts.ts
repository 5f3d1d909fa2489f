import type { AlertRecord } from "../../core/alert/alert.ts";
import { channelRecords, planDelivery, wasNotified } from "../../core/alert/delivery.ts";
import { isTooOld, matchesEvent, type EventRuleRecord } from "../../core/alert/event-rule.ts";
import { quietOf } from "../../core/alert/quiet.ts";
import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { isInMaintenance } from "../../core/maintenance/server-maintenance.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { stateWhileAccepted } from "../../core/server/status.ts";
import { minuteMs, toTimestampOrNull } from "../../core/time.ts";
import { openAlert } from "./open-alert.ts";
import {
  eventRulesOf,
  hasOpeningQueued,
  saveEventRule,
  stopsBetween,
} from "../../store/alert/event-rules.ts";
import { hasWebhook } from "../../store/notice/outbox.ts";
import type { Work } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { maintenanceOf } from "../../store/maintenance/maintenance.ts";
import { lockServer } from "../../store/server/locks.ts";
import { monitoredServer } from "../../store/server/server-rows.ts";

/** A stop announces a start that follows within this time, ms. */
const announcedByMs = 10 * 60_000;

/**
 * Most alerts per upload and rule; further events are only in the timeline. With 500 events per upload and 25
 * rules per server, a request could otherwise write 12,500 alerts.
 */
const mostAlerts = 20;

interface EventAlertInput {
  readonly server: MonitoredServer;
  readonly serverState: AlertRecord["serverState"];
  readonly inMaintenance: boolean;
  /** Times of recent announced stops. */
  readonly stops: readonly number[];
  readonly now: number;
}

/** Raises alerts for events just stored, in time order. Events do not recover: alerts start resolved. */
export function* raiseEventAlerts(serverId: string, events: readonly EventRecord[], now: number): Work<void> {
  const fresh = events.filter((event) => !isTooOld(event));
  if (fresh.length === 0) return;
  if (!(yield* eventRulesOf(serverId)).some(({ enabled }) => enabled)) return;
  yield* lockServer(serverId);
  const rules = (yield* eventRulesOf(serverId)).filter(({ enabled }) => enabled);
  const server = yield* monitoredServer(serverId);
  if (!server) return;
  const inMaintenance = isInMaintenance(yield* maintenanceOf(serverId), now);
  const stops = yield* stopsBefore(fresh, serverId);
  const input = { server, serverState: stateWhileAccepted(server, now), inMaintenance, stops, now };
  const inOrder = fresh.toSorted((a, b) => timelineAt(a) - timelineAt(b));
  for (const rule of rules) yield* raiseFor(rule, inOrder, input);
}

function* stopsBefore(events: readonly EventRecord[], server: string): Work<number[]> {
  const starts = events.filter(({ type }) => type === "server_start").map(timelineAt);
  if (starts.length === 0) return [];
  const from = Math.min(...starts) - announcedByMs;
  return yield* stopsBetween(server, from, Math.max(...starts));
}

function* raiseFor(
  rule: EventRuleRecord,
  events: readonly EventRecord[],
  input: EventAlertInput,
): Work<void> {
  const matching = events.filter((event) =>
    matchesEvent(rule, event, { serverStopWithin10Min: isAnnounced(event, input.stops) }),
  );
  if (matching.length === 0) return;
  // Messages still to be sent have not started the cooldown; without this check 20 bans send 20 mails.
  const { now } = input;
  const since = now - rule.cooldownMinutes * minuteMs;
  let waits = rule.cooldownMinutes > 0 && (yield* hasOpeningQueued(rule.id, since, now));
  let { lastNotifiedAt } = rule;
  for (const event of matching.slice(0, mostAlerts)) {
    const alert = yield* raised({ ...rule, lastNotifiedAt }, event, waits, input);
    waits ||=
      rule.cooldownMinutes > 0 && channelRecords(alert.delivery).some(({ status }) => status === "pending");
    if (wasNotified(alert.delivery)) lastNotifiedAt = input.now;
  }
  yield* saveEventRule({ ...rule, lastTriggeredAt: input.now, lastNotifiedAt });
}

const isAnnounced = (event: EventRecord, stops: readonly number[]): boolean => {
  const at = timelineAt(event);
  return stops.some((stop) => stop <= at && stop >= at - announcedByMs);
};

function* raised(
  rule: EventRuleRecord,
  event: EventRecord,
  waits: boolean,
  { server, serverState, inMaintenance, now }: EventAlertInput,
): Work<AlertRecord> {
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
      delivery: planDelivery(rule.notify, quiet, yield* hasWebhook(server.accountId)),
    },
    now,
  );
}
