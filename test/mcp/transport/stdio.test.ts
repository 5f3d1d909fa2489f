import { afterAll, beforeAll, expect, it } from "vitest";
import { scopes } from "../../../src/core/access/scope.ts";
import { unnarrowed, type Narrowing } from "../../../src/mcp/catalogue/narrowing.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import { wholeInstructions } from "../../support/connector.ts";
import type { Json } from "../../support/payload.ts";
import { startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { talkTo, type Talk } from "../client.ts";

let service: TestService;
let secret: string;
let server: LinkedServer;

beforeAll(async () => {
  service = await startTestService();
  const owner = await service.account("pro");
  server = await service.server(owner, { name: "Lobby\u2028<b>" });
  secret = await service.token(owner, scopes);
  await service.report(server);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const talk = (
  token: string | null,
  { url = service.service.baseUrl, ...how }: { modern?: boolean; url?: string; narrowing?: Narrowing } = {},
): Talk => talkTo(url, token, how);

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "a test", version: "1" },
};

it("[OUR-MCP-24] serves either revision from the REST API alone, with nothing but JSON-RPC on its output", async () => {
  for (const modern of [false, true]) {
    const client = talk(secret, { modern });
    const { result } = modern ? await client.ask("server/discover") : await client.ask("initialize", hello);
    expect(result["instructions"]).toBe(wholeInstructions);
    const listed = await client.ask("tools/list");
    expect((listed.result["tools"] as Json[]).map(({ name }) => name)).toEqual(
      tools.map(({ definition }) => definition.name),
    );
    const status = await client.tool("get_server_status", { server_id: server.id });
    const { json } = await service.request("GET", `/api/v1/servers/${server.id}/status`, { token: secret });
    const urls = [`http://127.0.0.1:${service.port}/servers/${server.id}`];
    expect(status.text).toEqual({ third_party_text: status.text["third_party_text"], urls, ...json });
    const servers = await client.tool("list_servers", { verified: true, limit: 5 });
    expect((servers.text["data"] as Json[])[0]?.["name"]).toBe("Lobby\\u{2028}<b>");
    const renamed = await client.tool("update_server", { server_id: server.id, notify_on_report: modern });
    expect(renamed.text["notify_on_report"]).toBe(modern);
    const read = await client.ask("resources/read", { uri: `tickmark://servers/${server.id}/status` });
    expect(read.result["contents"]).toHaveLength(1);
    const missing = await client.ask("resources/read", { uri: "tickmark://reports/nothing" });
    expect(missing.error).toMatchObject({ code: modern ? -32602 : -32002, data: { error: "not_found" } });
    expect((await client.ask("tools/call", { name: "nothing" })).error).toEqual({
      code: -32602,
      message: "Unknown tool",
    });
    expect((await client.ask("no/such")).error).toEqual({ code: -32601, message: "Method not found" });
    await client.end();
    for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    console.log(
      `stdio ${modern ? "2026-07-28" : "2025-11-25"}: ${client.lines.length} lines, 0 of them not JSON-RPC`,
    );
    expect(client.lines.join("")).not.toMatch(/[<>&`\u2028]/);
    expect(client.reports).toEqual([]);
  }
});

it("[OUR-MCP-08] tells the windows over stdio as the service counts them, and a list of tools costs no daily call", async () => {
  const owner = await service.account("free");
  const client = talk(await service.token(owner));
  await client.ask("initialize", hello);
  await client.ask("tools/list");
  const { quota } = await client.tool("list_servers");
  expect(quota).toMatchObject({
    day: { limit: 10, remaining: 9 },
    hour: { limit: 600, remaining: 598 },
    cost: 1,
  });
  const free = await client.tool("get_token_info");
  expect(free.quota).toMatchObject({ day: { remaining: 9 }, cost: 0 });
  const refused = await client.tool("get_report", { report_id: "nothing" });
  expect(refused.quota).toMatchObject({ day: { remaining: 8 }, cost: 1 });
  const mistyped = await client.tool("list_servers", { limit: "5" });
  expect(mistyped.text).toMatchObject({ error: "validation_error", field: "limit" });
  expect(mistyped.quota).toMatchObject({ day: { remaining: 7 }, cost: 1 });
  await client.end();
});

it("[OUR-MCP-25] offers what anyone may read without a token, and says of the rest that it needs one", async () => {
  const client = talk(null);
  await client.ask("initialize", hello);
  const { result } = await client.ask("tools/list");
  expect((result["tools"] as Json[]).map(({ name }) => name)).toEqual([
    "list_reports",
    "get_report",
    "compare_reports",
    "diagnose_report",
    "get_tuning_advice",
    "judge_before_after",
    "list_unit_tests",
    "get_unit_test",
    "list_offers",
  ]);
  expect((await client.tool("list_reports")).text["data"]).toEqual([]);
  expect((await client.tool("list_servers")).text["error"]).toBe("unauthorized");
  const mine = await client.tool("list_reports", { mine: true });
  expect(mine).toMatchObject({ text: { error: "unauthorized" }, quota: { day: { remaining: 9 }, cost: 0 } });
  await client.end();
});

it("[OUR-MCP-13] [OUR-MCP-46] lists with a bad token what anyone may read, so that a call can say what to do about it", async () => {
  const [client, anyone] = [talk(service.app.secrets.newSecret("api")), talk(null)];
  await client.ask("initialize", hello);
  for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
    expect((await client.ask(method)).result).toEqual((await anyone.ask(method)).result);
  for (const name of ["list_reports", "list_servers"])
    expect(await client.tool(name)).toMatchObject({
      isError: true,
      text: { error: "invalid_token", connector_notes: [wording.notes.tokenRefused] },
    });
  expect(client.reports.map(String)).toContain(
    "Error: The service refuses TICKMARK_TOKEN: invalid_token. Make a new one.",
  );
  await anyone.end();
  expect((await client.ask("ping")).result).toEqual({});
  await client.end();
});

it("[OUR-MCP-11] refuses over stdio what the endpoint refuses, types included", async () => {
  const client = talk(secret);
  await client.ask("initialize", hello);
  for (const [name, args, error] of [
    ["list_servers", { limit: "5" }, "validation_error"],
    ["list_servers", { limit: 101 }, "validation_error"],
    ["list_servers", { verfied: true }, "validation_error"],
    ["update_server", { server_id: server.id, nmae: "x" }, "field_not_allowed"],
    ["get_server_status", { server_id: "../token" }, "not_found"],
    ["get_server_status", {}, "validation_error"],
  ] as const) {
    const answer = await client.tool(name, args);
    expect({ name, args, isError: answer.isError, error: answer.text["error"] }).toEqual({
      name,
      args,
      isError: true,
      error,
    });
  }
  await client.end();
});

it("[OUR-MCP-14] narrows over stdio too", async () => {
  const client = talk(secret, {
    narrowing: { ...unnarrowed, toolsets: new Set(["account"]), readOnly: true },
  });
  await client.ask("initialize", hello);
  expect((await client.ask("tools/list")).result["tools"]).toHaveLength(1);
  expect((await client.ask("tools/call", { name: "list_servers" })).error["message"]).toBe("Unknown tool");
  await client.end();
});

it("[OUR-MCP-24] says that the service is away as a tool's error, and the cause only to the operator", async () => {
  const client = talk(secret, { url: "http://127.0.0.1:1" });
  await client.ask("initialize", hello);
  const { text, isError, quota } = await client.tool("list_servers");
  expect({ isError, error: text["error"] }).toEqual({ isError: true, error: "unavailable" });
  expect(quota).toEqual({ day: null, hour: null, cost: 0 });
  expect(JSON.stringify(text)).not.toContain("ECONN");
  expect(client.reports).toHaveLength(1);
  await client.end();
});
