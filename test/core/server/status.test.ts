import { describe, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { Sample } from "../../../src/core/metric/sample.ts";
import type { SeriesField } from "../../../src/core/metric/fields.ts";
import type { MonitoredServer } from "../../../src/core/server/server.ts";
import {
  PluginStep,
  ServerState,
  serverStatus,
  ServerStatus,
  SiteStep,
} from "../../../src/core/server/status.ts";
import { exampleSample } from "../../../src/endpoints/api/server/example-sample.ts";

const now = Date.parse("2026-11-20T12:00:00.000Z");
const second = 1000;

const server = (changes: Partial<MonitoredServer> = {}): MonitoredServer => ({
  id: "019a9f5e-1d00-7000-8000-000000000010",
  accountId: "019a9f5e-1d00-7000-8000-000000000001",
  installationId: "i",
  name: "Lobby",
  verifiedAt: now - 1000 * second,
  isPublic: false,
  monitoringEnabled: true,
  showAddressOnReport: false,
  notifyOnReport: true,
  address: null,
  port: null,
  groupId: null,
  linkedAt: now - 5000 * second,
  createdAt: now - 5000 * second,
  lastHeartbeat: now - 10 * second,
  ownerPlan: "pro",
  announcement: null,
  bootTimestamp: now - 3600 * second,
  lastTickAgeMs: 200,
  pausedSince: null,
  lastRejectedAt: null,
  sampledAt: now - 10 * second,
  sampleReceivedAt: now - 10 * second,
  sample: exampleSample,
  collecting: { profile: null, class_histogram: null },
  ownerSuspended: false,
  enabledRank: 1,
  pluginVersion: null,
  enabledServers: 1,
  ...changes,
});

const statusOf = (changes: Partial<MonitoredServer> = {}, plan: keyof typeof defaultPlans = "pro") =>
  serverStatus(server(changes), defaultPlans[plan], now);

const time = (instant: number): string => new Date(instant).toISOString();

describe("state", () => {
  it("[STA-05] [STA-15] is running with a heartbeat exactly 90 s old, since the boot", () => {
    const status = statusOf({ lastHeartbeat: now - 90 * second });
    expect(status).toMatchObject({
      status: "online",
      state: "running",
      state_since: time(now - 3600 * second),
    });
  });

  it("[STA-11] [STA-15] is unreachable from 90.001 s of silence, since the last heartbeat", () => {
    const status = statusOf({ lastHeartbeat: now - 90 * second - 1 });
    expect(status).toMatchObject({
      status: "offline",
      state: "unreachable",
      state_since: time(now - 90 * second - 1),
    });
  });

  it("[STA-06] [STA-15] is unresponsive from a tick age of exactly 10 s, since the estimated last tick", () => {
    expect(statusOf({ lastTickAgeMs: 9999 }).state).toBe("running");
    const status = statusOf({ lastTickAgeMs: 10_000 });
    expect(status).toMatchObject({
      status: "online",
      state: "unresponsive",
      state_since: time(now - 20 * second),
    });
  });

  it("[STA-07] [STA-15] is paused_empty while it sleeps, however old its last tick, since the pause began", () => {
    const sample: Sample = { ...exampleSample, paused_empty: true, player_count: 0, tps: null };
    const status = statusOf({ sample, pausedSince: now - 300 * second, lastTickAgeMs: 400_000 });
    expect(status).toMatchObject({
      status: "online",
      state: "paused_empty",
      state_since: time(now - 300 * second),
    });
  });

  it("[STA-05] [STA-06] [STA-07] is not paused by what an earlier boot, or a sample long before the heartbeat, said", () => {
    const sample: Sample = { ...exampleSample, paused_empty: true, player_count: 0, tps: null };
    const earlier = { sample, sampledAt: now - 9000 * second, sampleReceivedAt: now - 9000 * second };
    expect(statusOf(earlier).state).toBe("running");
    expect(statusOf({ ...earlier, lastTickAgeMs: 30_000 }).state).toBe("unresponsive");
    const rebooted = {
      sample,
      sampledAt: now - 40 * second,
      sampleReceivedAt: now - 40 * second,
      bootTimestamp: now - 20 * second,
    };
    expect(statusOf(rebooted).state).toBe("running");
    expect(statusOf({ ...rebooted, bootTimestamp: now - 60 * second }).state).toBe("paused_empty");
  });

  it("[STA-09] [STA-15] is stopped at once when a stop was announced, since the announcement", () => {
    const at = now - 5 * second;
    const status = statusOf({ lastHeartbeat: at, announcement: { kind: "stopped", at } });
    expect(status).toMatchObject({
      status: "offline",
      state: "stopped",
      state_since: time(at),
      uptime_seconds: null,
    });
    expect(status.monitoring.plugin_step).toBe("receiving");
  });

  it("[STA-10] is paused when monitoring was paused from the game", () => {
    const at = now - 500 * second;
    expect(statusOf({ lastHeartbeat: at, announcement: { kind: "paused", at } })).toMatchObject({
      status: "offline",
      state: "paused",
      monitoring: { plugin_step: "stale" },
    });
  });

  it("[STA-09] runs again with the first heartbeat after an announced stop", () => {
    const status = statusOf({
      announcement: { kind: "stopped", at: now - 60 * second },
      lastHeartbeat: now - 10 * second,
    });
    expect(status.state).toBe("running");
  });

  it("[STA-12] is never_seen when nothing ever came", () => {
    const status = statusOf({
      lastHeartbeat: null,
      sample: null,
      sampledAt: null,
      bootTimestamp: null,
      lastTickAgeMs: null,
    });
    expect(status).toMatchObject({
      status: "offline",
      state: "never_seen",
      state_since: null,
      current: null,
      sampled_at: null,
    });
    expect(status.monitoring.plugin_step).toBe("never");
  });

  it.each([
    [{ monitoringEnabled: false }, "pro"],
    [{}, "free"],
    [{ enabledRank: 4 }, "pro"],
  ] as const)(
    "[STA-13] [STA-14] is not_monitored, never down, where data is not accepted: %o on %s",
    (changes, plan) => {
      const status = statusOf({ ...changes, lastHeartbeat: now - 900 * second }, plan);
      expect(status).toMatchObject({
        status: "not_monitored",
        state: "not_monitored",
        state_since: null,
        uptime_seconds: null,
      });
      expect(status.monitoring.plugin_step).toBe("waiting_for_site");
    },
  );

  it("[STA-03] [STA-04] has three statuses and eight states", () => {
    expect(ServerStatus.shape.status.options).toEqual(["online", "offline", "not_monitored"]);
    expect(ServerState.options).toHaveLength(8);
  });
});

describe("monitoring steps", () => {
  it.each([
    [{ monitoringEnabled: true }, "pro", "on"],
    [{ monitoringEnabled: true }, "free", "on_plan_lapsed"],
    [{ monitoringEnabled: true, enabledRank: 4 }, "pro", "on_over_quota"],
    [{ monitoringEnabled: true, enabledRank: 3 }, "pro", "on"],
    [{ monitoringEnabled: false, enabledServers: 2 }, "pro", "off"],
    [{ monitoringEnabled: false, enabledServers: 3 }, "pro", "off_quota_reached"],
    [{ monitoringEnabled: false }, "free", "off_plan_required"],
    [{ ownerSuspended: true, monitoringEnabled: true }, "pro", "off"],
    [{ ownerSuspended: true, monitoringEnabled: false }, "free", "off"],
  ] as const)("[STA-19] [STA-20] [STA-21] [OUR-DIS-01] %o on %s: site_step %s", (changes, plan, step) => {
    expect(statusOf(changes, plan).monitoring).toMatchObject({
      enabled: changes.monitoringEnabled,
      site_step: step,
    });
    expect(SiteStep.options).toContain(step);
  });

  it.each([
    [{ lastRejectedAt: now - 90 * second, lastHeartbeat: now - 200 * second }, "rejected"],
    [{ lastRejectedAt: now - 5 * second, lastHeartbeat: null }, "rejected"],
    [{ lastRejectedAt: now - 91 * second, lastHeartbeat: now - 200 * second }, "stale"],
    [{ lastRejectedAt: now - 20 * second, lastHeartbeat: now - 10 * second }, "receiving"],
    [{ lastHeartbeat: now - 91 * second }, "stale"],
    [{ lastHeartbeat: null }, "never"],
  ] as const)("[STA-22] %o: plugin_step %s", (changes, step) => {
    expect(statusOf(changes).monitoring.plugin_step).toBe(step);
    expect(PluginStep.options).toContain(step);
  });
});

describe("figures", () => {
  it("[STA-16] tells the tick age as the plugin measured it, while offline too", () => {
    expect(statusOf({ lastTickAgeMs: 321, lastHeartbeat: now - 400 * second }).last_tick_age_ms).toBe(321);
    expect(statusOf({ lastTickAgeMs: null }).last_tick_age_ms).toBeNull();
  });

  it("[STA-17] counts uptime in whole seconds, only while online and only from a known boot", () => {
    expect(statusOf({ bootTimestamp: now - 3600 * second - 999 }).uptime_seconds).toBe(3600);
    expect(statusOf({ bootTimestamp: null })).toMatchObject({ uptime_seconds: null, state_since: null });
    expect(statusOf({ lastHeartbeat: now - 91 * second }).uptime_seconds).toBeNull();
  });

  it("[OUR-STA-01] takes a boot ahead of our clock for one of this moment", () => {
    expect(statusOf({ bootTimestamp: now + 60 * second })).toMatchObject({
      uptime_seconds: 0,
      boot_timestamp: time(now),
      state_since: time(now),
    });
  });

  it("[STA-18] keeps showing the last sample of a silent and of an unmonitored server", () => {
    expect(statusOf({ lastHeartbeat: now - 4000 * second })).toMatchObject({
      sampled_at: time(now - 10 * second),
      current: exampleSample,
    });
    expect(statusOf({ monitoringEnabled: false }).current).toEqual(exampleSample);
  });

  it("[STA-02] [STA-23] [PAG-09] has exactly the documented fields, in order", () => {
    const status = statusOf();
    expect(Object.keys(status)).toEqual([
      "server_id",
      "status",
      "state",
      "state_since",
      "last_tick_age_ms",
      "monitoring",
      "last_heartbeat",
      "boot_timestamp",
      "uptime_seconds",
      "sampled_at",
      "current",
    ]);
    expect(ServerStatus.parse(status)).toEqual(status);
    // Fields join, and none ever leaves.
    expect(Object.keys(Sample.shape).length).toBeGreaterThanOrEqual(28);
  });

  it("[STA-24] [STA-34] counts in whole numbers and measures in numbers", () => {
    const whole =
      "player_count entity_count loaded_chunks cpu_cores tile_entities ram_max_mb ticks_over_50ms heap_after_gc_mb rss_mb container_limit_mb region_count regions_omitted";
    for (const field of whole.split(" ") as SeriesField[])
      expect(Sample.shape[field].safeParse(1.5).success).toBe(false);
    for (const field of ["tps", "mspt", "ram_used_mb", "ping_ms", "lag_seconds"] as const)
      expect(Sample.shape[field].safeParse(1.5).success).toBe(true);
    const region = {
      id: null,
      world: "w",
      center_x: 0,
      center_z: 0,
      chunks: 1,
      players: 0,
      entities: 2,
      ticks: 20,
      ticks_over_50ms: 0,
    };
    const measures = { tps: 20, mspt: 3, mspt_p95: 5, mspt_max: 9, lag_seconds: 0 };
    expect(Sample.shape.regions.parse([{ ...region, ...measures }])).toEqual([{ ...region, ...measures }]);
  });
});
