import { mkdtempSync, rmSync } from "node:fs";
import { request as ask, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { envelope } from "../support/connector.ts";
import {
  roomyPlans,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";

/** Two processes of one installation, as far as a test can have them: nothing but the database is shared. */
let folder: string;
let first: TestService;
let second: TestService;
let server: LinkedServer;
let token: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tickmark-sessions-"));
  const options = {
    plans: roomyPlans,
    databaseUrl: `sqlite:${join(folder, "data.db")}`,
    watchEveryMs: 50,
  };
  first = await startTestService(options);
  second = await startTestService(options);
  const owner = await first.account();
  server = await first.server(owner, { name: "Lobby", port: 25_565 });
  token = await first.token(owner);
});
afterAll(async () => {
  expect([...first.defects, ...second.defects]).toEqual([]);
  await first.close();
  await second.close();
  rmSync(folder, { recursive: true });
});

const until = async (isSo: () => boolean | Promise<boolean>, withinMs = 5000): Promise<void> => {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > withinMs) throw new Error("It did not come to pass.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const clientInfo = { name: "a test's client", version: "1.0.0" };
const accept = "application/json, text/event-stream";

/** A session whose client says that it can do this; what it is asked for later is up to the test. */
async function begin(capabilities: Json = {}, bearer = token): Promise<string> {
  const answer = await first.request("POST", "/mcp", {
    token: bearer,
    headers: { accept },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities, clientInfo },
    },
  });
  return String(answer.headers["mcp-session-id"]);
}

const send = (service: TestService, session: string, message: Json, bearer = token) =>
  service.request("POST", "/mcp", {
    token: bearer,
    headers: { accept, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" },
    body: { jsonrpc: "2.0", ...message },
  });

/** Every message of a stream as it comes in. */
interface Stream {
  readonly status: number;
  readonly messages: Json[];
  readonly ended: Promise<void>;
  close(): void;
}

function open(
  service: TestService,
  headers: Record<string, string>,
  body: Json | null = null,
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const asked = ask(
      {
        host: "127.0.0.1",
        port: service.port,
        path: "/mcp",
        method: body ? "POST" : "GET",
        headers: { authorization: `Bearer ${token}`, accept, "content-type": "application/json", ...headers },
      },
      (answer: IncomingMessage) => {
        const messages: Json[] = [];
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
          const whole = text.split("\n\n");
          text = whole.pop() ?? "";
          for (const event of whole) {
            const [, data] = /^data: (.*)$/m.exec(event) ?? [];
            if (data !== undefined) messages.push(JSON.parse(data) as Json);
          }
        });
        const ended = new Promise<void>((done) => answer.once("close", done));
        resolve({ status: answer.statusCode ?? 0, messages, ended, close: () => asked.destroy() });
      },
    );
    asked.once("error", reject);
    asked.end(body ? JSON.stringify({ jsonrpc: "2.0", ...body }) : undefined);
  });
}

const startMaintenance = (minutes: number) =>
  first.request("POST", `/api/v1/servers/${server.id}/maintenance`, {
    token,
    body: { duration_minutes: minutes },
  });
const endMaintenance = () =>
  first.request("POST", `/api/v1/servers/${server.id}/maintenance/end`, { token, body: {} });
const isInMaintenance = async (): Promise<unknown> =>
  (await first.request("GET", `/api/v1/servers/${server.id}/maintenance`, { token })).json["in_progress"];

const calling = (minutes: number): Json => ({
  id: 7,
  method: "tools/call",
  params: { name: "start_maintenance", arguments: { server_id: server.id, duration_minutes: minutes } },
});

it("[OUR-MCP-61] what a person answered reaches a call that waits in another process", async () => {
  const session = await begin({ elicitation: {} });
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  const stream = await open(first, headers, calling(30));
  await until(() => stream.messages.length === 1);
  const [question] = stream.messages;
  expect(question).toMatchObject({ method: "elicitation/create" });
  const answered = await send(second, session, { id: question?.["id"], result: { action: "accept" } });
  expect(answered.status).toBe(202);
  await stream.ended;
  expect(stream.messages[1]).toMatchObject({
    id: 7,
    result: { structuredContent: { in_progress: true, remaining_seconds: 1800 } },
  });
  await endMaintenance();
});

