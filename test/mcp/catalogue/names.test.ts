import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { wording } from "../../../tools/wording.ts";
import { roomyPlans, startTestService, type Json, type TestService } from "../../support/service.ts";
import { talkTo, type Talk } from "../client.ts";

let service: TestService;
let owner: Account;
let token: string;
let lobby: string;
let twins: string[];

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  owner = await service.account("pro");
  token = await service.token(owner);
  lobby = (await service.server(owner, { name: "Lobby \u200bNorth" })).id;
  twins = [
    (await service.server(owner, { name: "Twin" })).id,
    (await service.server(owner, { name: "TWIN" })).id,
  ];
  await service.server(await service.account("pro"), { name: "Not yours" });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

interface Called {
  readonly isError: boolean;
  readonly text: Json;
  readonly quota: Json;
}

interface Way {
  tool(name: string, args: Json): Promise<Called>;
  end(): Promise<void>;
}

const overHttp = async (bearer: string): Promise<Way> => ({
  tool: async (name, args) => {
    const { json } = await service.request("POST", "/mcp", {
      token: bearer,
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
      headers: { accept: "application/json" },
    });
    const {
      content,
      isError = false,
      _meta: meta,
    } = json["result"] as {
      content: [{ text: string }];
      isError?: boolean;
      _meta: Json;
    };
    return { isError, text: JSON.parse(content[0].text) as Json, quota: meta["tickmark/quota"] as Json };
  },
  end: async () => {},
});

const overStdio = async (bearer: string): Promise<Way> => {
  const talk: Talk = talkTo(service.service.baseUrl, bearer);
  await talk.ask("tools/list");
  return talk;
};

const used = async (bearer: string): Promise<number[]> => {
  const { json } = await service.request("GET", "/api/v1/token", { token: bearer });
  const { daily, hourly } = json["limits"] as { daily: { used: number }; hourly: { used: number } };
  return [daily.used, hourly.used];
};

describe.each(Object.entries({ "over HTTP": overHttp, "over stdio": overStdio }))("%s", (_, open) => {
  it("[OUR-MCP-71] a server's name does for its id, as it is shown or stored, and costs no call", async () => {
    const own = await service.token(owner);
    const way = await open(own);
    const [dayBefore = 0, hourBefore = 0] = await used(own);
    for (const server_id of ["lobby \u200bNORTH", String.raw`Lobby \u{200B}North`, lobby]) {
      const { text, quota } = await way.tool("get_server_status", { server_id });
      expect([text["server_id"], quota["cost"]]).toEqual([lobby, 1]);
    }
    const [day = 0, hour = 0] = await used(own);
    // The looks at the token's own account count in its hour.
    expect([day - dayBefore, hour - hourBefore]).toEqual([3, 4]);
    expect((await way.tool("list_alerts", { server_id: "Lobby \u200bNorth" })).isError).toBe(false);
    await way.end();
  });

  it("[OUR-MCP-71] a name of several is refused with their ids, behind the scope; it costs the one call", async () => {
    const way = await open(token);
    const { isError, text, quota } = await way.tool("get_maintenance", { server_id: "twin" });
    expect({ isError, ...text, cost: quota["cost"] }).toMatchObject({
      isError: true,
      error: "validation_error",
      field: "server_id",
      server_ids: expect.arrayContaining(twins),
      cost: 1,
    });
    expect(text["message"]).toContain(twins[0]);
    await way.end();
    const powerless = await open(await service.token(owner, ["benchmarks:read" as never]));
    expect((await powerless.tool("update_server", { server_id: "twin", name: "X" })).text["error"]).toBe(
      "missing_scope",
    );
    await powerless.end();
  });

  it("[OUR-MCP-71] names of nobody, of another account and foreign ids are told apart by nothing, for admins too", async () => {
    const admin = await service.token(await service.account("pro", "admin"));
    for (const bearer of [token, admin]) {
      const way = await open(bearer);
      const answers: unknown[] = [];
      for (const server_id of ["Not yours", "Nobody's", "019a9f5e-1d00-7000-8000-000000000010"]) {
        const { isError, text, quota } = await way.tool("get_maintenance", { server_id });
        answers.push({ isError, text, cost: quota["cost"] });
      }
      expect(answers[0]).toMatchObject({ isError: true, text: { error: "not_found" }, cost: 1 });
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      const filtered = [];
      for (const server_id of ["Not yours", "Nobody's"])
        filtered.push((await way.tool("list_alerts", { server_id })).text);
      expect(filtered[0]).toMatchObject({ error: "not_found" });
      expect(filtered[1]).toEqual(filtered[0]);
      await way.end();
    }
  });

  it("[OUR-MCP-72] times relative to now reach the endpoint as ISO 8601, and a list that goes on says as which", async () => {
    const way = await open(token);
    const { text } = await way.tool("get_server_metrics", { server_id: lobby, from: "-90m", to: "now" });
    const period = text as { from: string; to: string };
    expect([Date.parse(period.to) - Date.parse(period.from), text["error"]]).toEqual([
      90 * 60_000,
      undefined,
    ]);
    const bad = await way.tool("list_alerts", { since: "yesterday" });
    expect(bad.text).toMatchObject({ error: "validation_error", field: "since" });
    expect(bad.text["message"]).toContain(wording.argumentErrors.times);
    expect((await way.tool("list_alerts", { since: "2026-11-01", until: "now" })).isError).toBe(false);
    for (let turn = 0; turn < 2; turn += 1) {
      await way.tool("start_maintenance", { server_id: lobby, duration_minutes: 5 });
      await way.tool("end_maintenance", { server_id: lobby });
    }
    const events = { server_id: lobby, from: "-1h", limit: 1 };
    const first = (await way.tool("list_server_events", events)).text;
    const [note = ""] = first["connector_notes"] as string[];
    expect(note).toMatch(/^Times used: from=\d{4}-\d{2}-\d{2}T[\d:.]+Z; send these with page.cursor\.$/);
    const from = /from=([^;]+)/.exec(note)?.[1];
    const { cursor } = first["page"] as { cursor: string };
    expect((await way.tool("list_server_events", { ...events, from, cursor })).text["data"]).toHaveLength(1);
    await way.end();
  });
});

it("[OUR-MCP-71] REST keeps ids, and what finds names for the connector over stdio tells nobody else's", async () => {
  const { status } = await service.request("GET", "/api/v1/servers/Twin/status", { token });
  expect(status).toBe(404);
  const names = (query: string, bearer: string | null) =>
    service.request("GET", `/mcp/names?${query}`, { token: bearer });
  const [day = 0, hour = 0] = await used(token);
  expect((await names("kind=server&text=Twin", token)).json["data"]).toHaveLength(2);
  expect((await names("kind=server&text=Not+yours", token)).json).toEqual({ data: [] });
  expect((await names("kind=alert_rule&text=x", token)).json).toEqual({ data: [] });
  expect(await used(token)).toEqual([day, hour + 1]);
  expect([
    (await names("kind=server&text=Twin", null)).status,
    (await names("kind=report&text=x", token)).status,
  ]).toEqual([401, 400]);
  expect((await service.request("POST", "/mcp/names", { token })).status).toBe(405);
});
