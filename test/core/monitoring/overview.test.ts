import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import {
  MonitoringOverview,
  monitoringOverview,
  type ProgressingAlert,
} from "../../../src/core/monitoring/overview.ts";
import type { MaintenanceRecord } from "../../../src/core/maintenance/maintenance.ts";
import type { MonitoredServer } from "../../../src/core/server/server.ts";
import { serverStatus } from "../../../src/core/server/status.ts";
import { sampleOf, ReportedSample } from "../../../src/core/metric/reported-sample.ts";

const second = 1000;
const now = Date.UTC(2026, 10, 20, 8);
const limits = defaultPlans.pro;

const sampleWith = (players: number | null) =>
  sampleOf(ReportedSample.parse({ sampled_at: new Date(now).toISOString(), player_count: players }));

let serial = 0;
function serverWith(changes: Partial<MonitoredServer> = {}): MonitoredServer {
  serial += 1;
  const silent = { announcement: null, lastTickAgeMs: 40, pausedSince: null, lastRejectedAt: null };
  return {
    id: `server-${String(serial).padStart(6, "0")}`,
    accountId: "account",
    installationId: String(serial),
    name: null,
    verifiedAt: null,
    isPublic: false,
    monitoringEnabled: true,
    showAddressOnReport: false,
    notifyOnReport: true,
    address: null,
    port: null,
    groupId: null,
    linkedAt: now,
    createdAt: now,
    lastHeartbeat: now - 10 * second,
    ownerPlan: "pro",
    bootTimestamp: now - 3600 * second,
    sampledAt: now - 10 * second,
    sampleReceivedAt: now - 10 * second,
    sample: sampleWith(5),
    collecting: { profile: null, class_histogram: null },
    enabledRank: 1,
    enabledServers: 1,
    ...silent,
    ...changes,
  };
}

const alertOn = (serverId: string, changes: Partial<ProgressingAlert> = {}): ProgressingAlert => ({
  id: `alert-${serverId}`,
  serverId,
  ruleId: "rule",
  ruleName: "Low TPS",
  metric: "tps",
  status: "open",
  openedAt: now - 60 * second,
  value: 14.2,
  ...changes,
});

const states: Record<string, Partial<MonitoredServer>> = {
  running: {},
  unresponsive: { lastTickAgeMs: 10_000 },
  unreachable: { lastHeartbeat: now - 91 * second },
  stopped: { announcement: { kind: "stopped", at: now - 5 * second } },
  paused: { announcement: { kind: "paused", at: now - 5 * second } },
  never_seen: { lastHeartbeat: null, sample: null, sampledAt: null, sampleReceivedAt: null },
  over_quota: { enabledRank: 4 },
  off: { monitoringEnabled: false },
};

describe("the order", () => {
  it("[OUR-OVR-01] puts open alerts and slow ticks before names, offline rules first, whatever the alphabet says", () => {
    const slow = (sample: { readonly tps?: number; readonly mspt?: number }) => ({
      sample: sampleOf(ReportedSample.parse({ sampled_at: new Date(now).toISOString(), ...sample })),
    });
    const servers = [
      serverWith({ id: "down", name: "Zz", ...states["unreachable"] }),
      serverWith({ id: "offline-rule", name: "Zy", ...states["paused"] }),
      serverWith({ id: "two", name: "Zeta", ...slow({ tps: 16 }) }),
      serverWith({ id: "one", name: "Yak" }),
      serverWith({ id: "tps", name: "Xi", ...slow({ tps: 17.9 }) }),
      serverWith({ id: "mspt", name: "Yu", ...slow({ tps: 20, mspt: 40.1 }) }),
      serverWith({ id: "at-the-limits", name: "Alpha", ...slow({ tps: 18, mspt: 40 }) }),
      // Its last sample is of before it was stopped for good.
      serverWith({ id: "over", name: "Beta", ...slow({ tps: 3 }), ...states["over_quota"] }),
      serverWith({ id: "unmeasured", name: "Gamma", sample: null }),
    ];
    const alerts = [
      alertOn("offline-rule", { metric: "offline" }),
      alertOn("two"),
      alertOn("two", { id: "second", status: "acknowledged" }),
      alertOn("one"),
    ];
    const order = (rows: readonly MonitoredServer[]) =>
      monitoringOverview({ servers: rows, alerts, windows: [] }, true, limits, now).data.map(
        ({ server_id }) => server_id,
      );
    const expected = servers.map(({ id }) => id);
    expect(order(servers)).toEqual(expected);
    expect(order(servers.toReversed())).toEqual(expected);
  });

  it("[OUR-OVR-01] is urgency, then name, then id, with nameless servers last among equals", () => {
    const servers = [
      serverWith({ id: "r2", name: "b" }),
      serverWith({ id: "r1", name: "b" }),
      serverWith({ id: "r0", name: null }),
      serverWith({ id: "p", name: "a", ...states["paused"] }),
      serverWith({ id: "s", name: "z", ...states["stopped"] }),
      serverWith({ id: "h", name: "z", ...states["unresponsive"] }),
      serverWith({ id: "u2", name: "Zeta", ...states["unreachable"] }),
      serverWith({ id: "u1", name: "alpha", ...states["unreachable"] }),
      serverWith({ id: "o", name: "A", ...states["off"] }),
    ];
    const order = (rows: readonly MonitoredServer[]) =>
      monitoringOverview({ servers: rows, alerts: [], windows: [] }, true, limits, now).data.map(
        ({ server_id }) => server_id,
      );
    const expected = ["u2", "u1", "h", "s", "o", "p", "r1", "r2", "r0"];
    expect(order(servers)).toEqual(expected);
    expect(order(servers.toReversed())).toEqual(expected);
  });
});

