import { afterAll, beforeAll, expect, it } from "vitest";
import { compareReports } from "../../../src/endpoints/api/report/compare-reports.ts";
import { exampleReportDetail } from "../../../src/endpoints/api/report/example-report.ts";
import type { Answered } from "../../../src/contract/call/backend.ts";
import { longestResult } from "../../../src/mcp/result/shrink-to-limit.ts";
import { shown, toolResult } from "../../../src/mcp/result/result.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import { testConnector, toolNamed, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";

const { notes, thirdPartyNotice } = wording;

let at: TestApp;
let connector: TestConnector;
let owner: Account;
let secret: string;
let server: ServerRecord;

beforeAll(async () => {
  at = testApp({ plans: roomy });
  connector = testConnector(at);
  owner = await at.account();
  secret = (await at.token(owner)).secret;
  server = await at.server(owner, { name: "Lobby\u200b ![x](http://evil.example)" });
  for (let made = 0; made < 30; made += 1) await at.report(server, {}, "public");
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

const answered = (value: unknown, remaining = 40): Answered => {
  const window = { limit: 50, remaining, resetAt: at.clock.now + 1000 };
  return { ok: true, status: 200, value, windows: { day: window, hour: window }, counted: true };
};

const resultOf = (name: string, value: unknown): Json =>
  JSON.parse(shown(toolNamed(name).view, {}, answered(value), wording)) as Json;

it("[OUR-MCP-06] sends the same JSON as text and as structured content", async () => {
  for (const [name, args] of [
    ["list_reports", {}],
    ["list_servers", {}],
    ["get_token_info", {}],
    ["get_server_status", { server_id: server.id }],
  ] as const) {
    for (const modern of [false, true]) {
      const { text, structured } = await connector.tool(secret, name, args, { modern });
      expect(structured).toEqual(text);
    }
  }
});

it("[OUR-MCP-07] begins with third_party_text, with the paths where it can stand, and goes on as REST does", async () => {
  const list = await connector.tool(secret, "list_servers");
  expect(Object.keys(list.text)).toEqual(["third_party_text", "urls", "data", "page"]);
  expect(list.text["third_party_text"]).toEqual({
    notice: thirdPartyNotice,
    paths: ["data[].name", "data[].address"],
    escaped: 2,
    truncated: 0,
  });
  expect((list.text["data"] as Json[])[0]?.["name"]).toBe("Lobby\\u{200B} \\u{21}[x](http://evil.example)");
  const single = await connector.tool(secret, "get_server_status", { server_id: server.id });
  expect(Object.keys(single.text)[0]).toBe("third_party_text");
  expect(single.text["third_party_text"]).toMatchObject({
    paths: ["current.worlds_top[].name", "current.world_sizes[].name", "current.regions[].world"],
  });
});

it("[OUR-MCP-07] announces no third-party text where an answer cannot hold any", () => {
  const views = tools.filter(({ view }) => view.thirdParty.paths.length === 0);
  for (const { definition, view } of views) {
    expect(Object.keys(resultOf(definition.name, view.endpoint.example.output))).not.toContain(
      "third_party_text",
    );
  }
});

it("[OUR-MCP-08] tells what is left of both windows and what the call cost", async () => {
  const tight = testApp();
  const asked = testConnector(tight);
  const free = await tight.token(await tight.account("free"));
  const first = await asked.tool(free.secret, "list_servers");
  const resets = { day: "2026-11-21T08:00:00.000Z", hour: "2026-11-20T09:00:00.000Z" };
  expect(first.quota).toEqual({
    day: { limit: 10, remaining: 9, reset_at: resets.day },
    hour: { limit: 600, remaining: 599, reset_at: resets.hour },
    cost: 1,
  });
  const free_of_charge = await asked.tool(free.secret, "get_token_info");
  expect(free_of_charge.quota).toMatchObject({ day: { remaining: 9 }, hour: { remaining: 598 }, cost: 0 });
  const refused = await asked.tool(free.secret, "get_report", { report_id: "nothing" });
  expect(refused.quota).toMatchObject({ day: { remaining: 8 }, cost: 1 });
  const said = async (): Promise<string> =>
    JSON.stringify((await asked.tool(free.secret, "list_servers")).text["connector_notes"]);
  for (let more = 0; more < 5; more += 1) expect(await said()).not.toContain("calls left");
  expect(await said()).toContain("2 of 10 calls left until 2026-11-21T08:00:00.000Z (in 1 d).");
  expect(await said()).toContain("1 of 10 calls left until 2026-11-21T08:00:00.000Z (in 1 d).");
  const last = await asked.tool(free.secret, "get_report", { report_id: "nothing" });
  expect(last.text["connector_notes"]).toContain(notes.callsLeft(0, 10, "2026-11-21T08:00:00.000Z", "1 d"));
  const spent = await asked.tool(free.secret, "list_servers");
  expect(spent.text["error"]).toBe("daily_quota_exceeded");
  expect(spent.quota).toMatchObject({ day: { remaining: 0 }, cost: 0 });
  await tight.close();
});

it("[OUR-MCP-09] returns as many rows as its schema says unless asked, 25 at most, and refuses what the endpoint refuses", async () => {
  const rows = async (limit?: unknown): Promise<number> =>
    (
      (await connector.tool(secret, "list_reports", limit === undefined ? {} : { limit })).text[
        "data"
      ] as Json[]
    ).length;
  const { limit } = toolNamed("list_reports").definition.inputSchema["properties"] as { limit: Json };
  expect(limit["default"]).toBe(6);
  expect(await rows()).toBe(6);
  expect(await rows(3)).toBe(3);
  expect(await rows(25)).toBe(25);
  expect(await rows(100)).toBe(25);
  for (const limit of [101, 0, -1, 2.5, "10"]) {
    const { text, isError } = await connector.tool(secret, "list_reports", { limit });
    expect({ isError, error: text["error"], field: text["field"] }).toEqual({
      isError: true,
      error: "validation_error",
      field: "limit",
    });
  }
});

it("[OUR-MCP-09] keeps the cursor true when fewer rows come back than were asked for", async () => {
  const first = await connector.tool(secret, "list_reports", { limit: 100 });
  expect(first.text["connector_notes"]).toEqual([notes.rowsCapped]);
  const { cursor } = first.text["page"] as { cursor: string };
  const second = await connector.tool(secret, "list_reports", { limit: 100, cursor });
  const ids = [first, second].flatMap(({ text }) => (text["data"] as Json[]).map(({ id }) => id));
  expect(new Set(ids).size).toBe(30);
  expect(second.text["connector_notes"]).toBeUndefined();
});

it("[OUR-MCP-11] tells errors as text alone, with the tools that list valid ids", async () => {
  const missing = await connector.tool(secret, "get_server_status", { server_id: "0197" });
  expect(missing).toMatchObject({ status: 200, isError: true, structured: undefined });
  expect(missing.text).toEqual({
    error: "not_found",
    message:
      "Nothing with this identifier can be seen by this caller. The matching list route shows what can be seen.",
    connector_notes: ["Get existing ids from list_servers."],
  });
  const both = await connector.tool(secret, "set_server_group", { server_id: server.id, group_id: "x" });
  expect(both.text["connector_notes"]).toEqual(["Get existing ids from list_server_groups."]);
});

it("[OUR-MCP-11] refuses unknown arguments and coerced types in the words of REST", async () => {
  const unknown = await connector.tool(secret, "update_server", { server_id: server.id, nmae: "x" });
  expect(unknown.text).toMatchObject({
    error: "field_not_allowed",
    allowed_fields: expect.arrayContaining(["name"]) as unknown,
  });
  const misspelt = await connector.tool(secret, "list_servers", { verfied: true });
  expect(misspelt.text).toMatchObject({ error: "validation_error", field: "verfied" });
  const coerced = await connector.tool(secret, "list_servers", { verified: "true" });
  expect(coerced.text).toMatchObject({ error: "validation_error", field: "verified" });
});

const hostile = "<".repeat(4000);

it("[OUR-MCP-12] shortens what is too long in a single item, and says so", () => {
  const side = { ...exampleReportDetail, description: hostile, os_name: hostile, java_version: hostile };
  const value = compareReports.project({
    ...(compareReports.example.output as object),
    reports: { base: side, other: side },
  });
  const text = shown(toolNamed("compare_reports").view, {}, answered(value), wording);
  expect(text.length).toBeLessThanOrEqual(longestResult);
  const shownValue = JSON.parse(text) as {
    connector_notes: string[];
    third_party_text: Json;
    reports: { base: { description: string } };
    metrics: unknown[];
  };
  expect(shownValue.connector_notes).toEqual([notes.textShortened]);
  expect(shownValue.third_party_text["truncated"]).toBe(6);
  expect(shownValue.reports.base.description).toMatch(/^<+…\[\+\d+ characters\]$/);
  expect(shownValue.metrics).toHaveLength(10);
});

it("[OUR-MCP-12] [OUR-MCP-07] counts what it cut of a text that pretends to be cut already", () => {
  const mark = "…[+999999 characters]";
  const filler = "<".repeat(4000 - mark.length);
  const side = {
    ...exampleReportDetail,
    description: filler + mark,
    os_name: hostile,
    java_version: hostile,
  };
  const value = compareReports.project({
    ...(compareReports.example.output as object),
    reports: { base: side, other: side },
  });
  const result = resultOf("compare_reports", value);
  expect(result["third_party_text"]).toMatchObject({ truncated: 6 });
  const { description } = (result["reports"] as { base: { description: string } }).base;
  expect(description).toBe(`${"<".repeat(1000)}…[+3000 characters]`);
});

it("[OUR-MCP-08] costs a daily call where the call was counted, whatever it answers, but for the token's own description", () => {
  const cost = (name: string, counted: boolean): unknown => {
    const body = { error: "unavailable", message: "Later." };
    const refusal = { status: 503, body, windows: null, retryAfterSeconds: null, credential: false };
    return toolResult(toolNamed(name).view, {}, { ok: false, ...refusal, counted }, wording)._meta;
  };
  expect(cost("list_servers", true)).toMatchObject({ "tickmark/quota": { cost: 1 } });
  expect(cost("list_servers", false)).toMatchObject({ "tickmark/quota": { cost: 0 } });
  expect(cost("get_token_info", true)).toMatchObject({ "tickmark/quota": { cost: 0 } });
});

it("[OUR-MCP-12] shortens rows before it drops them, and leaves no cursor that would skip what it dropped", () => {
  const row = {
    ...exampleReportDetail,
    hardware: { ...exampleReportDetail.hardware, cpu_name: hostile, disk_type: hostile },
  };
  const page = { cursor: "behind the last row", has_more: false };
  const few = resultOf("list_reports", { data: Array.from({ length: 20 }, () => row), page });
  expect(few["connector_notes"]).toEqual([notes.textShortened]);
  expect(few["page"]).toEqual(page);
  const many = Array.from({ length: 25 }, () => ({
    ...row,
    server: Object.fromEntries(Object.keys(row.server).map((name) => [name, hostile])),
  }));
  const text = shown(toolNamed("list_reports").view, {}, answered({ data: many, page }), wording);
  expect(text.length).toBeLessThanOrEqual(longestResult);
  const cut = JSON.parse(text) as { data: unknown[]; page: Json; connector_notes: string[] };
  expect(cut.data.length).toBeGreaterThan(0);
  expect(cut.connector_notes).toEqual([notes.textShortened, notes.rowsLeftOut(25 - cut.data.length)]);
  expect(cut.page).toEqual({ cursor: null, has_more: true });
});

it("[OUR-MCP-12] leaves out regions and worlds before the tails of arrays", () => {
  const regions = Array.from({ length: 2000 }, (_, index) => ({ index, tps: 20, mspt: 12.5 }));
  const status = toolNamed("get_server_status").view.endpoint.example.output as Json;
  const value = { ...status, current: { ...(status["current"] as Json), regions, worlds_top: regions } };
  const result = resultOf("get_server_status", value);
  expect(result["connector_notes"]).toEqual([notes.detailsLeftOut]);
  expect(result["current"]).not.toHaveProperty("regions");
  expect(result["current"]).toMatchObject({ tps: 19.98 });
});

it("[OUR-MCP-12] cuts the tails of the longest arrays when nothing else helps, and counts what is gone", () => {
  const comparison = compareReports.example.output as { metrics: unknown[] };
  const metrics = Array.from({ length: 4000 }, () => comparison.metrics[0]);
  const text = shown(toolNamed("compare_reports").view, {}, answered({ ...comparison, metrics }), wording);
  expect(text.length).toBeLessThanOrEqual(longestResult);
  const left = (JSON.parse(text) as { metrics: unknown[] }).metrics.length;
  expect(left).toBeGreaterThan(100);
  expect(JSON.parse(text)).toMatchObject({
    connector_notes: expect.arrayContaining([notes.entriesLeftOut(4000 - left)]) as unknown,
  });
});
