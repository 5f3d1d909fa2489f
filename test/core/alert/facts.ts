import { freshProgress, type RuleRecord, type SampleMetric } from "../../../src/core/alert/alert-rule.ts";
import type { MeasuredFact, SweptFact, WatchedServer } from "../../../src/core/alert/fact.ts";

export const second = 1000;
export const minute = 60 * second;
export const start = Date.parse("2026-11-20T12:00:00.000Z");

const unknown: Record<SampleMetric, null> = {
  tps: null,
  mspt: null,
  player_count: null,
  entity_count: null,
  ram_used_mb: null,
  cpu_usage: null,
  disk_free_mb: null,
};

/** An enabled rule `tps below 18` that has seen nothing, without duration or cooldown. */
export const ruleOf = (changes: Partial<RuleRecord> = {}): RuleRecord => ({
  id: "019a9f5e-1d00-7000-8000-000000000030",
  serverId: "019a9f5e-1d00-7000-8000-000000000010",
  name: "Low TPS",
  metric: "tps",
  condition: "below",
  threshold: 18,
  durationMinutes: 0,
  cooldownMinutes: 0,
  notify: { email: false, chat: true, in_app: true },
  enabled: true,
  mutedUntil: null,
  muteToldUntil: null,
  progress: freshProgress(true, start),
  lastTriggeredAt: null,
  lastNotifiedAt: null,
  openAlertId: null,
  createdAt: start,
  updatedAt: start,
  ...changes,
});

/** A running server whose heartbeat and sample came in at `now`. */
export const serverAt = (now: number, changes: Partial<WatchedServer> = {}): WatchedServer => ({
  status: "online",
  state: "running",
  stateSince: start - 60 * minute,
  lastHeartbeat: now,
  sampleReceivedAt: now,
  pausedEmptySince: null,
  inMaintenance: false,
  ...changes,
});

/** A sample at `now` that shows `values`, 30 s after the one before unless `changes` say otherwise. */
export const sampleAt = (
  now: number,
  values: Partial<MeasuredFact["values"]>,
  changes: Partial<Omit<MeasuredFact, "values" | "server">> & {
    readonly server?: Partial<WatchedServer>;
  } = {},
): MeasuredFact => {
  const at = changes.at ?? now;
  return {
    kind: "sample",
    now,
    at,
    previousAt: changes.previousAt === undefined ? at - 30 * second : changes.previousAt,
    values: { ...unknown, ...values },
    targetTps: changes.targetTps ?? null,
    server: serverAt(now, changes.server),
  };
};

export const sweepAt = (now: number, server: Partial<WatchedServer> = {}): SweptFact => ({
  kind: "sweep",
  now,
  server: serverAt(now, server),
});
