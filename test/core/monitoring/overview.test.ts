import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MaintenanceRecord } from "../../../src/core/maintenance/maintenance.ts";
import { maintenanceByServer } from "../../../src/core/maintenance/server-maintenance.ts";
import {
  MonitoringOverview,
  type Fleet,
  type OverviewOptions,
} from "../../../src/core/monitoring/overview.ts";
import { serverStatus } from "../../../src/core/server/status.ts";
import {
  alertOn,
  evaluated,
  limits,
  monitoringOverview,
  now,
  sampleWith,
  serverWith,
  states,
} from "./fleet-servers.ts";
import { randomCases } from "../../support/long.ts";

const second = 1000;
const hour = 3600 * second;
const every: OverviewOptions = { includeUnmonitored: true, watched: null };
const enabledRules: Fleet["enabledRules"] = new Map();

describe("the order", () => {
  const orderOf = (fleet: Fleet): string[] =>
    monitoringOverview(fleet, every, limits, now).data.map(({ server_id }) => server_id);

  /** Its newest measurement is beyond a threshold, and its verdict is still healthy. */
  const late = { sample: { ...sampleWith(4), mspt: 60 } };

  it("[OUR-OVR-01] is the verdict first, then open alerts, then how long it holds, whatever the alphabet says", () => {
    const servers = [
      serverWith({ id: "silent", name: "Zz", ...states["unreachable"], lastHeartbeat: now - hour }),
      serverWith({ id: "hung", name: "Zy", ...states["unresponsive"] }),
      serverWith({ id: "critical", name: "Zx" }),
      serverWith({ id: "two-alerts", name: "Zw" }),
      serverWith({ id: "long-degraded", name: "Zv" }),
      serverWith({ id: "degraded", name: "Zu" }),
      serverWith({ id: "degraded-somewhen", name: "Beta" }),
      serverWith({ id: "not-evaluated", name: "Yak" }),
      serverWith({ id: "slow-now", name: "Zt", ...late }),
      serverWith({ id: "healthy", name: "Alpha" }),
      serverWith({ id: "paused", name: "Aa", ...states["paused"] }),
      serverWith({ id: "over", name: "A", ...states["over_quota"] }),
    ];
    const health = new Map([
      // A stored verdict counts only while the server sends.
      evaluated("silent", "healthy"),
      evaluated("hung", "healthy"),
      evaluated("paused", "critical"),
      evaluated("over", "critical"),
      evaluated("critical", "critical", now - hour),
      evaluated("two-alerts", "degraded", now),
      evaluated("long-degraded", "degraded", now - 2 * hour),
      evaluated("degraded", "degraded", now - hour),
      evaluated("degraded-somewhen", "degraded"),
      evaluated("slow-now", "healthy"),
      evaluated("healthy", "healthy"),
    ]);
    const alerts = [
      alertOn("two-alerts"),
      alertOn("two-alerts", { id: "second", status: "acknowledged" }),
      alertOn("paused", { metric: "offline" }),
    ];
    const expected = servers.map(({ id }) => id);
    expect(orderOf({ servers, alerts, maintenance: new Map(), health, enabledRules })).toEqual(expected);
    expect(
      orderOf({ servers: servers.toReversed(), alerts, maintenance: new Map(), health, enabledRules }),
    ).toEqual(expected);
  });

  it("[OUR-OVR-01] is the name, then the id among equals, with nameless servers last", () => {
    const servers = [
      serverWith({ id: "r2", name: "b" }),
      serverWith({ id: "r1", name: "b" }),
      serverWith({ id: "r0", name: null }),
      serverWith({ id: "r3", name: "a" }),
    ];
    const since = now - hour;
    const health = new Map(servers.map(({ id }) => evaluated(id, "healthy", since)));
    const expected = ["r3", "r1", "r2", "r0"];
    expect(orderOf({ servers, alerts: [], maintenance: new Map(), health, enabledRules })).toEqual(expected);
    expect(
      orderOf({ servers: servers.toReversed(), alerts: [], maintenance: new Map(), health, enabledRules }),
    ).toEqual(expected);
  });

  it("[OUR-OVR-06] follows the state where that says more than the evaluation", () => {
    const rows = Object.entries(states).map(([id, state]) => serverWith({ id, ...state }));
    const health = new Map(rows.map(({ id }) => evaluated(id, "degraded", now - hour)));
    const { data } = monitoringOverview(
      { servers: rows, alerts: [], maintenance: new Map(), health, enabledRules },
      every,
      limits,
      now,
    );
    expect(Object.fromEntries(data.map((row) => [row.server_id, row.health.verdict]))).toEqual({
      running: "degraded",
      unresponsive: "down",
      unreachable: "down",
      stopped: "stopped",
      paused: "stopped",
      never_seen: "unknown",
      over_quota: "unknown",
      off: "unknown",
    });
    const back = new Map([evaluated("running", "down", now - hour)]);
    const lastHeard = (lastHeartbeat: number) =>
      monitoringOverview(
        {
          servers: [serverWith({ id: "running", lastHeartbeat })],
          alerts: [],
          maintenance: new Map(),
          health: back,
          enabledRules,
        },
        every,
        limits,
        now,
      ).data[0];
    const evaluatedAt = back.get("running")?.evaluatedAt ?? 0;
    // A heartbeat came since; without one the server ended uncleanly.
    expect(lastHeard(evaluatedAt + 1)?.health).toMatchObject({ verdict: "unknown", reasons: [] });
    expect(lastHeard(evaluatedAt)?.health).toMatchObject({ verdict: "down" });
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
    const windows = [
      windowOf(server.id, now - second, now + hour),
      windowOf(other.id, now - 2 * hour, now - hour),
    ];
    const maintenance = maintenanceByServer(windows, []);
    const alerts = [
      alertOn(server.id),
      alertOn(server.id, { id: "second", status: "acknowledged", value: null }),
    ];
    const overview = monitoringOverview(
      { servers: [server, other], alerts, maintenance, health: new Map(), enabledRules },
      { ...every, includeUnmonitored: false },
      limits,
      now,
    );
    expect(overview.data[0]).toEqual({
      ...serverStatus(server, limits, now),
      name: "Lobby",
      enabled_rules: 0,
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
      health: {
        verdict: "unknown",
        since: "2026-11-20T07:00:00.000Z",
        reasons: [],
        evaluated_at: null,
        judged_at: null,
      },
    });
    expect(overview.data[1]).toMatchObject({ open_alerts: [], group_id: null, maintenance_ends_at: null });
    expect(overview.generated_at).toBe("2026-11-20T08:00:00.000Z");
  });
});