it("[OUR-MCP-61] nobody else's answer counts, nor one to another question, nor what is none", async () => {
  const stranger = await first.token(await first.account());
  const session = await begin({ elicitation: {} });
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  const stream = await open(first, headers, calling(30));
  await until(() => stream.messages.length === 1);
  const id = stream.messages[0]?.["id"];
  const result = { action: "accept" };
  expect((await send(first, session, { id, result }, stranger)).status).toBe(202);
  for (const other of ["x", "A".repeat(32), "\u0000"])
    expect((await send(first, session, { id: other, result })).status).toBe(202);
  await send(first, session, { id, result: { action: "agree", content: "x".repeat(20_000) } });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(stream.messages).toHaveLength(1);
  await send(first, session, { id, error: { code: -32601, message: "no" } });
  await stream.ended;
  expect(stream.messages[1]).toMatchObject({ result: { isError: true } });
  expect(await isInMaintenance()).toBe(false);
});

it("[OUR-MCP-61] a client that goes away while a person is asked has not agreed", async () => {
  const session = await begin({ elicitation: {} });
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  const stream = await open(first, headers, calling(30));
  await until(() => stream.messages.length === 1);
  const id = stream.messages[0]?.["id"];
  stream.close();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect((await send(first, session, { id, result: { action: "accept" } })).status).toBe(202);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await isInMaintenance()).toBe(false);
});

it("[OUR-MCP-61] an id that was never given is none: calls are answered as ever, and nothing is set up", async () => {
  const session = await begin({ elicitation: {} });
  const changed = session.slice(0, -1) + (session.endsWith("A") ? "B" : "A");
  for (const id of [changed, "x", "x".repeat(5000)]) {
    const answer = await send(first, id, calling(5));
    expect(answer.json["result"], id).toMatchObject({ structuredContent: { in_progress: true } });
    const level = await send(first, id, { id: 1, method: "logging/setLevel", params: { level: "info" } });
    expect(level.json["error"]).toMatchObject({ code: -32602 });
    expect((await first.request("GET", "/mcp", { token, headers: { "mcp-session-id": id } })).status).toBe(
      405,
    );
  }
  await endMaintenance();
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
  const session = await begin({}, reader);
  await send(first, session, { id: 1, method: "logging/setLevel", params: { level: "debug" } }, reader);
  const told = await first.request("GET", "/api/v1/token", { token: reader });
  await first.door.stores.tokens.revoke(String((told.json["token"] as Json)["id"]), Date.now());
  const answer = await send(first, session, calling(5), reader);
  expect({ status: answer.status, error: answer.json["error"] }).toEqual({
    status: 401,
    error: "token_revoked",
  });
});

it("[OUR-MCP-65] tells an older client of a state it watches when it changes, once, and no longer after it stops", async () => {
  const client = new OlderClient(clientInfo);
  const told: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void told.push(params.uri),
  );
  const url = new URL(`http://127.0.0.1:${second.port}/mcp`);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new OlderTransport(url, { requestInit }) as never);
  const uri = `tickmark://servers/${server.id}/maintenance`;
  await client.subscribeResource({ uri });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(told).toEqual([]);
  await startMaintenance(30);
  await until(() => told.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(told).toEqual([uri]);
  await client.unsubscribeResource({ uri });
  await endMaintenance();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(told).toEqual([uri]);
  await client.close();
});

it("[OUR-MCP-65] tells a client of revision 2026-07-28 likewise, on the stream it asked for", async () => {
  const client = new ModernClient(clientInfo, { versionNegotiation: { mode: "auto" } });
  const told: string[] = [];
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void told.push(params.uri),
  );
  const url = new URL(`http://127.0.0.1:${first.port}/mcp`);
  await client.connect(
    new ModernTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  const uri = "tickmark://monitoring/overview";
  const unknown = "tickmark://servers/019a9f5e-1d00-7000-8000-000000000010/status";
  const subscription = await client.listen({
    resourceSubscriptions: [uri, unknown, "tickmark://guides/errors"],
  });
  expect(subscription).toMatchObject({ honoredFilter: { resourceSubscriptions: [uri] } });
  await startMaintenance(30);
  await until(() => told.length === 1);
  expect(told).toEqual([uri]);
  await subscription.close();
  await endMaintenance();
  await client.close();
});

