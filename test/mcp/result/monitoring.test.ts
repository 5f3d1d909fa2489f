import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../../../src/contract/call/call.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { ReportedSample } from "../../../src/core/metric/reported-sample.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { getMonitoringOverview } from "../../../src/endpoints/api/monitoring/get-monitoring-overview.ts";
import listServerEventsTool from "../../../tools/list-server-events.ts";
import { longestResult } from "../../../src/mcp/result/shrink-to-limit.ts";
import { testConnector, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { wording } from "../../../tools/wording.ts";
import type { Json } from "../../support/payload.ts";

let at: TestApp;
let connector: TestConnector;

beforeAll(() => {
  const plans = { ...roomy, enterprise: { ...roomy.enterprise, monitored_servers: 500 } };
  at = testApp({ plans });
  connector = testConnector(at);
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

async function secretOf(account: Account): Promise<string> {
  return (await at.token(account)).secret;
}

async function beat(server: ServerRecord, owner: Account, changes: Json = {}): Promise<void> {
  const { now } = at.clock;
  const sampled_at = new Date(now).toISOString();
  const world = { name: "world\u202e", players: 3, entities: 1500, chunks: 1800 };
  await at.app.db.write(recordHeartbeat, {
    serverId: server.id,
    receivedAt: now,
    bootTimestamp: now,
    lastTickAgeMs: 40,
    announcement: null,
    sample: {
      sampledAt: now,
      reported: ReportedSample.parse({ sampled_at, player_count: 3, worlds_top: [world], ...changes }),
    },
    limits: at.app.plans[owner.plan],
  });
}

/** The text of the overview as a resource, with every row whole. */
async function readOverview(secret: string): Promise<string> {
  const { result } = await connector.rpc(secret, "resources/read", { uri: "tickmark://monitoring/overview" });
  const [{ text }] = result["contents"] as [{ text: string }];
  return text;
}

describe("the overview as a tool", () => {
  it("[OUR-MCP-10] says that the plan is why it is empty, and every list does that the plan leaves empty", async () => {
    const secret = await secretOf(await at.account("free"));
    const notesOf = async (name: string, args: Json = {}) =>
      (await connector.tool(secret, name, args)).structured?.["connector_notes"];
    const { planLacks } = wording.notes;
    expect(await notesOf("get_monitoring_overview")).toContain(planLacks("monitoring"));
    expect(await notesOf("list_alerts")).toContain(planLacks("monitoring"));
    expect(await notesOf("list_alerts", { status: "open" })).toEqual([planLacks("monitoring")]);
    expect(await notesOf("list_auto_bench_targets")).toContain(planLacks("auto-bench"));
    expect(await notesOf("list_auto_bench_jobs")).toContain(planLacks("auto-bench"));
    expect(JSON.stringify(await notesOf("list_server_groups"))).not.toContain("plan");
  });

  it("[OUR-MCP-10] says why it is empty, widened or not", async () => {
    const secret = await secretOf(await at.account("pro"));
    for (const [args, why] of [
      [{}, "include_unmonitored=true"],
      [{ include_unmonitored: true }, "No server is linked"],
    ] as const) {
      const { structured } = await connector.tool(secret, "get_monitoring_overview", args);
      expect(structured).toMatchObject({
        data: [],
        totals: { servers: 0 },
        connector_notes: [expect.stringContaining(why)],
      });
    }
  });

  it("[OUR-MCP-06] [TXT-01] shows names and worlds with nothing hidden, and announces them", async () => {
    const owner = await at.account("pro");
    const server = await at.server(owner, { name: "Lobby\u200b![x](y)" });
    await beat(server, owner);
    const secret = await secretOf(owner);
    const { structured, text } = await connector.tool(secret, "get_monitoring_overview");
    expect(text).toEqual(structured);
    const name = String.raw`Lobby\u{200B}\u{21}[x](y)`;
    expect(structured).toMatchObject({ third_party_text: { escaped: 2 }, data: [{ name }] });
    expect(JSON.parse(await readOverview(secret))).toMatchObject({
      third_party_text: { escaped: 3 },
      data: [{ name, current: { worlds_top: [{ name: String.raw`world\u{202E}` }] } }],
    });
  });

  it("[OUR-OVR-05] [OUR-MCP-12] of 500 servers keeps the worst and the totals, and says what it left out", async () => {
    const owner = await at.account("enterprise");
    const servers: ServerRecord[] = [];
    for (let index = 0; index < 500; index += 1)
      servers.push(await at.server(owner, { name: `Server ${index}` }));
    await Promise.all(servers.map((server) => beat(server, owner)));
    at.clock.advance(91_000);
    await Promise.all(servers.slice(1).map((server) => beat(server, owner)));
    const secret = await secretOf(owner);
    const started = performance.now();
    const raw = await readOverview(secret);
    const ms = performance.now() - started;
    const whole = JSON.parse(raw) as Json;
    const rows = whole["data"] as Json[];
    const request = {
      credentials: { authorization: `Bearer ${secret}`, address: "192.0.2.1" },
      input: () => ({}),
      requestId: "r",
    };
    const asked = performance.now();
    const outcome = await call(at.app, getMonitoringOverview, request);
    const written = JSON.stringify(outcome).length;
    console.log(
      `overview of 500 servers through the door: ${written} characters, ${(performance.now() - asked).toFixed(0)} ms`,
    );
    console.log(
      `overview read of 500 servers: ${rows.length} rows, ${raw.length} characters, ${ms.toFixed(0)} ms`,
    );
    expect(raw.length).toBeLessThanOrEqual(longestResult);
    expect(rows[0]).toMatchObject({ name: "Server 0", state: "unreachable" });
    expect(whole["totals"]).toMatchObject({ servers: 500, online: 499, players: 1497 });
    expect(whole["connector_notes"]).toContainEqual(expect.stringContaining("were left out"));
    expect(rows.length).toBeGreaterThan(40);
  });
});

describe("the timeline as a tool", () => {
  it("[OUR-MCP-10] says why it is empty, from the question that was asked", async () => {
    const owner = await at.account("pro");
    const { id: server_id } = await at.server(owner);
    const secret = await secretOf(owner);
    const notes = async (args: Json) =>
      (await connector.tool(secret, "list_server_events", { server_id, ...args })).structured?.[
        "connector_notes"
      ];
    expect(await notes({})).toEqual([
      "This server's timeline holds nothing within the plan's viewing window.",
    ]);
    expect(await notes({ type: "ban" })).toEqual([expect.stringContaining("Nothing matches the filters")]);
  });

  it("[OUR-MCP-02] says of a row's members nothing that a value of any plugin could break", () => {
    const { outputSchema = {} } = listServerEventsTool.definition;
    const { data } = outputSchema["properties"] as { data: { items: { properties: Json } } };
    expect(data.items.properties).toMatchObject({ metadata: {}, description: {} });
  });

  it("[OUR-MCP-11] refuses in REST's words, and tells where ids come from", async () => {
    const secret = await secretOf(await at.account("pro"));
    const { isError, text } = await connector.tool(secret, "list_server_events", { server_id: "nothing" });
    expect({ isError, ...text }).toMatchObject({
      isError: true,
      error: "not_found",
      connector_notes: ["Get existing ids from list_servers."],
    });
  });
});

describe("maintenance as tools", () => {
  it("[MNT-02] [MNT-03] is started, looked at and ended", async () => {
    const owner = await at.account("pro");
    const { id: server_id } = await at.server(owner);
    const secret = await secretOf(owner);
    const args = { server_id, duration_minutes: 30, reason: "Update" };
    const ask = async (name: string, sent: Json): Promise<Json> =>
      (await connector.tool(secret, name, sent)).structured ?? {};
    expect(await ask("start_maintenance", args)).toMatchObject({ in_progress: true, extended: false });
    expect(await ask("start_maintenance", args)).toMatchObject({ in_progress: true, extended: true });
    expect(await ask("get_maintenance", { server_id })).toMatchObject({
      reason: "Update",
      remaining_seconds: 1800,
    });
    expect(await ask("end_maintenance", { server_id })).toMatchObject({ ended: true });
    expect(await ask("end_maintenance", { server_id })).toMatchObject({ ended: false });
  });
});
