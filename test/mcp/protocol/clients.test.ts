import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listening, testConnector, wholeInstructions } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { tools } from "../../../tools/registry.ts";

let at: TestApp;
let secret: string;
let serverId: string;
let reportId: string;
let url: URL;
let close: () => Promise<void>;
let methods: () => (string | undefined)[];

beforeAll(async () => {
  at = testApp({ plans: roomy });
  const owner = await at.account("enterprise");
  secret = (await at.token(owner)).secret;
  const server = await at.server(owner, { name: "Lobby \u202e<b>\u2028" });
  serverId = server.id;
  reportId = (await at.report(server, {}, "public")).shortId;
  const address = { baseUrl: "" };
  const app = { ...at.app };
  Object.defineProperty(app, "baseUrl", { get: () => address.baseUrl });
  const served = await listening(
    testConnector({ ...at, app }),
    (baseUrl) => void (address.baseUrl = baseUrl),
  );
  ({ url, close } = served);
  methods = () => served.requests.map(({ headers }) => headers["mcp-protocol-version"]?.toString());
});
afterAll(async () => {
  await close();
  expect(at.defects).toEqual([]);
  await at.close();
});

const authorized = () => ({ requestInit: { headers: { authorization: `Bearer ${secret}` } } });
const info = { name: "a test's client", version: "1.0.0" };

/** What both clients offer, as far as these tests use it. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  getInstructions(): string | undefined;
  getServerVersion(): { name: string; version: string } | undefined;
  close(): Promise<void>;
}

async function everyday(client: AnyClient): Promise<void> {
  expect(client.getServerVersion()).toMatchObject({ name: "tickmark", version: "1.2.3" });
  expect(client.getInstructions()).toBe(wholeInstructions);
  const { tools: listed } = await client.listTools();
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ definition }) => definition.name));
  const status = await client.callTool({ name: "get_server_status", arguments: { server_id: serverId } });
  expect(status).toMatchObject({ structuredContent: { server_id: serverId, state: "never_seen" } });
  const servers = await client.callTool({ name: "list_servers", arguments: {} });
  expect(servers["structuredContent"]).toEqual(
    JSON.parse((servers["content"] as [{ text: string }])[0].text),
  );
  const report = await client.callTool({ name: "get_report", arguments: { report_id: reportId } });
  expect(report).toMatchObject({ structuredContent: { short_id: reportId } });
  const made = await client.callTool({
    name: "create_server_group",
    arguments: { name: "Survival", color: "green" },
  });
  expect(made).toMatchObject({ structuredContent: { name: "Survival", color: "green" } });
  const series = { server_id: serverId, fields: ["tps"] };
  const drawn = await client.callTool({ name: "get_server_metrics", arguments: { ...series, chart: true } });
  expect(drawn["content"]).toMatchObject([{ type: "text" }, { type: "image", mimeType: "image/png" }]);
  expect(drawn).not.toHaveProperty("structuredContent");
  const figures = await client.callTool({ name: "get_server_metrics", arguments: series });
  expect(figures).toMatchObject({ structuredContent: { fields: ["tps"] } });
  const refused = await client.callTool({ name: "get_report", arguments: { report_id: "missing" } });
  expect(refused).toMatchObject({ isError: true });
  expect(refused["structuredContent"]).toBeUndefined();
  await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toMatchObject({
    code: -32602,
  });
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    "tickmark://monitoring/overview",
    "tickmark://server-groups",
    "tickmark://token",
    "tickmark://guides/errors",
  ]);
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(10);
  expect((await client.readResource({ uri: `tickmark://servers/${serverId}/status` })).contents).toHaveLength(
    1,
  );
  await client.close();
}

it("[OUR-MCP-20] [OUR-MCP-74] serves the SDK's older client from the handshake to the last call", async () => {
  const client = new OlderClient(info);
  await client.connect(new OlderTransport(url, authorized()) as never);
  await everyday(client as unknown as AnyClient);
  expect(methods()).toContain("2025-11-25");
});

it("[OUR-MCP-20] [OUR-MCP-74] serves the SDK's current client, which speaks 2026-07-28 after one probe", async () => {
  const client = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
  await client.connect(new ModernTransport(url, authorized()));
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  await everyday(client as unknown as AnyClient);
  expect(methods()).toContain("2026-07-28");
});

it("[OUR-MCP-20] serves the SDK's current client in the older revision too", async () => {
  const client = new ModernClient(info, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new ModernTransport(url, authorized()));
  expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
  await everyday(client as unknown as AnyClient);
});

it("[OUR-MCP-17] gives a client that follows progress its result", async () => {
  const client = new OlderClient(info);
  await client.connect(new OlderTransport(url, authorized()) as never);
  const result = await client.callTool({ name: "list_servers", arguments: {} }, undefined, {
    onprogress: () => {},
  });
  expect(result).toHaveProperty("structuredContent");
  await client.close();
});

it("[OUR-MCP-19] lets no client in without a token", async () => {
  const older = new OlderClient(info);
  await expect(older.connect(new OlderTransport(url) as never)).rejects.toThrow();
  const modern = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
  await expect(modern.connect(new ModernTransport(url))).rejects.toThrow();
});
