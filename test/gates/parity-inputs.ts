import { addAlertRule } from "../../src/services/alert/add-alert-rule.ts";
import { selectAlerts } from "../../src/store/alert/alerts.ts";
import { recordHeartbeat } from "../../src/services/metric/record-heartbeat.ts";
import { offerLinkCode } from "../../src/services/server/offer-link-code.ts";
import { addGroup } from "../../src/services/server/add-group.ts";
import type { Account } from "../../src/core/access/account.ts";
import type { RuleDefinition } from "../../src/core/alert/alert-rule.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { noFacts } from "../../src/core/server/link-code.ts";
import type { ServerRecord } from "../../src/core/server/server.ts";
import { captureInputs } from "../support/captures.ts";
import { catalogueInputs } from "../support/catalogue.ts";
import type { Makers } from "../support/test-app.ts";
import type { Json } from "../support/payload.ts";
import { autoBenchInputs } from "./auto-bench-inputs.ts";

/** For every endpoint an input that works for the owner; a gate fails when an endpoint has none. */
export async function parityInputs(
  test: Makers,
  owner: Account,
  server: ServerRecord,
): Promise<Record<string, Json>> {
  const report = await test.report(server, {}, "public");
  const hidden = await test.report(server, {}, "private");
  const { app } = test;
  await test.verify(server);
  const now = app.clock();
  const replay = { accountId: owner.id, route: "test", key: null, bodyDigest: "d", now };
  const made = await app.db.write(
    addGroup,
    { id: app.secrets.newId(now), accountId: owner.id, name: "G", color: null, now, limit: 20 },
    replay,
  );
  const group = made?.kind === "created" ? made.value.id : "";
  const code = app.secrets.newLinkCode();
  await app.db.write(offerLinkCode, {
    code,
    installationId: "parity",
    claimDigest: "parity",
    facts: { ...noFacts, name: "Other" },
    createdAt: now,
    expiresAt: now + 86_400_000,
  });
  const { rule, alert } = await makeAlert(test, owner, server);
  return {
    "reports.list": { limit: 5, benchmark_mode: "standard" },
    "reports.get": { report_id: hidden.id },
    "reports.compare": { base: report.shortId, other: hidden.id },
    "reports.diagnosis": { report_id: hidden.id },
    "reports.tuning": { report_id: report.shortId },
    "reports.before_after": { before: [report.id], after: [hidden.shortId], target: "total" },
    "servers.regression": { server_id: server.id },
    ...(await catalogueInputs(app, server, report.id)),
    ...(await autoBenchInputs(test, owner, server.id)),
    ...(await captureInputs(app, server)),
    "token.get": {},
    "servers.list": { limit: 5, owner: "me" },
    "server_groups.list": {},
    "servers.status": { server_id: server.id },
    "monitoring.health": { limit: 5 },
    "servers.health": { server_id: server.id, range: "6h" },
    "servers.software": { server_id: server.id },
    "software.list_all": { part: "plugin", name: "MarketStalls", limit: 5 },
    "metrics.get": { server_id: server.id, range: "6h", fields: ["mspt", "tps"], max_points: 10 },
    "metrics.compare": { server_id: server.id, base: "previous", fields: ["mspt", "tps"] },
    "events.list": { server_id: server.id, category: "security", limit: 5 },
    "events.list_all": { from: "-7d", severity: "warning", limit: 5 },
    "monitoring.overview": { include_unmonitored: true },
    "monitoring.availability": { range: "7d", limit: 100 },
    "alert_rules.list_all": { enabled: true },
    "maintenance.get": { server_id: server.id },
    "event_alert_rules.list": { server_id: server.id },
    "alert_rules.list": { server_id: server.id },
    "alert_rules.preview": {
      server_id: server.id,
      metric: "tps",
      condition: "below",
      threshold: 18,
      days: 2,
    },
    "alerts.list": { limit: 5, status: "open", rule_name: "Parity", notified: true },
    "alert_rules.create": {
      server_id: server.id,
      name: "Made",
      metric: "mspt",
      condition: "above",
      threshold: 50,
    },
    "alert_rules.update": { rule_id: rule, cooldown_minutes: 10, mute_minutes: 60 },
    "alert_rules.test": { rule_id: rule },
    "alerts.acknowledge": { alert_id: alert },
    "maintenance.start": { server_id: server.id, duration_minutes: 30, reason: "Same on both faces." },
    "maintenance.end": { server_id: server.id },
    "servers.update": { server_id: server.id, name: "Renamed", is_public: true },
    "server_groups.create": { name: "Parity", color: "teal" },
    "server_groups.update": { group_id: group, sort_order: 7 },
    "servers.set_group": { server_id: server.id, group_id: group },
    "servers.link": { code, name: "Linked" },
    "reports.update": { report_id: report.id, description: "Same on both faces." },
  };
}

/** A rule of that server, and the alert it opened. */
async function makeAlert(
  { app }: Makers,
  owner: Account,
  server: ServerRecord,
): Promise<{ rule: string; alert: string }> {
  const { db } = app;
  const now = app.clock();
  const id = app.secrets.newId(now);
  const definition: RuleDefinition = {
    name: "Parity",
    metric: "tps",
    condition: "below",
    threshold: 18,
    durationMinutes: 0,
    cooldownMinutes: 0,
    notify: { email: true, chat: true, in_app: true },
    enabled: true,
    mutedUntil: null,
  };
  const whose = { serverId: server.id, accountId: owner.id, now };
  const replay = { accountId: owner.id, route: "rule", key: null, bodyDigest: "d", now };
  await db.write(addAlertRule, { id, definition, limit: 10, ...whose }, replay);
  const reported = ReportedSample.parse({ sampled_at: new Date(now).toISOString(), tps: 5 });
  await db.write(recordHeartbeat, {
    serverId: server.id,
    receivedAt: now,
    bootTimestamp: null,
    lastTickAgeMs: null,
    announcement: null,
    sample: { sampledAt: now, reported },
    limits: app.plans.pro,
  });
  const every = { kind: null, status: null, since: null, until: null, ruleName: null, notified: null };
  const [alert] = await db.read(selectAlerts, owner.id, { ...every, serverId: server.id }, null, 1);
  return { rule: id, alert: alert?.id ?? "" };
}
