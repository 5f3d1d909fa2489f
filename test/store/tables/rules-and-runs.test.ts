import fc from "fast-check";
import { expect, test } from "vitest";
import { AlertCondition, AlertMetric, freshProgress, RuleState } from "../../../src/core/alert/alert-rule.ts";
import { Actor, AlertKind, AlertStatus, ResolutionReason } from "../../../src/core/alert/alert.ts";
import { DeliveryReason, DeliveryStatus } from "../../../src/core/alert/delivery.ts";
import { eventPresets } from "../../../src/core/alert/event-rule.ts";
import { JobStage, JobStatus, JobTrigger } from "../../../src/core/auto-bench/job.ts";
import { TargetKind } from "../../../src/core/auto-bench/target.ts";
import { EventCategory, EventSeverity } from "../../../src/core/event/server-event.ts";
import { BenchmarkMode } from "../../../src/core/report/report.ts";
import { groupColors } from "../../../src/core/server/server-group.ts";
import { ServerState } from "../../../src/core/server/status.ts";
import { alertRuleTable, alertTable, eventRuleTable } from "../../../src/store/alert/tables.ts";
import { autoBenchJobTable, runnerTable, targetTable } from "../../../src/store/auto-bench/tables.ts";
import {
  dispatchTable,
  inboxTable,
  notificationSettingTable,
  pendingAddressTable,
} from "../../../src/store/notice/tables.ts";
import { serverGroupTable, serverMonitoringTable, serverTable } from "../../../src/store/server/tables.ts";
import { documents, expectRoundTrip, wordsOf } from "./records.ts";

const instants = fc.maxSafeInteger();
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });

const progress = fc.record(
  {
    state: wordsOf(RuleState),
    since: instants,
    pendingSince: maybe(instants),
    recoveringSince: maybe(instants),
    resumedAt: maybe(instants),
    openings: fc.array(instants, { maxLength: 5 }),
    flappingSince: maybe(instants),
  },
  { noNullPrototype: true },
);

const ofChannel = {
  status: wordsOf(DeliveryStatus),
  reason: maybe(wordsOf(DeliveryReason)),
  at: maybe(instants),
  attempts: fc.nat(),
  resolvedStatus: maybe(wordsOf(DeliveryStatus)),
};
const channel = fc.record(ofChannel, { noNullPrototype: true });
const second = fc.record(
  { ...ofChannel, channel: fc.constantFrom("email", "chat", "webhook") },
  { noNullPrototype: true },
);
const delivery = fc.record(
  { email: channel, chat: channel, in_app: channel, webhook: fc.option(channel), second: fc.option(second) },
  { noNullPrototype: true },
);

const watched = { metric: wordsOf(AlertMetric), condition: maybe(wordsOf(AlertCondition)) };

test("what is written of rules and alerts is read as the same", () => {
  expectRoundTrip(alertRuleTable, { ...watched, progress });
  expectRoundTrip(eventRuleTable, {
    preset: maybe(fc.constantFrom(...Object.keys(eventPresets))),
    event_types: fc.array(fc.string()),
    categories: fc.array(wordsOf(EventCategory)),
    min_severity: maybe(wordsOf(EventSeverity)),
    sources: fc.array(fc.string()),
  });
  expectRoundTrip(alertTable, {
    ...watched,
    metric: maybe(watched.metric),
    kind: wordsOf(AlertKind),
    status: wordsOf(AlertStatus),
    server_state: wordsOf(ServerState),
    event: maybe(documents),
    acknowledged_by: maybe(wordsOf(Actor)),
    resolution_reason: maybe(wordsOf(ResolutionReason)),
    delivery,
  });
});

test("what is written of messages, servers and scheduled runs is read as the same", () => {
  expectRoundTrip(dispatchTable, {
    channel: fc.constantFrom("email", "chat", "webhook"),
    message: documents,
  });
  expectRoundTrip(inboxTable, { message: documents });
  expectRoundTrip(notificationSettingTable);
  expectRoundTrip(pendingAddressTable);
  expectRoundTrip(serverTable);
  expectRoundTrip(serverMonitoringTable, { sample: maybe(documents) });
  expectRoundTrip(serverGroupTable, { color: maybe(fc.constantFrom(...groupColors)) });
  expectRoundTrip(runnerTable);
  expectRoundTrip(targetTable, {
    kind: wordsOf(TargetKind),
    benchmark_mode: wordsOf(BenchmarkMode),
    disabled_reason: maybe(fc.constant("consecutive_failures")),
  });
  expectRoundTrip(autoBenchJobTable, {
    launched_by: wordsOf(JobTrigger),
    status: wordsOf(JobStatus),
    stage: wordsOf(JobStage),
  });
});

const definition = { name: "Slow", metric: "tps", condition: "below", threshold: 18.5 } as const;

test("an alert rule's row holds its switches as 0 or 1, and its progress as JSON text", () => {
  const notify = { email: true, chat: false, in_app: true };
  const times = { durationMinutes: 5, cooldownMinutes: 60, mutedUntil: null, muteToldUntil: 7 };
  const record = { id: "r", serverId: "s", ...definition, ...times, notify, enabled: false };
  const noted = { lastTriggeredAt: null, lastNotifiedAt: 8, openAlertId: null, createdAt: 1, updatedAt: 2 };
  const rule = { ...record, ...noted, progress: freshProgress(true, 1) };
  const row = alertRuleTable.toRow(rule);
  expect(row).toEqual({
    id: "r",
    server_id: "s",
    ...definition,
    duration_minutes: 5,
    cooldown_minutes: 60,
    notify_email: 1,
    notify_chat: 0,
    notify_in_app: 1,
    enabled: 0,
    muted_until: null,
    mute_told_until: 7,
    progress: JSON.stringify(rule.progress),
    last_triggered_at: null,
    last_notified_at: 8,
    open_alert_id: null,
    created_at: 1,
    updated_at: 2,
  });
  expect(alertRuleTable.toRecord(row)).toEqual(rule);
  expect(() => alertRuleTable.toRecord({ ...row, progress: "{}" })).toThrow("alert_rule.progress");
});

test("a server that belongs to no account is no record", () => {
  const row = serverTable.toRow({
    id: "s",
    accountId: "a",
    installationId: "i",
    name: null,
    verifiedAt: null,
    isPublic: false,
    monitoringEnabled: true,
    showAddressOnReport: false,
    notifyOnReport: true,
    address: null,
    port: null,
    groupId: null,
    linkedAt: 1,
    createdAt: 1,
    lastHeartbeat: null,
  });
  expect(row).toMatchObject({ account_id: "a", is_public: 0, monitoring_enabled: 1, notify_on_report: 1 });
  expect(() => serverTable.toRecord({ ...row, account_id: null })).toThrow("without an account");
});
