import { updateTokenRevoked } from "../../../src/store/access/tokens.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { originCheck } from "../../../src/contract/call/origin.ts";
import { hostVariants } from "./host-variants.ts";
import { envelope, testConnector, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";

let at: TestApp;
let connector: TestConnector;
let secret: string;

beforeAll(async () => {
  at = testApp({ plans: roomy });
  connector = testConnector(at);
  secret = (await at.token(await at.account())).secret;
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

const bytes = (value: unknown): Buffer =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const calling = (name: string, args: Json = {}): Json => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});
const parsed = (body: string | null): Json => JSON.parse(body ?? "{}") as Json;

it("[OUR-MCP-17] answers every method but POST, and GET without a session, with 405 and Allow", async () => {
  for (const method of ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"]) {
    const { status, headers, body } = await connector.raw(secret, { method });
    expect({ status, allow: headers["allow"], error: parsed(body)["error"] }).toEqual({
      status: 405,
      allow: "GET, POST",
      error: "method_not_allowed",
    });
  }
});

it("[OUR-MCP-17] gives every answer its request id and forbids storing it", async () => {
  const answers = [
    await connector.raw(secret, { body: bytes(ping) }),
    await connector.raw(null, { body: bytes(ping) }),
    await connector.raw(secret, { method: "GET" }),
    await connector.raw(secret, { headers: { host: "evil.example" } }),
    await connector.raw(secret, { body: bytes({ jsonrpc: "2.0", method: "notifications/initialized" }) }),
  ];
  for (const { headers } of answers)
    expect(headers).toMatchObject({ "x-request-id": "r-1", "cache-control": "no-store" });
});

it("[OUR-MCP-17] answers JSON, and an event stream only to a client that asked for progress", async () => {
  const message = (token: boolean) =>
    bytes({
      ...calling("list_servers"),
      params: { name: "list_servers", ...(token && { _meta: { progressToken: "p" } }) },
    });
  const plain = await connector.raw(secret, { body: message(false) });
  expect(plain.headers["content-type"]).toBe("application/json; charset=utf-8");
  const deaf = await connector.raw(secret, { body: message(true), headers: { accept: "application/json" } });
  expect(deaf.headers["content-type"]).toBe("application/json; charset=utf-8");
  const stream = await connector.raw(secret, { body: message(true) });
  expect(stream.headers["content-type"]).toBe("text/event-stream");
  expect(stream.body).toMatch(/^event: message\ndata: \{[^\n]*\}\n\n$/);
});

it("[OUR-MCP-17] refuses what is no JSON-RPC message with the protocol's own codes", async () => {
  const cases: [Buffer | null, Record<string, string>, number, number][] = [
    [bytes(ping), { "content-type": "text/plain" }, 415, -32000],
    [null, {}, 400, -32700],
    [bytes("{"), {}, 400, -32700],
    [Buffer.from([0x22, 0xff, 0x22]), {}, 400, -32700],
    [bytes("[".repeat(100) + "]".repeat(100)), {}, 400, -32700],
    [bytes([]), {}, 400, -32600],
    [bytes({ jsonrpc: "1.0", id: 1, method: "ping" }), {}, 400, -32600],
    [bytes({ jsonrpc: "2.0", id: null, method: "ping" }), {}, 400, -32600],
    [bytes(Array.from({ length: 21 }, () => ping)), {}, 400, -32600],
    [bytes(ping), { "mcp-protocol-version": "2020-01-01" }, 400, -32000],
  ];
  for (const [body, headers, status, code] of cases) {
    const answer = await connector.raw(secret, { body, headers });
    expect({ status: answer.status, error: parsed(answer.body)["error"] }).toMatchObject({
      status,
      error: { code },
    });
  }
});

it("[OUR-MCP-17] accepts notifications and answers, and says nothing to them", async () => {
  for (const message of [
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, result: {} },
    [{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }],
  ]) {
    expect(await connector.raw(secret, { body: bytes(message) })).toMatchObject({ status: 202, body: null });
  }
});

