import { expect, it } from "vitest";
import {
  alertAcknowledged,
  maintenanceStart,
  reportVisibilityChanged,
  ruleDisabled,
  ruleMuted,
  serverVisibilityChanged,
} from "../../../src/core/event/own-event.ts";
import { ServerEvent, timelineAt, toServerEvent } from "../../../src/core/event/server-event.ts";

const now = Date.UTC(2026, 10, 20, 8);
const occasion = { id: "event", serverId: "server", now };
const by = { name: "laptop", client: null };
const rule = { id: "rule", name: "Low TPS" };

const events = [
  maintenanceStart(occasion, by, { endsAt: now + 3_600_000, reason: null }),
  ruleDisabled(occasion, by, rule),
  ruleMuted(occasion, by, rule, { minutes: 30, until: now + 1_800_000 }),
  alertAcknowledged(occasion, by, { id: "alert", ruleId: "rule", ruleName: "Low TPS" }),
  serverVisibilityChanged(occasion, by, { is_public: true }),
  reportVisibilityChanged(occasion, by, { id: "report", visibility: "public" }),
];

it("[OUR-EVT-08] entries of the service's own have its source, and stand where they happened", () => {
  for (const event of events) {
    expect(event).toMatchObject({ id: "event", serverId: "server", localId: null, source: "tickmark" });
    expect(timelineAt(event)).toBe(now);
    expect(() => ServerEvent.parse(toServerEvent(event))).not.toThrow();
  }
  expect(events.map(({ type, category }) => `${category} ${type}`)).toEqual([
    "lifecycle maintenance_start",
    "security rule_disabled",
    "security rule_muted",
    "security alert_acknowledged",
    "security visibility_changed",
    "security visibility_changed",
  ]);
});

it("[OUR-EVT-08] entries name the token, its client and what was done", () => {
  expect(events.map(({ metadata }) => metadata)).toEqual([
    { token: "laptop", client: null, minutes: 60, ends_at: "2026-11-20T09:00:00.000Z", reason: null },
    { token: "laptop", client: null, rule_id: "rule", rule_name: "Low TPS" },
    {
      token: "laptop",
      client: null,
      rule_id: "rule",
      rule_name: "Low TPS",
      minutes: 30,
      ends_at: "2026-11-20T08:30:00.000Z",
    },
    { token: "laptop", client: null, alert_id: "alert", rule_id: "rule", rule_name: "Low TPS" },
    { token: "laptop", client: null, is_public: true },
    { token: "laptop", client: null, report_id: "report", visibility: "public" },
  ]);
  expect(maintenanceStart(occasion, null, { endsAt: now, reason: "x" }).metadata).toMatchObject({
    token: null,
    client: null,
  });
});
