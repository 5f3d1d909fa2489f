import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { selectAlerts } from "../../../src/store/alert/alerts.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventRuleRecord } from "../../../src/core/alert/event-rule.ts";
import type { Account } from "../../../src/core/access/account.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";

const dayMs = 24 * 60 * 60 * 1000;
let now = Date.UTC(2026, 10, 20, 8);
let service: TestService;
let owner: Account;
let token: string;
let server: LinkedServer;

beforeAll(async () => {
  service = await startTestService({ clock: () => now, plans: roomyPlans });
  owner = await service.account("enterprise");
  token = await service.token(owner);
  server = await service.server(owner);
});
afterAll(() => service.close());

const eventRule = (changes: Partial<EventRuleRecord>): EventRuleRecord => ({
  id: service.app.secrets.newId(now),
  serverId: server.id,
  name: "Everything",
  preset: null,
  eventTypes: [],
  categories: [],
  minSeverity: null,
  sources: [],
  cooldownMinutes: 0,
  notify: { email: true, chat: false, in_app: true },
  enabled: true,
  mutedUntil: null,
  lastTriggeredAt: null,
  lastNotifiedAt: null,
  createdAt: now,
  updatedAt: now,
  ...changes,
});

const ban = (index: number, changes: Json = {}): Json => ({
  local_id: `${now} ${index}`,
  type: "ban",
  category: "moderation",
  source: "AdvancedBan",
  severity: "warning",
  title: `Ban ${index}`,
  timestamp: new Date(now - 1000).toISOString(),
  ...changes,
});

const upload = (events: Json[]) =>
  service.request("POST", "/plugin/v1/events", { token: server.credential, body: { events } });

const alertsNow = async (): Promise<Json[]> =>
  rowsOf(await service.request("GET", "/api/v1/alert-events?limit=100", { token }));

describe("a burst of events", () => {
  it("[OUR-ALR-61] raises 20 alerts a rule and upload, and holds nobody up", async () => {
    // Linking made one, which watches other events.
    const rules = 24;
    for (let index = 0; index < rules; index += 1) {
      await service.app.db.write(
        addEventRule,
        eventRule({ notify: { email: false, chat: false, in_app: false } }),
        25,
      );
    }
    const events = Array.from({ length: 500 }, (_, index) => ban(index, { type: "server_start" }));
    const began = performance.now();
    expect((await upload(events)).json).toMatchObject({ stored: 500 });
    const took = performance.now() - began;
    console.log(`500 events that 24 rules match: ${took.toFixed(0)} ms`);
    const alerts = await service.app.db.read(
      selectAlerts,
      owner.id,
      { kind: null, status: null, since: null, until: null, ruleName: null, notified: null, serverId: null },
      null,
      10_000,
    );
    expect(alerts).toHaveLength(20 * rules);
  });

  it("[OUR-ALR-62] queues 50 messages a channel and records the rest as `rate_limited`", async () => {
    const other = await service.account("enterprise");
    const elsewhere = await service.server(other);
    for (let index = 0; index < 4; index += 1)
      await service.app.db.write(addEventRule, eventRule({ serverId: elsewhere.id }), 25);
    const body = { events: Array.from({ length: 20 }, (_, index) => ban(index)) };
    await service.request("POST", "/plugin/v1/events", { token: elsewhere.credential, body });
    const answer = await service.request("GET", "/api/v1/alert-events?limit=100", {
      token: await service.token(other),
    });
    const reasons = rowsOf(answer).map(
      (row) => (row["delivery"] as { email: { reason: string } }).email.reason,
    );
    expect(reasons).toHaveLength(80);
    expect(reasons.filter((reason) => reason === "rate_limited").length).toBeGreaterThanOrEqual(1);
    expect(reasons.filter((reason) => reason !== "rate_limited").length).toBeGreaterThanOrEqual(50);
  });
});

describe("what a plugin may not say", () => {
  it("[OUR-EVT-20] an entry that looks like the service's own record is refused, its source alone is not", async () => {
    for (const type of [
      "rule_disabled",
      "rule_muted",
      "alert_acknowledged",
      "visibility_changed",
      "maintenance_start",
    ]) {
      const answer = await upload([ban(1), ban(2, { source: "tickmark", type })]);
      expect([answer.status, answer.json["path"]]).toEqual([400, "/events/1/source"]);
    }
    expect((await upload([ban(9003, { source: "tickmark", type: "server_stop" })])).json).toMatchObject({
      stored: 1,
    });
  });

  it("[OUR-EVT-21] metadata that is too long is refused by what it takes", async () => {
    const answer = await upload([ban(4, { metadata: { text: "x".repeat(17_000) } })]);
    expect(answer.json["message"]).toContain("any JSON of at most 16 KiB");
  });

  it("[OUR-MET-30] a late sample is stored as long as the plan shows its time", async () => {
    const sample = (days: number) => ({ sampled_at: new Date(now - days * dayMs).toISOString(), tps: 20 });
    const samples = [sample(29), sample(31), sample(200), sample(400)];
    const send = () =>
      service.request("POST", "/plugin/v1/samples", { token: server.credential, body: { samples } });
    const common = { accepted: true, too_old: 1, server_time: new Date(now).toISOString() };
    expect((await send()).json).toEqual({ ...common, stored: 3, duplicates: 0 });
    expect((await send()).json).toEqual({ ...common, stored: 0, duplicates: 3 });
    expect(await alertsNow()).not.toEqual([]);
    now += 1000;
  });
});