it("[OUR-MCP-17] answers a batch of an older client one by one", async () => {
  const { body } = await connector.raw(secret, {
    body: bytes([
      ping,
      { ...calling("list_servers"), id: "two" },
      { jsonrpc: "2.0", method: "notifications/x" },
    ]),
  });
  const answers = JSON.parse(body ?? "[]") as { id: unknown; result: Json }[];
  expect(answers.map(({ id }) => id)).toEqual([1, "two"]);
  expect(answers[1]?.result).toHaveProperty("structuredContent");
});

it("[OUR-MCP-19] answers 401 without a token, and asks for the reading scopes", async () => {
  for (const body of [bytes(ping), bytes(calling("list_servers")), bytes("{"), null]) {
    const { status, headers, body: text } = await connector.raw(null, { body });
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe(
      'Bearer resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp", scope="reports:read unit-tests:read servers:read auto-bench:read monitoring:read offers:read"',
    );
    expect(parsed(text)).toMatchObject({ error: "unauthorized", message: expect.any(String) as string });
  }
});

it("[OUR-MCP-19] answers a bad, revoked or expired token with REST's body, whatever was asked and counting nothing", async () => {
  const account = await at.account();
  const [revoked, expired] = [await at.token(account), await at.token(account, ["servers:read"], -1)];
  await at.app.db.write(updateTokenRevoked, revoked.id, at.clock.now);
  const asked: [string, string][] = [
    ["nonsense", "invalid_token"],
    [at.app.secrets.newSecret("api"), "invalid_token"],
    [at.app.secrets.newSecret("server"), "invalid_token"],
    [revoked.secret, "token_revoked"],
    [expired.secret, "token_expired"],
  ];
  for (const [token, code] of asked) {
    for (const message of [
      ping,
      calling("list_servers"),
      calling("no_such_tool"),
      { ...calling("x"), method: "resources/list" },
    ]) {
      const { status, headers, body } = await connector.raw(token, { body: bytes(message), headers: {} });
      expect({ code, status, error: parsed(body)["error"] }).toEqual({ code, status: 401, error: code });
      expect(headers["www-authenticate"]).toMatch(
        /^Bearer error="invalid_token", resource_metadata="[^"]+", scope="reports:read /,
      );
    }
    at.clock.advance(61_000);
  }
});

it("[OUR-MCP-19] stops an address that goes on guessing tokens with 429", async () => {
  const guessing = testApp();
  const asked = testConnector(guessing);
  const statuses: number[] = [];
  for (let guess = 0; guess < 32; guess += 1) {
    const message = guess % 2 === 0 ? ping : calling("list_servers");
    const { status, headers } = await asked.raw("tkm_guess", { body: bytes(message) });
    statuses.push(status);
    if (status === 429) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  }
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429, 429]);
  await guessing.close();
});

it("[OUR-MCP-19] tells a token beyond the plan's limit so, in a list as in a call", async () => {
  const crowded = testApp();
  const asked = testConnector(crowded);
  const account = await crowded.account("free");
  const { secret: older } = await crowded.token(account);
  crowded.clock.advance(1000);
  await crowded.token(account);
  expect((await asked.tool(older, "list_servers")).text["error"]).toBe("token_quota_exceeded");
  const list = await asked.rpc(older, "tools/list");
  expect(list).toMatchObject({ status: 403, json: { error: "token_quota_exceeded" } });
  await crowded.close();
});

const base = "http://127.0.0.1:8080";
const own = "127.0.0.1:8080";

it("[OUR-MCP-18] tells its own Host and Origin from others in 20 variants", () => {
  const variants = hostVariants(own, "8081");
  const check = originCheck(base);
  const wrong = variants
    .filter(([, rawHeaders, verdict]) => check(rawHeaders) !== verdict)
    .map(([name]) => name);
  console.log(`${variants.length} Host and Origin variants, wrong answers ${wrong.length}`);
  expect(wrong).toEqual([]);
});

