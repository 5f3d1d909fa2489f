import type { AlertRecord } from "../../../src/core/alert/alert.ts";
import { planDelivery } from "../../../src/core/alert/delivery.ts";
import { minute, start } from "./facts.ts";

/** An open alert of a threshold rule. */
export const alertOf = (changes: Partial<AlertRecord> = {}): AlertRecord => ({
  id: "019a9f5e-1d00-7000-8000-000000000050",
  accountId: "019a9f5e-1d00-7000-8000-000000000001",
  kind: "threshold",
  status: "open",
  serverId: "019a9f5e-1d00-7000-8000-000000000010",
  serverName: "Lobby",
  ruleId: "019a9f5e-1d00-7000-8000-000000000030",
  ruleName: "Low TPS",
  metric: "tps",
  condition: "below",
  threshold: 18,
  durationMinutes: 5,
  value: 14.2,
  worstValue: 11.9,
  serverState: "running",
  event: null,
  pendingSince: start - 5 * minute,
  openedAt: start,
  acknowledgedAt: null,
  acknowledgedBy: null,
  resolvedAt: null,
  resolutionReason: null,
  inMaintenance: false,
  flapping: false,
  delivery: planDelivery({ email: false, chat: true, in_app: true }, null),
  ...changes,
});
