import { readWholeFleet, readFleetHead } from "../../../src/services/monitoring/read-overview.ts";
import { inTurns } from "../../../src/core/turns.ts";
import { selectMonitoredServer } from "../../../src/store/server/servers.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { overviewSteps } from "../../../src/core/monitoring/overview.ts";
import { serverStatus } from "../../../src/core/server/status.ts";
import { healthVerdicts } from "../../../src/core/health/health.ts";
import { saveHealth } from "../../../src/store/health/server-health.ts";
import { run, type Database, type Work } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { copyServers } from "../../support/copied-servers.ts";
import { eachDatabase } from "../../support/databases.ts";
import { minute, newAccount, newId, newServer, noon, sampleAt, times } from "../engine/rows.ts";

const addAlert = query<{
  id: string;
  account: string;
  server: string;
  kind: string;
  status: string;
  opened: number;
}>()((db, $) =>
  db.insertInto("alert").values({
    id: $.id,
    account_id: $.account,
    server_id: $.server,
    server_name: null,
    kind: $.kind,
    status: $.status,
    rule_id: "rule",
    rule_name: "Low TPS",
    metric: "tps",
    condition: "below",
    threshold: 18,
    duration_minutes: 5,
    value: 14.25,
    worst_value: 12,
    server_state: "running",
    event: null,
    pending_since: null,
    opened_at: $.opened,
    acknowledged_at: null,
    acknowledged_by: null,
    resolved_at: null,
    resolution_reason: null,
    in_maintenance: 0,
    flapping: 0,
    notified: 0,
    delivery: "{}",
  }),
);

const insertRule = query<{ id: string; server: string }>()((db, $) =>
  db.insertInto("event_rule").values({
    id: $.id,
    server_id: $.server,
    name: "Crashes",
    preset: null,
    event_types: "[]",
    categories: "[]",
    min_severity: null,
    sources: "[]",
    cooldown_minutes: 5,
    notify_email: 0,
    notify_chat: 0,
    notify_in_app: 0,
    enabled: 1,
    muted_until: null,
    last_triggered_at: null,
    last_notified_at: null,
    created_at: noon,
    updated_at: noon,
  }),
);

function* setEnabledRule(servers: readonly string[]): Work<void> {
  for (const server of servers) yield* run(insertRule, { id: newId(), server });
}