const windowOf = (serverId: string, startedAt: number, endsAt: number): MaintenanceRecord => ({
  serverId,
  startedAt,
  endsAt,
  toldUntil: endsAt,
  reason: null,
  startedBy: "dashboard",
});

describe("a row", () => {
  it("[OVR-01] is the server's status with its name, group and alerts, and the end of its maintenance", () => {
    const server = serverWith({ name: "Lobby", groupId: "group" });
    const other = serverWith();
    const hour = 3600 * second;
    const windows = [
      windowOf(server.id, now - second, now + hour),
      windowOf(other.id, now - 2 * hour, now - hour),
    ];
    const alerts = [
      alertOn(server.id),
      alertOn(server.id, { id: "second", status: "acknowledged", value: null }),
    ];
    const overview = monitoringOverview({ servers: [server, other], alerts, windows }, false, limits, now);
    expect(overview.data[0]).toEqual({
      ...serverStatus(server, limits, now),
      name: "Lobby",
      group_id: "group",
      maintenance_ends_at: "2026-11-20T09:00:00.000Z",
      open_alerts: [
        {
          id: `alert-${server.id}`,
          rule_id: "rule",
          rule_name: "Low TPS",
          metric: "tps",
          status: "open",
          opened_at: "2026-11-20T07:59:00.000Z",
          value: 14.2,
        },
        expect.objectContaining({ id: "second", status: "acknowledged", value: null }),
      ],
    });
    expect(overview.data[1]).toMatchObject({ open_alerts: [], group_id: null, maintenance_ends_at: null });
    expect(overview.generated_at).toBe("2026-11-20T08:00:00.000Z");
  });
});

describe("which servers", () => {
  it("[OVR-03] leaves out those whose monitoring is off, and no other", () => {
    const servers = Object.values(states).map((state) => serverWith(state));
    const listed = monitoringOverview({ servers, alerts: [], windows: [] }, false, limits, now);
    expect(listed.data).toHaveLength(servers.length - 1);
    expect(listed.totals).toMatchObject({ servers: servers.length - 1, not_monitored: 1 });
    const all = monitoringOverview({ servers, alerts: [], windows: [] }, true, limits, now);
    expect(all.totals).toMatchObject({ servers: servers.length, not_monitored: 2 });
  });
});

describe("the totals", () => {
  it("[OVR-02] [OUR-OVR-02] count exactly the listed servers, whatever the fleet", () => {
    const fleets = fc.array(
      fc.record({
        state: fc.constantFrom(...Object.keys(states)),
        players: fc.option(fc.nat(200)),
        alerts: fc.nat(3),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(fleets, fc.boolean(), (fleet, includeUnmonitored) => {
        const servers = fleet.map(({ state, players }) =>
          serverWith({ sample: sampleWith(players), ...states[state] }),
        );
        const alerts = fleet.flatMap((one, index) =>
          Array.from({ length: one.alerts }, () => alertOn(servers[index]?.id ?? "")),
        );
        const overview = monitoringOverview(
          { servers, alerts, windows: [] },
          includeUnmonitored,
          limits,
          now,
        );
        const { data, totals } = overview;
        expect(MonitoringOverview.parse(overview)).toEqual(overview);
        expect(totals.servers).toBe(data.length);
        expect(totals.online + totals.offline + totals.not_monitored).toBe(data.length);
        for (const [state, count] of Object.entries(totals.by_state))
          expect(count).toBe(data.filter((row) => row.state === state).length);
        const online = data.filter(({ status }) => status === "online");
        expect(totals.online).toBe(online.length);
        expect(totals.players).toBe(online.reduce((sum, row) => sum + (row.current?.player_count ?? 0), 0));
        expect(totals.open_alerts).toBe(data.reduce((sum, row) => sum + row.open_alerts.length, 0));
        expect(data.every(({ monitoring }) => monitoring.enabled || includeUnmonitored)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
