import type { PlanLimits, PlanName } from "../../core/access/plan.ts";
import type { RuleRecord, SampleMetric } from "../../core/alert/alert-rule.ts";
import type { AlertRecord } from "../../core/alert/alert.ts";
import { planDelivery, wasNotified } from "../../core/alert/delivery.ts";
import { evaluate } from "../../core/alert/evaluate.ts";
import { toWatchedServer, type Fact } from "../../core/alert/fact.ts";
import { isMuted } from "../../core/alert/quiet.ts";
import type { AlertChange } from "../../core/alert/verdict.ts";
import { isInMaintenance, type ServerMaintenance } from "../../core/maintenance/server-maintenance.ts";
import type { Instant } from "../../core/time.ts";
import type { Sample } from "../../core/metric/sample.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { derivedStatus } from "../../core/server/status.ts";
import { openAlert, sendKeptAlert } from "./open-alert.ts";
import { resolveAlert } from "./resolve-alert.ts";
import { rulesOf, saveRule } from "../../store/alert/alert-rules.ts";
import { lockAlert, saveAlert } from "../../store/alert/alerts.ts";
import type { Work } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { maintenanceOf } from "../../store/maintenance/maintenance.ts";
import { hasWebhook } from "../../store/notice/outbox.ts";
import { monitoredServer } from "../../store/server/server-rows.ts";

export type LimitsOf = (plan: PlanName) => PlanLimits;

interface NewSample {
  readonly at: number;
  readonly previousAt: number | null;
  readonly sample: Sample;
}

interface EvaluationInput {
  readonly server: MonitoredServer;
  readonly fact: Fact;
}

const valuesOf = (sample: Sample): Readonly<Record<SampleMetric, number | null>> => sample;

/** A fact that has only the time, for a server without a new sample. */
export function sweepFact(
  server: MonitoredServer,
  maintenance: ServerMaintenance,
  limitsOf: LimitsOf,
  now: Instant,
): Fact {
  const status = derivedStatus(server, limitsOf(server.ownerPlan), now);
  return { kind: "sweep", now, server: toWatchedServer(server, status, isInMaintenance(maintenance, now)) };
}

function* readInput(
  serverId: string,
  limitsOf: LimitsOf,
  now: number,
  measured: NewSample | null,
): Work<EvaluationInput | null> {
  const server = yield* monitoredServer(serverId);
  if (!server) return null;
  const timeAlone = sweepFact(server, yield* maintenanceOf(serverId), limitsOf, now);
  if (measured === null) return { server, fact: timeAlone };
  const { at, previousAt, sample } = measured;
  return {
    server,
    fact: {
      kind: "sample",
      now,
      at,
      previousAt,
      values: valuesOf(sample),
      targetTps: sample.target_tps ?? null,
      server: timeAlone.server,
    },
  };
}

export function evaluateRule(rule: RuleRecord, open: AlertRecord | null, fact: Fact) {
  return evaluate(rule, open && { ...open, acknowledged: open.acknowledgedAt !== null }, fact);
}

/**
 * Returns whether an alert was opened or resolved. The caller must hold the server's lock, so that each fact is
 * evaluated once.
 */
export function* evaluateServer(
  serverId: string,
  limitsOf: LimitsOf,
  now: number,
  measured: NewSample | null,
): Work<boolean> {
  const rules = yield* rulesOf(serverId);
  if (rules.length === 0) return false;
  const input = yield* readInput(serverId, limitsOf, now, measured);
  if (!input) return false;
  let isChanged = false;
  for (const rule of rules) {
    const open = rule.openAlertId === null ? null : yield* lockAlert(rule.openAlertId);
    const { progress, changes } = evaluateRule(rule, open, input.fact);
    let next: RuleRecord = progress === rule.progress ? rule : { ...rule, progress };
    let alert = open;
    isChanged ||= changes.some(({ kind }) => kind === "open" || kind === "resolve");
    for (const change of changes) [next, alert] = yield* applied(next, alert, change, input);
    if (next !== rule) yield* saveRule(next);
  }
  return isChanged;
}

type Applied = Work<[RuleRecord, AlertRecord | null]>;

function* applied(
  rule: RuleRecord,
  alert: AlertRecord | null,
  change: AlertChange,
  input: EvaluationInput,
): Applied {
  const { now } = input.fact;
  if (change.kind === "open") return yield* opened(rule, change, input);
  if (alert === null) return [rule, null];
  switch (change.kind) {
    case "worsen":
      return [rule, yield* worsened(alert, change.worstValue)];
    case "tell": {
      const sent = yield* sendKeptAlert(alert, rule.notify, now);
      return [wasNotified(alert.delivery) ? rule : notified(rule, sent, now), sent];
    }
    case "resolve": {
      const silent = input.fact.server.inMaintenance || isMuted(rule, now);
      yield* resolveAlert(alert, change.reason, silent, now);
      return [{ ...rule, openAlertId: null }, null];
    }
  }
}

function* worsened(before: AlertRecord, worstValue: number | null): Work<AlertRecord> {
  const alert = { ...before, worstValue };
  yield* saveAlert(alert);
  return alert;
}

/** The cooldown starts with the first message. */
const notified = (rule: RuleRecord, alert: AlertRecord, now: number): RuleRecord =>
  wasNotified(alert.delivery) ? { ...rule, lastNotifiedAt: now } : rule;

function* opened(
  rule: RuleRecord,
  change: Extract<AlertChange, { kind: "open" }>,
  { server, fact }: EvaluationInput,
): Applied {
  const { now } = fact;
  const alert = yield* openAlert(
    {
      id: newId(now),
      accountId: server.accountId,
      kind: "threshold",
      status: "open",
      serverId: server.id,
      serverName: server.name,
      ruleId: rule.id,
      ruleName: rule.name,
      metric: rule.metric,
      condition: rule.condition,
      threshold: rule.threshold,
      durationMinutes: rule.durationMinutes,
      value: change.value,
      worstValue: change.value,
      serverState: fact.server.state,
      event: null,
      pendingSince: change.pendingSince,
      openedAt: now,
      acknowledgedAt: null,
      acknowledgedBy: null,
      resolvedAt: null,
      resolutionReason: null,
      inMaintenance: fact.server.inMaintenance,
      flapping: change.flapping,
      delivery: planDelivery(rule.notify, change.quiet, yield* hasWebhook(server.accountId)),
    },
    now,
  );
  return [notified({ ...rule, openAlertId: alert.id, lastTriggeredAt: now }, alert, now), alert];
}
