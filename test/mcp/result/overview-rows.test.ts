import { switchMonitoring } from "../../../src/services/monitoring/switch-monitoring.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { ReportedSample } from "../../../src/core/metric/reported-sample.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { withBriefRows } from "../../../src/mcp/result/brief-rows.ts";
import { testConnector, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";

/** What one server may take of a result, and how many are shown unasked. */
const mostTokens = 120;
const shownServers = 25;
const fleetSize = 30;

let at: TestApp;
let connector: TestConnector;
let owner: Account;
let secret: string;
const servers: ServerRecord[] = [];

beforeAll(async () => {
  at = testApp({ plans: { pro: { ...roomy.pro, monitored_servers: 100 } } });
  connector = testConnector(at);
  owner = await at.account("pro");
  secret = (await at.token(owner)).secret;
  const group = await connector.tool(secret, "create_server_group", { name: "Network" });
  for (let index = 0; index < fleetSize - 1; index += 1)
    servers.push(await at.server(owner, { name: `Evergreen Survival ${index}` }));
  servers.push(await at.server(owner, { name: "Zeta" }));
  for (const { id: server_id } of servers)
    await connector.tool(secret, "set_server_group", { server_id, group_id: group.text["id"] });
  const zeta = servers.at(-1)?.id ?? "";
  for (const [name, metric, condition, threshold] of [
    ["Low TPS", "tps", "below", 18],
    ["Slow ticks", "mspt", "above", 50],
  ] as const)
    await connector.tool(secret, "create_alert_rule", {
      server_id: zeta,
      name,
      metric,
      condition,
      threshold,
      duration_minutes: 1,
    });
  for (let minute = 0; minute < 4; minute += 1) {
    at.clock.advance(30_000);
    for (const server of servers) await beat(server, server.id === zeta ? { tps: 16.02, mspt: 62.41 } : {});
  }
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

/** Ids are counted as one of their kind: they differ from run to run. */
const tokensOf = (row: Json): number =>
  countTokens(
    JSON.stringify(row).replaceAll(
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
      "01a2028e-3dfa-7a68-a700-48320aa375e2",
    ),
  );

/** A heartbeat with every figure a plugin measures. */
async function beat(server: ServerRecord, changes: Json): Promise<void> {
  const { now } = at.clock;
  const sample = {
    sampled_at: new Date(now).toISOString(),
    tps: 19.98,
    mspt: 38.25,
    player_count: 125,
    entity_count: 2435,
    ram_used_mb: 13993.6,
    ram_max_mb: 24576,
    heap_after_gc_mb: 6900,
    worlds_top: [{ name: "world", players: 19, entities: 1802, chunks: 3794 }],
    ...changes,
  };
  await at.app.db.write(recordHeartbeat, {
    serverId: server.id,
    receivedAt: now,
    bootTimestamp: now - 3_600_000,
    lastTickAgeMs: 40,
    announcement: null,
    sample: { sampledAt: now, reported: ReportedSample.parse(sample) },
    limits: at.app.plans[owner.plan],
  });
}

const overview = (args: Json = {}) => connector.tool(secret, "get_monitoring_overview", args);

it("[OUR-OVR-01] [OUR-MCP-70] shows the worst of 30 servers first though its name is the last of the alphabet", async () => {
  const { text, structured } = await overview();
  const rows = text["data"] as Json[];
  expect(structured).toEqual(text);
  expect(rows).toHaveLength(shownServers);
  expect(rows[0]).toEqual({
    server_id: servers.at(-1)?.id,
    name: "Zeta",
    state: "running",
    group_id: expect.any(String),
    current: { tps: 16.02, mspt: 62.41, player_count: 125 },
    open_alerts: [
      { rule_name: expect.any(String), metric: expect.any(String) },
      { rule_name: expect.any(String), metric: expect.any(String) },
    ],
    health: { verdict: "unknown", reasons: [] },
  });
  expect((text["third_party_text"] as Json)["paths"]).toEqual([
    "data[].name",
    "data[].open_alerts[].rule_name",
  ]);
});

it("[OUR-MCP-70] takes at most 120 tokens a server, so that 25 fit into one answer", async () => {
  const rows = (await overview()).text["data"] as Json[];
  const tokens = rows.map(tokensOf);
  const whole = await connector.rpc(secret, "resources/read", { uri: "tickmark://monitoring/overview" });
  const [{ text = "{}" } = {}] = whole.result["contents"] as { text?: string }[];
  const before = (JSON.parse(text) as { data: Json[] }).data.map(tokensOf);
  console.log(`tokens a server: at most ${Math.max(...tokens)}, whole ${Math.max(...before)}`);
  expect(Math.max(...tokens)).toBeLessThanOrEqual(mostTokens);
});

it("[OUR-MCP-70] leaves out what has no value or is no longer so, and nothing that is", async () => {
  const down = servers[3];
  if (!down) throw new Error("The fleet has no fourth server.");
  at.clock.advance(150_000);
  for (const server of servers) if (server !== down) await beat(server, {});
  await at.app.db.write(switchMonitoring, {
    serverId: servers[4]?.id ?? "",
    accountId: owner.id,
    enabled: false,
    limits: at.app.plans.pro,
    now: at.clock.now,
  });
  const { text } = await overview({ include_unmonitored: true, top: 100 });
  const rows = text["data"] as Json[];
  expect(rows[0]).toEqual({
    server_id: down.id,
    name: "Evergreen Survival 3",
    enabled_rules: 0,
    state: "unreachable",
    state_since: new Date(at.clock.now - 150_000).toISOString(),
    group_id: expect.any(String),
    open_alerts: [],
    health: { verdict: "down", reasons: ["server_down"] },
  });
  const off = rows.find(({ state }) => state === "not_monitored");
  expect(off).toMatchObject({ name: "Evergreen Survival 4", monitoring: { site_step: "off" } });
  expect(rows.filter((row) => "monitoring" in row)).toEqual([off]);
});

it("[OUR-MCP-70] leaves other members and rows that are none as they are", () => {
  const members = { name: true, gone: true, parts: { id: true } } as const;
  expect(
    withBriefRows(
      { totals: { a: null }, data: [{ name: "a", parts: [{ id: 1, more: 2 }, null], x: 1 }, 7] },
      { members },
    ),
  ).toEqual({ totals: { a: null }, data: [{ name: "a", parts: [{ id: 1 }, null] }, 7] });
  expect(withBriefRows({ name: "x" }, { members })).toEqual({ name: "x" });
});
