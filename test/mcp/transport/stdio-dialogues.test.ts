import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { envelope } from "../../support/connector.ts";
import {
  roomyPlans,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { talkTo, type TalkOptions } from "../client.ts";

let service: TestService;
let server: LinkedServer;
let token: string;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  server = await service.server(await service.account(), { name: "Lobby", port: 25_565 });
  token = await service.token(server.owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const clientInfo = { name: "a test's client", version: "1.0.0" };
const hello = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo };
const talk = (options: TalkOptions = {}) => talkTo(service.service.baseUrl, token, options);
const begin = (minutes: number): Json => ({
  name: "start_maintenance",
  arguments: { server_id: server.id, duration_minutes: minutes },
});
const isInMaintenance = async (): Promise<unknown> =>
  (await service.request("GET", `/api/v1/servers/${server.id}/maintenance`, { token })).json["in_progress"];
const endMaintenance = () =>
  service.request("POST", `/api/v1/servers/${server.id}/maintenance/end`, { token, body: {} });

it("[OUR-MCP-62] the command asks the person of a real client, and does what they agreed to", async () => {
  const client = new Client(clientInfo, { capabilities: { elicitation: {} } });
  const questions: string[] = [];
  const answers = ["decline", "accept"] as const;
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    questions.push(params.message);
    return { action: answers[questions.length - 1] ?? "cancel", content: {} };
  });
  const env = {
    TICKMARK_URL: service.service.baseUrl,
    TICKMARK_TOKEN: token,
    PATH: process.env["PATH"] ?? "",
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["dist/main.js", "mcp"],
    env,
    stderr: "ignore",
  });
  await client.connect(transport as never);
  expect(client.getServerCapabilities()).toMatchObject({ logging: {}, resources: {} });
  expect(client.getServerCapabilities()?.resources?.subscribe).toBeUndefined();
  const call = begin(60) as { name: string; arguments: Json };
  expect(await client.callTool(call)).toMatchObject({ isError: true });
  expect(await isInMaintenance()).toBe(false);
  expect(await client.callTool(call)).toMatchObject({ structuredContent: { in_progress: true } });
  const question = `Notify nobody of alerts of server "Lobby" (${server.id}) for the next 60 minutes?`;
  expect(questions).toEqual([question, question]);
  await client.close();
  await endMaintenance();
});

it("[OUR-MCP-63] asks in rounds a client of revision 2026-07-28", async () => {
  const { ask, end } = talk();
  const capabilities = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
  const _meta = { ...envelope, ...capabilities };
  const { result } = await ask("tools/call", { ...begin(60), _meta });
  expect(result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
  const said = { inputResponses: { consent: { action: "accept" } }, requestState: result["requestState"] };
  const changed = { ...said, requestState: `${String(result["requestState"])}A` };
  expect((await ask("tools/call", { ...begin(60), ...changed, _meta })).error).toMatchObject({
    code: -32602,
  });
  expect((await ask("tools/call", { ...begin(61), ...said, _meta })).error).toMatchObject({ code: -32602 });
  expect(await isInMaintenance()).toBe(false);
  const done = await ask("tools/call", { ...begin(60), ...said, _meta });
  expect(done.result).toMatchObject({ structuredContent: { in_progress: true } });
  await end();
  await endMaintenance();
});

it("[OUR-MCP-62] a call that the client gives up is not made, nor one whose client is gone", async () => {
  const given = talk({ says: null });
  await given.ask("initialize", hello);
  const call = given.ask("tools/call", begin(60));
  await expect.poll(() => given.lines.some((line) => line.includes("elicitation/create"))).toBe(true);
  // The second message of this client; its ids count up from 1.
  given.tell("notifications/cancelled", { requestId: 2 });
  expect(JSON.stringify((await call).result)).toContain("unanswered");
  await given.end();
  const gone = talk({ says: null });
  await gone.ask("initialize", hello);
  const late = gone.ask("tools/call", begin(60));
  await expect.poll(() => gone.lines.some((line) => line.includes("elicitation/create"))).toBe(true);
  await gone.end();
  expect(JSON.stringify((await late).result)).toContain("unanswered");
  expect(await isInMaintenance()).toBe(false);
});

it("[OUR-MCP-64] logs to a client that set a level, with nothing of a session to keep", async () => {
  const { ask, lines, end } = talk();
  await ask("initialize", hello);
  const logged = () => lines.filter((line) => line.includes("notifications/message")).length;
  const list = { name: "list_servers", arguments: {} };
  await ask("tools/call", list);
  expect(logged()).toBe(0);
  expect((await ask("logging/setLevel", { level: "info" })).result).toEqual({});
  await ask("tools/call", list);
  expect(logged()).toBe(1);
  expect((await ask("logging/setLevel", { level: "loud" })).error).toMatchObject({ code: -32602 });
  expect((await ask("resources/subscribe", { uri: "tickmark://token" })).error).toMatchObject({
    code: -32601,
  });
  await end();
});
