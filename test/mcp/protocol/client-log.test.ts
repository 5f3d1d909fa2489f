import { intercept } from "../../support/intercept.ts";
import { selectLogLevel } from "../../../src/store/access/dialogues.ts";
import { updateTokenRevoked } from "../../../src/store/access/tokens.ts";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { envelope } from "../../support/connector.ts";
import type { Json, LinkedServer, TestService } from "../../support/service.ts";
import { begin, clientInfo, open, send, startPair, type Pair } from "../transport/streams.ts";

let pair: Pair;
let first: TestService;
let second: TestService;
let server: LinkedServer;
let token: string;
beforeAll(async () => {
  pair = await startPair();
  ({ first, second, server, token } = pair);
});
afterAll(async () => {
  await pair.close();
});

it("[OUR-MCP-64] tells a session that wants it what every call was, in each process, and no other session", async () => {
  const logs = new Map<string, Json[]>();
  const clients: OlderClient[] = [];
  for (const [name, level, service] of [
    ["all", "debug", first],
    ["refusals", "warning", second],
    ["nothing", null, first],
  ] as const) {
    const client = new OlderClient(clientInfo);
    const heard: Json[] = [];
    logs.set(name, heard);
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
    const url = new URL(`http://127.0.0.1:${service.port}/mcp`);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new OlderTransport(url, { requestInit }) as never);
    expect(client.getServerCapabilities()).toMatchObject({ logging: {}, resources: { subscribe: true } });
    if (level) await client.setLoggingLevel(level);
    await client.callTool({ name: "list_servers", arguments: {} });
    await client.callTool({ name: "get_report", arguments: { report_id: "missing" } });
    clients.push(client);
  }
  for (const client of clients) await client.close();
  const call = "GET /reports/{id}";
  const refusal = {
    level: "warning",
    logger: "tickmark",
    data: { call, status: 404, error: "not_found", counted: true, request_id: expect.any(String) },
  };
  expect(logs.get("all")).toMatchObject([
    { level: "info", data: { call: "GET /servers", status: 200, milliseconds: expect.any(Number) } },
    { level: "debug", data: { tool: "list_servers", arguments: 0 } },
    { level: "debug", data: { tool: "list_servers", characters: expect.any(Number) } },
    refusal,
    { level: "debug", data: { tool: "get_report", arguments: 1 } },
  ]);
  expect(logs.get("refusals")).toMatchObject([refusal]);
  expect(logs.get("nothing")).toEqual([]);
});

it("[OUR-MCP-64] tells a request of revision 2026-07-28 that wants it, and no other", async () => {
  const headers = {
    authorization: `Bearer ${token}`,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "list_servers",
  };
  const heard = async (level: unknown): Promise<unknown[]> => {
    const _meta = { ...envelope, "io.modelcontextprotocol/logLevel": level };
    const params = { name: "list_servers", arguments: {}, _meta };
    const stream = await open(first, headers, { id: 1, method: "tools/call", params });
    await stream.ended;
    return stream.messages.flatMap(({ method, params: told }) => (method ? [(told as Json)["level"]] : []));
  };
  expect(await heard("debug")).toEqual(["info", "debug", "debug"]);
  expect(await heard("info")).toEqual(["info"]);
  expect(await heard("error")).toEqual([]);
  expect(await heard("loud")).toEqual([]);
});

it("[OUR-MCP-64] a call that the transport refuses is refused there, and told of nowhere else", async () => {
  const reader = await first.token(server.owner, ["servers:read"]);
  const session = await begin(first, reader);
  await send(first, session, { id: 1, method: "logging/setLevel", params: { level: "debug" } });
  const told = await first.request("GET", "/api/v1/token", { token: reader });
  await first.app.db.write(updateTokenRevoked, String((told.json["token"] as Json)["id"]), Date.now());
  const answer = await send(first, session, {
    id: 7,
    method: "tools/call",
    params: { name: "list_servers", arguments: {} },
  });
  expect({ status: answer.status, error: answer.json["error"] }).toEqual({
    status: 401,
    error: "token_revoked",
  });
});

it("[OUR-MCP-64] what one token set is no other's, whoever knows the session", async () => {
  const session = await begin(first, token);
  await send(first, session, { id: 1, method: "logging/setLevel", params: { level: "debug" } });
  const list = { id: 2, method: "tools/call", params: { name: "list_servers", arguments: {} } };
  const own = await open(first, session, list);
  await own.ended;
  expect(own.messages).toHaveLength(4);
  const stranger = await first.token(await first.account());
  const foreign = await open(first, { ...session, authorization: `Bearer ${stranger}` }, list);
  await foreign.ended;
  expect(foreign.messages).toEqual([]);
});

it("[OUR-MCP-64] a log that cannot be told keeps nobody from the answer", async () => {
  const session = await begin(first, token);
  const end = intercept(first.app.db, selectLogLevel, () => Promise.reject(new Error("the disk is gone")));
  const list = { id: 2, method: "tools/call", params: { name: "list_servers", arguments: {} } };
  expect((await send(first, session, list)).json["result"]).toMatchObject({ structuredContent: {} });
  end();
});