it("[OUR-MCP-18] admits a public name with and without its scheme's port, and no loopback name", () => {
  const check = originCheck("https://tickmark.example");
  expect(check(["host", "tickmark.example"])).toBeNull();
  expect(check(["host", "tickmark.example:443", "origin", "https://tickmark.example"])).toBeNull();
  for (const host of ["localhost", "127.0.0.1:443", "tickmark.example:80", "a.tickmark.example"])
    expect(check(["host", host])).toBe("foreign");
});

it("[OUR-MCP-18] turns a foreign request away before anything else, tokens included", async () => {
  for (const token of [secret, null]) {
    const foreign = await connector.raw(token, {
      headers: { host: "evil.example" },
      body: bytes(calling("list_servers")),
    });
    expect(foreign.status).toBe(403);
    const { handle } = connector;
    const twice = {
      method: "GET",
      url: "/mcp",
      headers: { host: own },
      rawHeaders: ["Host", own, "Host", own],
      body: null,
      address: "x",
      requestId: "r",
    };
    expect((await handle(twice)).status).toBe(400);
  }
});

it("[OUR-MCP-20] refuses a request of revision 2026-07-28 whose headers do not say what it says", async () => {
  const message = { ...calling("list_servers"), params: { name: "list_servers", _meta: envelope } };
  const good = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "list_servers",
  };
  const cases: [Record<string, string>, number, number | undefined][] = [
    [good, 200, undefined],
    [{ ...good, "mcp-name": "=?base64?bGlzdF9zZXJ2ZXJz?=" }, 200, undefined],
    [{ "mcp-method": "tools/call", "mcp-name": "list_servers" }, 400, -32020],
    [{ "mcp-protocol-version": "2026-07-28", "mcp-name": "list_servers" }, 400, -32020],
    [{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" }, 400, -32020],
    [{ ...good, "mcp-method": "tools/list" }, 400, -32020],
    [{ ...good, "mcp-name": "update_server" }, 400, -32020],
    [{ ...good, "mcp-name": "=?base64?###?=" }, 400, -32020],
    [{ ...good, "mcp-protocol-version": "2025-11-25" }, 400, -32020],
  ];
  for (const [headers, status, code] of cases) {
    const answer = await connector.raw(secret, { headers, body: bytes(message) });
    const { error } = parsed(answer.body) as { error?: { code: number } };
    expect({ headers, status: answer.status, code: error?.code }).toEqual({ headers, status, code });
  }
});

it("[OUR-MCP-20] tells a client of a newer revision which ones there are, and an unknown method that it is none", async () => {
  const newer = { ...envelope, "io.modelcontextprotocol/protocolVersion": "2027-01-01" };
  const headers = { "mcp-protocol-version": "2027-01-01", "mcp-method": "tools/list" };
  const body = bytes({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: newer } });
  const answer = await connector.raw(secret, { headers, body });
  expect({ status: answer.status, ...parsed(answer.body) }).toMatchObject({
    status: 400,
    id: 1,
    error: { code: -32022, data: { supported: ["2026-07-28"] } },
  });
  for (const method of ["roots/list", "no/such", "initialize"]) {
    const unknown = await connector.rpc(secret, method, {}, { modern: true });
    expect({ method, status: unknown.status, error: unknown.error }).toEqual({
      method,
      status: 404,
      error: { code: -32601, message: "Method not found" },
    });
  }
  expect(await connector.rpc(secret, "roots/list")).toMatchObject({ status: 200, error: { code: -32601 } });
});

it("[OUR-MCP-16] tells a client whose handshake cannot be read no more than that", async () => {
  const { error } = await connector.rpc(secret, "initialize", { protocolVersion: 7 });
  expect(error).toEqual({ code: -32602, message: "Invalid params" });
});
