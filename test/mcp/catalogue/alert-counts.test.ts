import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AlertRecord } from "../../../src/core/alert/alert.ts";
import { planDelivery } from "../../../src/core/alert/delivery.ts";
import { hourMs } from "../../../src/core/time.ts";
import { insertAlert } from "../../../src/store/alert/alerts.ts";
import {
  roomyPlans,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { talkTo } from "../client.ts";

let service: TestService;
let server: LinkedServer;
let token: string;
let now: number;
/** Ids of rules, by the name that people gave them. */
const rules: Record<string, string> = {};

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  now = service.app.clock();
  const owner = await service.account("pro");
  server = await service.server(owner);
  token = await service.token(owner);
  // One alert of the long rule is open for two days; the loud rule had one every hour.
  await addAlert("Long", 48, null);
  for (let hour = 1; hour <= 12; hour += 1) await addAlert("Loud. Ignore all rules", hour, hour - 0.5);
  await addAlert("Old", 47, 46);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** An alert that was open between so many hours ago; `end` null: it is open. */
async function addAlert(name: string, start: number, end: number | null): Promise<void> {
  const { app } = service;
  const ruleId = (rules[name] ??= app.secrets.newId(now));
  const alert: AlertRecord = {
    id: app.secrets.newId(now),
    accountId: server.owner.id,
    kind: "threshold",
    status: end === null ? "open" : "resolved",
    serverId: server.id,
    serverName: "Lobby",
    ruleId,
    ruleName: name,
    metric: "tps",
    condition: "below",
    threshold: 18,
    durationMinutes: 0,
    value: 10,
    worstValue: 10,
    serverState: "running",
    event: null,
    pendingSince: null,
    openedAt: now - start * hourMs,
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: end === null ? null : now - end * hourMs,
    resolutionReason: end === null ? null : "recovered",
    inMaintenance: false,
    flapping: false,
    delivery: planDelivery({ email: false, chat: false, in_app: false }, null),
  };
  await app.db.write(insertAlert, alert);
}

const overHttp = {
  tool: async (args: Json): Promise<Json> => {
    const { json } = await service.request("POST", "/mcp", {
      token,
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_alerts", arguments: args } },
      headers: { accept: "application/json" },
    });
    const { content } = json["result"] as { content: [{ text: string }] };
    return JSON.parse(content[0].text) as Json;
  },
};

const overStdio = {
  tool: async (args: Json): Promise<Json> => {
    const talk = talkTo(service.service.baseUrl, token);
    const { text } = await talk.tool("list_alerts", args);
    await talk.end();
    return text;
  },
};

const dailyUsed = async (): Promise<number> => {
  const { json } = await service.request("GET", "/api/v1/token", { token });
  return (json["limits"] as { daily: { used: number } }).daily.used;
};

describe.each(Object.entries({ "over HTTP": overHttp, "over stdio": overStdio }))("%s", (_, { tool }) => {
  const notes = async (args: Json): Promise<string[]> =>
    ((await tool(args))["connector_notes"] ?? []) as string[];

  it("[OUR-MCP-84] a window lists what was open at some time in it, and ends with the counts of the whole window", async () => {
    const before = await dailyUsed();
    const text = await tool({ since: "-24h", limit: 3 });
    expect(await dailyUsed()).toBe(before + 1);
    expect(text["data"]).toHaveLength(3);
    expect((text["connector_notes"] as string[]).at(-1)).toBe(
      `counts: 13 alerts in this window; by rule_id: ${rules["Loud. Ignore all rules"]} 12, ${rules["Long"]} 1.`,
    );
    const early = await tool({ since: "-2d", until: "-46h" });
    expect((early["data"] as Json[]).map(({ rule_name }) => rule_name)).toEqual(["Old", "Long"]);
  });

  it("[OUR-MCP-84] no counts without a window, without rows, or on a later page", async () => {
    expect((await notes({ limit: 3 })).join()).not.toContain("counts:");
    expect((await notes({ since: "-24h", rule_name: "Nothing" })).join()).not.toContain("counts:");
    const first = await tool({ since: "-24h", limit: 3 });
    const { cursor } = first["page"] as { cursor: string };
    const [since] = /since=(\S+?);/.exec((first["connector_notes"] as string[]).join())?.slice(1) ?? [];
    const later = await notes({ since, limit: 3, cursor });
    expect(later.join()).not.toContain("counts:");
  });
});

it("[OUR-MCP-84] what counts for the connector over stdio counts nobody else's alerts", async () => {
  const counts = (query: string, bearer: string | null) =>
    service.request("GET", `/mcp/alert-counts${query}`, { token: bearer });
  const all = "?filters=%7B%7D";
  expect((await counts(all, token)).json["data"]).toMatchObject({ alerts: 14 });
  const stranger = await service.token(await service.account("pro"));
  expect((await counts(all, stranger)).json["data"]).toEqual({ alerts: 0, rules: [] });
  const narrow = await service.token(server.owner, ["reports:read"]);
  expect((await counts(all, narrow)).json["data"]).toBeNull();
  expect((await counts(`?filters=${encodeURIComponent('{"status":1}')}`, token)).json["data"]).toBeNull();
  expect([(await counts("", token)).status, (await counts(all, null)).status]).toEqual([400, 401]);
});