describe("which servers", () => {
  it("[OVR-03] leaves out those whose monitoring is off, and no other", () => {
    const servers = Object.values(states).map((state) => serverWith(state));
    const listed = monitoringOverview(
      { servers, alerts: [], maintenance: new Map(), health: new Map(), enabledRules },
      { ...every, includeUnmonitored: false },
      limits,
      now,
    );
    expect(listed.data).toHaveLength(servers.length - 1);
    expect(listed.totals).toMatchObject({ servers: servers.length - 1, not_monitored: 1 });
    const all = monitoringOverview(
      { servers, alerts: [], maintenance: new Map(), health: new Map(), enabledRules },
      every,
      limits,
      now,
    );
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
          { servers, alerts, maintenance: new Map(), health: new Map(), enabledRules },
          { ...every, includeUnmonitored },
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
      { numRuns: randomCases(300) },
    );
  });
});

describe("servers that no rule watches", () => {
  it("[OUR-OVR-150] are those that are monitored and have no enabled rule, in the totals and by the filter", () => {
    const fleets = fc.array(fc.record({ state: fc.constantFrom(...Object.keys(states)), rules: fc.nat(2) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(fleets, (fleet) => {
        const servers = fleet.map(({ state }) => serverWith(states[state]));
        const counts = new Map(
          servers.flatMap(({ id }, index) => {
            const rules = fleet[index]?.rules ?? 0;
            return rules === 0 ? [] : [[id, rules] as const];
          }),
        );
        const known = {
          servers,
          alerts: [],
          maintenance: new Map(),
          health: new Map(),
          enabledRules: counts,
        };
        const overviewOf = (watched: boolean | null) =>
          monitoringOverview(known, { includeUnmonitored: true, watched }, limits, now);
        const all = overviewOf(null);
        const isMonitored = (index: number): boolean =>
          !["over_quota", "off"].includes(fleet[index]?.state ?? "");
        for (const { server_id, enabled_rules } of all.data)
          expect(enabled_rules).toBe(fleet[servers.findIndex(({ id }) => id === server_id)]?.rules);
        const ids = (has: (rules: number) => boolean): string[] =>
          servers
            .filter((_, index) => isMonitored(index) && has(fleet[index]?.rules ?? 0))
            .map(({ id }) => id)
            .toSorted();
        const idsOf = (overview: typeof all): string[] =>
          overview.data.map((row) => row.server_id).toSorted();
        const unwatched = overviewOf(false);
        expect(idsOf(unwatched)).toEqual(ids((rules) => rules === 0));
        expect(idsOf(overviewOf(true))).toEqual(ids((rules) => rules > 0));
        expect(all.totals.unwatched).toBe(unwatched.data.length);
        expect(unwatched.totals).toMatchObject({
          servers: unwatched.data.length,
          unwatched: unwatched.data.length,
        });
      }),
      { numRuns: randomCases(200) },
    );
  });
});
