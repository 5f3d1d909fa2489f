import { intercept } from "../../support/intercept.ts";
import { selectWatchedResources } from "../../../src/store/access/dialogues.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import {
  selectPresentedToken,
  updateTokenUsed,
  updateTokenRevoked,
} from "../../../src/store/access/tokens.ts";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Unavailable } from "../../../src/core/errors.ts";
import { envelope } from "../../support/connector.ts";
import {
  roomyPlans,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import {
  runs,
  begin,
  clientInfo,
  open,
  send,
  startPair,
  until,
  type Pair,
  type Stream,
} from "../transport/streams.ts";

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

const startMaintenance = (minutes: number) =>
  first.request("POST", `/api/v1/servers/${server.id}/maintenance`, {
    token,
    body: { duration_minutes: minutes },
  });
const endMaintenance = () =>
  first.request("POST", `/api/v1/servers/${server.id}/maintenance/end`, { token, body: {} });
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
  await runs(second.app.db, selectWatchedResources);
  expect(told).toEqual([]);
  await startMaintenance(30);
  await until(() => told.length === 1);
  await runs(second.app.db, selectWatchedResources);
  expect(told).toEqual([uri]);
  await client.unsubscribeResource({ uri });
  await endMaintenance();
  await runs(second.app.db, selectWatchedResources);
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

it("[OUR-MCP-65] looking is not counted, tells no activity and is no use of the token", async () => {
  const owner = await first.account();
  const own = await first.server(owner, { name: "Lobby", port: 25_565 });
  const bearer = await first.token(owner);
  const session = await begin(first, bearer);
  const uri = `tickmark://servers/${own.id}/status`;
  const subscribed = await send(first, session, { id: 1, method: "resources/subscribe", params: { uri } });
  expect(subscribed.json["result"]).toEqual({});
  let uses = 0;
  const end = intercept(first.app.db, updateTokenUsed, async () => void (uses += 1));
  const stream = await open(first, session);
  const opened = uses;
  await runs(first.app.db, selectWatchedResources, 4);
  expect(uses).toBe(opened);
  end();
  stream.close();
  const { json } = await first.request("GET", "/api/v1/token", { token: bearer });
  // The link of the server, by another token; and in the hour the look of the subscription, and this very question.
  expect(json["limits"]).toMatchObject({ daily: { used: 1 }, hourly: { used: 2 } });
});

it("[OUR-MCP-65] a moment without database ends no stream, and what changed meanwhile is told", async () => {
  const session = await begin(first, token);
  const uri = `tickmark://servers/${server.id}/maintenance`;
  await send(first, session, { id: 1, method: "resources/subscribe", params: { uri } });
  const stream = await open(first, session);
  let looks = 0;
  const end = intercept(first.app.db, selectPresentedToken, async () => {
    looks += 1;
    throw new Unavailable(new Error("away"));
  });
  await until(() => looks > 1);
  end();
  expect((first.defects as string[]).splice(0).length).toBeGreaterThan(0);
  await startMaintenance(30);
  await until(() => stream.messages.length === 1);
  expect(stream.messages).toMatchObject([{ method: "notifications/resources/updated", params: { uri } }]);
  stream.close();
  await endMaintenance();
});

const isToolsChanged = ({ method }: Json): boolean => method === "notifications/tools/list_changed";

it("[OUR-MCP-65] [OUR-MCP-76] a session has one stream, the newest, and each tells what it takes", async () => {
  const session = await begin(first, token);
  const older = await open(first, session);
  const newer = await open(first, session);
  await older.ended;
  expect([older.status, newer.status]).toEqual([200, 200]);
  expect((await open(first, { ...session, "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
  newer.close();
  const { authorization = "" } = session;
  const headers = {
    authorization,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
  };
  const listen = async (notifications: unknown): Promise<Stream> => {
    const params = { notifications, _meta: envelope };
    return open(first, headers, { id: 9, method: "subscriptions/listen", params });
  };
  const nothing = await listen({ promptsListChanged: true });
  await nothing.ended;
  expect(nothing.messages).toMatchObject([
    { method: "notifications/subscriptions/acknowledged", params: { notifications: {} } },
    { id: 9, result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": 9 } } },
  ]);
  const rights = await first.account("pro");
  const changing = { authorization: `Bearer ${await first.token(rights)}` };
  const listening = {
    id: 9,
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true }, _meta: envelope },
  };
  const streams = [
    await open(first, { ...headers, ...changing }, listening),
    await open(first, await begin(first, changing.authorization.slice("Bearer ".length))),
  ];
  await until(() => streams[0]?.messages.length === 1);
  // What is offered is known from the first look on.
  await runs(first.app.db, selectPresentedToken, 4);
  await first.app.db.write(changePlan, rights.id, "free", Date.now());
  await until(() => streams.every(({ messages }) => messages.some(isToolsChanged)));
  for (const stream of streams) stream.close();
  const reader = await first.token(server.owner, ["servers:read"]);
  const status = { resourceSubscriptions: [`tickmark://servers/${server.id}/status`] };
  const params = { notifications: status, _meta: envelope };
  const message = { id: 9, method: "subscriptions/listen", params };
  const refused = await send(first, { ...headers, authorization: `Bearer ${reader}` }, message);
  expect(refused.json["error"]).toMatchObject({ code: -32603, data: { error: "missing_scope" } });
  for (const bad of [undefined, 7, { resourceSubscriptions: "x" }, { resourceSubscriptions: [7] }])
    expect(
      (
        await send(first, headers, {
          id: 9,
          method: "subscriptions/listen",
          params: { notifications: bad, _meta: envelope },
        })
      ).json["error"],
    ).toMatchObject({ code: -32602 });
});

it("[OUR-MCP-65] refuses to watch what is no state, what is not the caller's, and more than twenty at once", async () => {
  const session = await begin(first, token);
  const watch = async (uri: unknown, bearer = token): Promise<unknown> => {
    const answer = await send(
      first,
      { ...session, authorization: `Bearer ${bearer}` },
      { id: 1, method: "resources/subscribe", params: { uri } },
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
  const headers = await begin(alone, bearer);
  const streams: Stream[] = [];
  for (let more = 0; more < 11; more += 1) streams.push(await open(alone, await begin(alone, bearer)));
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
  await alone.app.db.write(updateTokenRevoked, String((json["token"] as Json)["id"]), Date.now());
  await revoked.ended;
  const begun = performance.now();
  await Promise.all([alone.close(), ...streams.map(({ ended }) => ended)]);
  console.log(
    `11 open streams ended ${Math.round(performance.now() - begun)} ms after the service was stopped`,
  );
  expect(alone.defects).toEqual([]);
});