eachDatabase((databases, kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const alertOn = async (
    account: Account,
    server: string,
    status: string,
    opened = noon,
    of = "threshold",
  ) => {
    const id = newId();
    await db.write(() => run(addAlert, { id, account: account.id, server, kind: of, status, opened }));
    return id;
  };

  /** An account with servers linked one after the other, the first ones with monitoring on. */
  async function fleetOf(servers: number, enabled: number) {
    const account = await newAccount(db);
    const ids: string[] = [];
    for (const index of times(servers)) {
      const link = { now: noon + Math.floor(index / 2), monitoredServers: enabled };
      const { id } = (await newServer(db, account, link)).server;
      ids.push(id);
    }
    return { account, ids };
  }

  /** A large one by two statements: copies of a server that sent a sample, of which so many are monitored. */
  async function largeFleetOf(size: number, monitored: number) {
    const account = await newAccount(db);
    const { id } = (await newServer(db, account)).server;
    await db.write(recordHeartbeat, {
      serverId: id,
      receivedAt: noon + minute,
      sample: sampleAt(noon + minute, { player_count: 3, worlds_top: [{ name: "world", players: 3 }] }),
      bootTimestamp: noon,
      lastTickAgeMs: 40,
      announcement: null,
      limits: defaultPlans.enterprise,
    });
    return { account, ids: await copyServers(db, { account: account.id, server: id, size, monitored }) };
  }

  describe("a fleet", () => {
    it("[OUR-OVR-03] has each server as its status is derived from, rank and quota included", async () => {
      const { account, ids } = await fleetOf(9, 6);
      const limits = { ...defaultPlans.pro, monitored_servers: 4 };
      const { servers } = await readWholeFleet(db, account.id, true);
      expect(servers).toHaveLength(9);
      for (const id of ids) {
        const alone = await db.read(selectMonitoredServer, id, account.id);
        const among = servers.find((server) => server.id === id);
        if (!alone || !among) throw new Error("A server is missing.");
        expect(serverStatus(among, limits, noon)).toEqual(serverStatus(alone, limits, noon));
        if (alone.monitoringEnabled) expect(among).toEqual(alone);
      }
    });

    it("[OVR-01] is the account's own, a stranger's left out", async () => {
      const [mine, other] = [await fleetOf(2, 2), await fleetOf(3, 3)];
      await alertOn(other.account, other.ids[0] ?? "", "open");
      const { servers, alerts } = await readWholeFleet(db, mine.account.id, true);
      expect(new Set(servers.map(({ id }) => id))).toEqual(new Set(mine.ids));
      expect(alerts).toEqual([]);
      expect(await readWholeFleet(db, (await newAccount(db)).id, true)).toEqual({
        servers: [],
        alerts: [],
        maintenance: new Map(),
        health: new Map(),
        enabledRules: new Map(),
      });
    });

    it("[OVR-01] [OVR-03] is read in parts without a loss or a repeat, monitored servers alone or all", async () => {
      const { account, ids } = await largeFleetOf(450, 230);
      const monitored = [ids[0], ...ids.slice(450 - 229)];
      const seen = async (includeUnmonitored: boolean) =>
        (await readWholeFleet(db, account.id, includeUnmonitored)).servers.map(({ id }) => id);
      expect((await seen(true)).toSorted()).toEqual(ids.toSorted());
      expect((await seen(false)).toSorted()).toEqual(monitored.toSorted());
    });

    it("[OUR-OVR-152] gives with `top` the beginning of the whole list, and the same totals", async () => {
      const { account, ids } = await fleetOf(80, 70);
      const limits = { ...defaultPlans.pro, monitored_servers: 60 };
      const moments = [noon, noon + 30_000, noon + 5 * minute];
      const random = fc.sample(
        fc.record({
          heard: fc.option(fc.constantFrom(...moments), { freq: 5 }),
          sampled: fc.option(fc.constantFrom(...moments)),
          mspt: fc.constantFrom(null, 20, 60),
          tps: fc.constantFrom(null, 20, 12),
          players: fc.option(fc.nat(20)),
          isPaused: fc.boolean(),
          lastTickAgeMs: fc.constantFrom(40, 40, 12_000),
          announced: fc.option(fc.constantFrom("stopped" as const, "paused" as const), { freq: 3 }),
          verdict: fc.option(fc.constantFrom(...healthVerdicts), { freq: 5 }),
          since: fc.option(fc.constantFrom(noon - minute, noon - 2 * minute)),
          alerts: fc.constantFrom(0, 0, 1, 2),
        }),
        { numRuns: ids.length, seed: 11 },
      );
      for (const [index, id] of ids.entries()) {
        const of = random[index];
        if (of?.heard) {
          await db.write(recordHeartbeat, {
            serverId: id,
            receivedAt: of.heard,
            sample:
              of.sampled === null
                ? null
                : sampleAt(of.sampled, {
                    player_count: of.players,
                    mspt: of.mspt,
                    tps: of.tps,
                    paused_empty: of.isPaused,
                  }),
            bootTimestamp: noon - minute,
            lastTickAgeMs: of.lastTickAgeMs,
            announcement: of.announced && { kind: of.announced, at: of.heard },
            limits,
          });
        }
        if (of?.verdict)
          await db.write(saveHealth, {
            serverId: id,
            verdict: of.verdict,
            since: of.since,
            reasons: [],
            headline: { code: "healthy", text: "" },
            evaluatedAt: noon + minute,
            verdictFrom: noon,
            announced: of.verdict,
            beginnings: {},
            reopenedFrom: null,
          });
        for (const _ of times(of?.alerts ?? 0)) await alertOn(account, id, "open");
      }
      await db.write(setEnabledRule, ids.slice(0, 15));
      const states = new Set<string>();
      for (const now of [noon + 60_000, noon + 6 * minute])
        for (const includeUnmonitored of [true, false])
          for (const watched of [null, true, false]) {
            const asked = { includeUnmonitored, watched };
            const listOf = async (top: number | null) => {
              const head = await readFleetHead(db, account.id, { ...asked, top }, limits, now);
              return inTurns(overviewSteps(head, limits, now));
            };
            const whole = await listOf(null);
            for (const { state, health } of whole.data) states.add(`${state} ${health.verdict}`);
            expect(whole.more_servers).toBe(0);
            for (const top of [1, 2, 7, 19, 100]) {
              const first = await listOf(top);
              expect(first).toEqual({
                ...whole,
                data: whole.data.slice(0, top),
                more_servers: Math.max(0, whole.data.length - top),
              });
            }
          }
      expect(states.size).toBeGreaterThan(10);
    });

    it("[OUR-OVR-04] has the threshold alerts in progress, newest first", async () => {
      const { account, ids } = await fleetOf(2, 2);
      const [first = "", second = ""] = ids;
      const older = await alertOn(account, first, "open", noon - 1);
      const newer = await alertOn(account, first, "acknowledged", noon);
      const elsewhere = await alertOn(account, second, "open", noon - 2);
      await alertOn(account, first, "resolved", noon + 1);
      await alertOn(account, first, "resolved", noon + 1, "event");
      // The server changed hands: who had it before keeps the history, and nobody sees it in progress.
      await alertOn(await newAccount(db), second, "open", noon + 2);
      const { alerts } = await readWholeFleet(db, account.id, true);
      expect(alerts.map(({ id }) => id)).toEqual([newer, older, elsewhere]);
      expect(alerts[0]).toEqual({
        id: newer,
        serverId: first,
        ruleId: "rule",
        ruleName: "Low TPS",
        metric: "tps",
        status: "acknowledged",
        openedAt: noon,
        value: 14.25,
      });
    });

    it("[OVR-01] of 500 servers is read at once", async () => {
      const limits = { ...defaultPlans.enterprise, monitored_servers: 500 };
      const { account, ids } = await largeFleetOf(500, 500);
      for (const server of ids.slice(0, 50)) await alertOn(account, server, "open");
      const took: number[] = [];
      for (const _ of times(9)) {
        const started = performance.now();
        const asked = { includeUnmonitored: true, watched: null, top: null };
        const head = await readFleetHead(db, account.id, asked, limits, noon + minute);
        const { totals } = await inTurns(overviewSteps(head, limits, noon + minute));
        took.push(performance.now() - started);
        expect(totals).toMatchObject({ servers: 500, online: 500, players: 1500, open_alerts: 50 });
      }
      const median = took.toSorted((a, b) => a - b)[4] ?? 0;
      console.log(`${kind}: overview of 500 servers ${median.toFixed(1)} ms (median of 9)`);
    });
  });
});
