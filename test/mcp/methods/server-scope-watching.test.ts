import { afterAll, beforeAll, expect, it } from "vitest";
import { envelope } from "../../support/connector.ts";
import type { Json, LinkedServer } from "../../support/service.ts";
import { begin, open, send, startPair, until, type Pair } from "../transport/streams.ts";

let pair: Pair;
let other: LinkedServer;
beforeAll(async () => {
  pair = await startPair();
  other = await pair.first.server(pair.server.owner, { name: "Survival" });
});
afterAll(async () => {
  await pair.close();
});

const maintenanceOf = ({ id }: LinkedServer): string => `tickmark://servers/${id}/maintenance`;
const scoped = "/mcp?server=Lobby";

const change = async ({ id }: LinkedServer, step: "maintenance" | "maintenance/end"): Promise<void> => {
  const body = step === "maintenance" ? { duration_minutes: 30 } : {};
  const { status } = await pair.first.request("POST", `/api/v1/servers/${id}/${step}`, {
    token: pair.token,
    body,
  });
  expect(status).toBe(200);
};

const updates = (messages: readonly Json[]): unknown[] =>
  messages.flatMap(({ method, params }) =>
    method === "notifications/resources/updated" ? [(params as Json)["uri"]] : [],
  );

it("[OUR-MCP-82] a session watches no other server through a scoped connection, not even one it watched before", async () => {
  const { first, server, token } = pair;
  const session = await begin(first, token);
  const watch = (watched: LinkedServer, path: string): Promise<{ json: Json }> =>
    first.request("POST", path, {
      headers: { ...session, accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri: maintenanceOf(watched) } },
    });
  expect((await watch(other, scoped)).json["error"]).toMatchObject({
    data: { error: "validation_error", field: "server_id" },
  });
  expect((await watch(other, "/mcp")).json["result"]).toEqual({});
  expect((await watch(server, scoped)).json["result"]).toEqual({});
  const stream = await open(first, session, null, scoped);
  await change(other, "maintenance");
  await change(server, "maintenance");
  await until(() => updates(stream.messages).length > 0);
  await change(other, "maintenance/end");
  await change(server, "maintenance/end");
  await until(() => updates(stream.messages).length > 1);
  expect(updates(stream.messages)).toEqual([maintenanceOf(server), maintenanceOf(server)]);
  stream.close();
  const whole = await open(first, session);
  await change(other, "maintenance");
  await until(() => updates(whole.messages).includes(maintenanceOf(other)));
  whole.close();
  await change(other, "maintenance/end");
  expect((await send(first, session, { id: 2, method: "ping" })).json["result"]).toEqual({});
});

it("[OUR-MCP-82] a stream of revision 2026-07-28 tells of no other server through a scoped connection", async () => {
  const { first, server, token } = pair;
  const headers = {
    authorization: `Bearer ${token}`,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
  };
  const asked = {
    id: 9,
    method: "subscriptions/listen",
    params: {
      notifications: { resourceSubscriptions: [maintenanceOf(other), maintenanceOf(server)] },
      _meta: envelope,
    },
  };
  const stream = await open(first, headers, asked, scoped);
  await until(() => stream.messages.length > 0);
  expect(stream.messages[0]).toMatchObject({
    params: { notifications: { resourceSubscriptions: [maintenanceOf(server)] } },
  });
  await change(other, "maintenance");
  await change(server, "maintenance");
  await until(() => updates(stream.messages).length > 0);
  expect(updates(stream.messages)).toEqual([maintenanceOf(server)]);
  stream.close();
});