it("[OUR-MCP-65] looking is not counted and tells no activity", async () => {
  const owner = await first.account();
  const own = await first.server(owner, { name: "Lobby", port: 25_565 });
  const bearer = await first.token(owner);
  const session = await begin({}, bearer);
  const uri = `tickmark://servers/${own.id}/status`;
  const subscribed = await send(
    first,
    session,
    { id: 1, method: "resources/subscribe", params: { uri } },
    bearer,
  );
  expect(subscribed.json["result"]).toEqual({});
  const stream = await open(first, { "mcp-session-id": session, authorization: `Bearer ${bearer}` });
  await new Promise((resolve) => setTimeout(resolve, 500));
  stream.close();
  const { json } = await first.request("GET", "/api/v1/token", { token: bearer });
  // The link of the server, by another token; and this very question.
  expect(json["limits"]).toMatchObject({ daily: { used: 1 }, hourly: { used: 1 } });
});

it("[OUR-MCP-65] refuses to watch what is no state, what is not the caller's, and more than twenty at once", async () => {
  const session = await begin();
  const watch = async (uri: unknown, bearer = token): Promise<unknown> => {
    const answer = await send(
      first,
      session,
      { id: 1, method: "resources/subscribe", params: { uri } },
      bearer,
    );
    return (answer.json["error"] as Json | undefined)?.["code"] ?? answer.json["result"];
  };
  const stranger = await first.token(await first.account());
  const reader = await first.token(server.owner, ["reports:read"]);
  const uri = `tickmark://servers/${server.id}/status`;
  expect(await watch("tickmark://guides/errors")).toBe(-32602);
  expect(await watch("tickmark://token")).toBe(-32602);
  expect(await watch(7)).toBe(-32602);
  expect(await watch("tickmark://servers/\u0000/status")).not.toEqual({});
  expect(await watch(uri, stranger)).toBe(-32002);
  expect(await watch(uri, reader)).toBe(-32603);
  expect(await watch(uri)).toEqual({});
  const owner = server.owner;
  for (let more = 0; more < 19; more += 1) {
    const { id } = await first.server(owner, { name: `Lobby ${more}`, port: 25_565 });
    expect(await watch(`tickmark://servers/${id}/status`)).toEqual({});
  }
  expect(await watch("tickmark://monitoring/overview")).toBe(-32602);
  expect(await watch(uri)).toEqual({});
});

it("[OUR-MCP-65] a stream ends with its credential, a token keeps ten, and all end when the service stops", async () => {
  const options = { plans: roomyPlans, watchEveryMs: 50 };
  const alone = await startTestService(options);
  const owner = await alone.account();
  const bearer = await alone.token(owner);
  const initialized = await alone.request("POST", "/mcp", {
    token: bearer,
    headers: { accept },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    },
  });
  const headers = {
    "mcp-session-id": String(initialized.headers["mcp-session-id"]),
    authorization: `Bearer ${bearer}`,
  };
  const streams: Stream[] = [];
  for (let more = 0; more < 11; more += 1) streams.push(await open(alone, headers));
  expect(streams.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  streams[0]?.close();
  await until(async () => {
    const again = await open(alone, headers);
    streams.push(again);
    return again.status === 200;
  });
  const other = await alone.token(owner);
  const revoked = await open(alone, { ...headers, authorization: `Bearer ${other}` });
  expect(revoked.status).toBe(200);
  const { json } = await alone.request("GET", "/api/v1/token", { token: other });
  await alone.door.stores.tokens.revoke(String((json["token"] as Json)["id"]), Date.now());
  await revoked.ended;
  const begun = performance.now();
  await Promise.all([alone.close(), ...streams.map(({ ended }) => ended)]);
  console.log(
    `11 open streams ended ${Math.round(performance.now() - begun)} ms after the service was stopped`,
  );
  expect(alone.defects).toEqual([]);
});
