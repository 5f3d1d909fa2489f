import { intercept } from "../../support/intercept.ts";
import { deleteQuestion, selectAnswer } from "../../../src/store/access/dialogues.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Unavailable } from "../../../src/core/errors.ts";
import type { Json, LinkedServer, TestService } from "../../support/service.ts";
import { runs, begin, open, send, startPair, until, type Pair, type Stream } from "./streams.ts";

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
  const session = await begin(first, token, { elicitation: {} });
  const stream = await open(first, session, calling(30));
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
  const session = await begin(first, token, { elicitation: {} });
  const stream = await open(first, session, calling(30));
  await until(() => stream.messages.length === 1);
  const id = stream.messages[0]?.["id"];
  const result = { action: "accept" };
  expect(
    (await send(first, { ...session, authorization: `Bearer ${stranger}` }, { id, result })).status,
  ).toBe(202);
  for (const other of ["x", "A".repeat(32), "\u0000"])
    expect((await send(first, session, { id: other, result })).status).toBe(202);
  await send(first, session, { id, result: { action: "agree", content: "x".repeat(20_000) } });
  await runs(first.app.db, selectAnswer);
  expect(stream.messages).toHaveLength(1);
  await send(first, session, { id, error: { code: -32601, message: "no" } });
  await stream.ended;
  expect(stream.messages[1]).toMatchObject({ result: { isError: true } });
  expect(await isInMaintenance()).toBe(false);
});

it("[OUR-MCP-61] a client that goes away while a person is asked has not agreed", async () => {
  const session = await begin(first, token, { elicitation: {} });
  const stream = await open(first, session, calling(30));
  await until(() => stream.messages.length === 1);
  const id = stream.messages[0]?.["id"];
  const withdrawn = runs(first.app.db, deleteQuestion, 1);
  stream.close();
  await withdrawn;
  expect((await send(first, session, { id, result: { action: "accept" } })).status).toBe(202);
  expect(await isInMaintenance()).toBe(false);
});

it("[OUR-MCP-61] an id that was never given is not found, so that the client begins anew", async () => {
  const session = await begin(first, token, { elicitation: {} });
  const given = session["mcp-session-id"] ?? "";
  const changed = given.slice(0, -1) + (given.endsWith("A") ? "B" : "A");
  for (const id of [changed, "x", "x".repeat(5000)]) {
    const headers = { ...session, "mcp-session-id": id };
    for (const message of [calling(5), { id: 1, method: "logging/setLevel", params: { level: "info" } }])
      expect((await send(first, headers, message)).status, id).toBe(404);
    expect((await open(first, headers)).status).toBe(404);
    const nobody = { ...headers, authorization: "Bearer tkm_nonsense" };
    expect((await send(first, nobody, calling(5))).status).toBe(401);
    expect((await open(first, nobody)).status).toBe(401);
  }
  expect(await isInMaintenance()).toBe(false);
});

it("[OUR-MCP-61] without a session everything is answered as ever, and nothing is set up", async () => {
  const { authorization = "" } = await begin(first, token);
  const headers = { authorization, "mcp-protocol-version": "2025-11-25" };
  expect((await send(first, headers, calling(5))).json["result"]).toMatchObject({
    structuredContent: { in_progress: true },
  });
  const level = await send(first, headers, { id: 1, method: "logging/setLevel", params: { level: "info" } });
  expect(level.json["error"]).toMatchObject({ code: -32602 });
  await endMaintenance();
});

it("[OUR-MCP-61] a client that follows its own beginning has a session too", async () => {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  const message = { id: 1, method: "initialize", params: { ...params, _meta: { progressToken: 1 } } };
  const answer = await send(first, { authorization: `Bearer ${token}` }, message);
  expect(answer.headers["mcp-session-id"]).toMatch(/^[\w-]{40,400}$/);
});

it("[OUR-MCP-62] a call that its client gives up is not made, whatever is answered later", async () => {
  const session = await begin(first, token, { elicitation: {} });
  const stream = await open(first, session, calling(30));
  await until(() => stream.messages.length === 1);
  const id = stream.messages[0]?.["id"];
  const other = { method: "notifications/cancelled", params: { requestId: "7" } };
  await send(second, session, other);
  await runs(first.app.db, selectAnswer);
  expect(stream.messages).toHaveLength(1);
  await send(second, session, { method: "notifications/cancelled", params: { requestId: 7 } });
  await stream.ended;
  await send(first, session, { id, result: { action: "accept" } });
  expect(JSON.stringify(stream.messages[1])).toContain('\\"error\\":\\"unanswered\\"');
  expect(await isInMaintenance()).toBe(false);
});

it("[OUR-MCP-62] nor is one made that its client gives up just after the yes, or during a moment without database", async () => {
  const session = await begin(first, token, { elicitation: {} });
  const stream = await open(first, session, calling(30));
  await until(() => stream.messages.length === 1);
  let looks = 0;
  const end = intercept(first.app.db, selectAnswer, async () => {
    looks += 1;
    throw new Unavailable(new Error("away"));
  });
  await until(() => looks > 0);
  const id = stream.messages[0]?.["id"];
  await send(second, session, { id, result: { action: "accept" } });
  await send(second, session, { method: "notifications/cancelled", params: { requestId: 7 } });
  end();
  await stream.ended;
  expect(JSON.stringify(stream.messages[1])).toContain("unanswered");
  expect(await isInMaintenance()).toBe(false);
});

it("[OUR-MCP-62] posting several messages at once is no way around the question", async () => {
  const asking = await begin(first, token, { elicitation: {} });
  const batch = [{ jsonrpc: "2.0", ...calling(5) }];
  const post = (headers: Record<string, string>) =>
    first.request("POST", "/mcp", { headers: { ...headers, accept: "application/json" }, body: batch });
  expect((await post(asking)).status).toBe(400);
  const nobody = { authorization: "Bearer tkm_nonsense" };
  const reply = { jsonrpc: "2.0", id: "A".repeat(32), result: {} };
  for (const headers of [nobody, { ...asking, ...nobody }])
    expect((await first.request("POST", "/mcp", { headers, body: [...batch, reply] })).status).toBe(401);
  const deaf = { ...asking, accept: "application/json" };
  expect((await first.request("POST", "/mcp", { headers: deaf, body: batch[0] })).status).toBe(406);
  expect(await isInMaintenance()).toBe(false);
  expect((await post(await begin(first, token))).status).toBe(200);
  await endMaintenance();
});

it("[OUR-MCP-62] one token has five questions open, and a sixth call is not made", async () => {
  const session = await begin(first, token, { elicitation: {} });
  const streams: Stream[] = [];
  for (let more = 0; more < 5; more += 1)
    streams.push(await open(first, session, { ...calling(30), id: 100 + more }));
  await until(() => streams.every(({ messages }) => messages.length === 1));
  const sixth = await send(first, session, { ...calling(30), id: 106 });
  expect(JSON.stringify(sixth.json)).toContain("unanswered");
  const withdrawn = runs(first.app.db, deleteQuestion, streams.length);
  for (const stream of streams) stream.close();
  await withdrawn;
  const again = await open(first, session, { ...calling(30), id: 107 });
  await until(() => again.messages.length === 1);
  again.close();
});
