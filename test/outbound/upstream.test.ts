import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { defineEndpoint, type Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { createServerGroup } from "../../src/endpoints/api/server/create-server-group.ts";
import { listServers } from "../../src/endpoints/api/server/list-servers.ts";
import { updateServer } from "../../src/endpoints/api/server/update-server.ts";
import { requestOf, unsendable } from "../../src/outbound/upstream-request.ts";
import { windowsOf } from "../../src/outbound/upstream-windows.ts";
import type { Upstream } from "../../src/outbound/upstream.ts";
import { readInput } from "../../src/contract/endpoint/input.ts";
import { resourceOrShortIdInput } from "../../src/core/id.ts";
import { overRest } from "../support/over-rest.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

interface Served {
  readonly client: Upstream;
  readonly seen: IncomingMessage[];
  readonly reports: unknown[];
}

/** A service that answers each request in turn by one of `answers`, the last of them again and again. */
async function served(...answers: ((response: ServerResponse) => void)[]): Promise<Served> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    request.on("end", () => (answers[seen.length - 1] ?? answers.at(-1))?.(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const reports: unknown[] = [];
  const report = (error: unknown): void => void reports.push(error);
  const client = overRest({
    url: `http://127.0.0.1:${port}/base/`,
    token: "tkm_x",
    report,
    clock: () => 1000,
  });
  opened.push(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { client, seen, reports };
}

const broken = (response: ServerResponse): void => void response.socket?.destroy();
const json =
  (status: number, value: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(value));

it("[OUR-MCP-26] repeats a read whose connection broke, once", async () => {
  const mended = await served(broken, json(200, { data: [] }));
  expect(await mended.client.call(listServers, {}, "r")).toMatchObject({ ok: true, value: { data: [] } });
  expect(mended.seen).toHaveLength(2);
  expect(mended.reports).toEqual([]);
  const gone = await served(broken);
  expect(await gone.client.call(listServers, {}, "r")).toMatchObject({
    ok: false,
    status: 503,
    body: { error: "unavailable" },
    credential: false,
  });
  expect(gone.seen).toHaveLength(2);
  expect(gone.reports).toHaveLength(1);
});

it("[OUR-MCP-26] never repeats a write", async () => {
  const { client, seen } = await served(broken);
  expect(await client.call(createServerGroup, { name: "x" }, "r")).toMatchObject({
    ok: false,
    body: { error: "unavailable" },
  });
  expect(seen).toHaveLength(1);
});

it("[OUR-MCP-24] asks below the base URL's own path, with the token and without a body for reads", async () => {
  const { client, seen } = await served(json(200, {}));
  await client.call(listServers, { verified: true }, "r");
  expect(seen[0]).toMatchObject({ method: "GET", url: "/base/api/v1/servers?verified=true" });
  expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer tkm_x", accept: "application/json" });
  expect(seen[0]?.headers).not.toHaveProperty("content-type");
});

it("[OUR-MCP-55] knows the caller from the service's last answer, without a request for it", async () => {
  const token = { scopes: ["servers:read"], account: { plan: "pro" } };
  const { client, seen } = await served(json(200, token), json(503, {}));
  expect([await client.knownCaller("r"), seen.length]).toEqual([null, 0]);
  await client.caller("r");
  await client.caller("r");
  expect(await client.knownCaller("r")).toMatchObject({ anonymous: false, scopes: ["servers:read"] });
  expect(seen).toHaveLength(2);
});

it("[OUR-MCP-24] passes the service's errors on, and takes nothing else for one", async () => {
  const refusing = await served(
    json(429, { error: "rate_limited", message: "Wait." }, { "retry-after": "7" }),
  );
  expect(await refusing.client.call(listServers, {}, "r")).toMatchObject({
    ok: false,
    status: 429,
    body: { error: "rate_limited" },
    retryAfterSeconds: 7,
  });
  for (const answer of [
    json(502, "bad gateway"),
    json(200, undefined),
    (response: ServerResponse) => void response.writeHead(200).end("<html>"),
  ]) {
    const { client, reports } = await served(answer);
    expect(await client.call(listServers, {}, "r")).toMatchObject({
      ok: false,
      body: { error: "unavailable" },
    });
    expect(reports).toHaveLength(1);
  }
});

const listing = defineEndpoint({
  id: "tests.list",
  method: "GET",
  path: "/tests/{id}/rows",
  params: { id: "test_id" },
  access: { face: "api", scope: null },
  summary: "For this test.",
  input: z.strictObject({
    test_id: resourceOrShortIdInput(),
    fields: z.array(z.string()).optional(),
    open: z.boolean().optional(),
    limit: z.int().optional(),
  }),
  output: z.object({}),
  errors: [],
  example: { input: { test_id: "x" }, output: {} },
  handle: async () => ({}),
});

it("[OUR-MCP-08] takes a call for counted unless the refusal came before", async () => {
  const policy = '"day";q=50;w=86400';
  const anonymous = { "ratelimit-policy": policy, ratelimit: '"day";r=49;t=5' };
  const known = {
    "ratelimit-policy": `${policy}, "hour";q=600;w=3600`,
    ratelimit: '"day";r=49;t=5, "hour";r=9;t=5',
  };
  for (const [status, error, headers, counted, credential] of [
    [401, "token_expired", anonymous, false, true],
    [429, "rate_limited", anonymous, false, true],
    [503, "unavailable", anonymous, false, true],
    [429, "rate_limited", known, false, false],
    [429, "daily_quota_exceeded", known, false, false],
    [403, "token_quota_exceeded", known, false, false],
    [503, "unavailable", known, true, false],
    [429, "cooldown", known, true, false],
    [404, "not_found", {}, true, false],
  ] as const) {
    const { client } = await served(json(status, { error, message: "No." }, headers));
    expect(await client.call(listServers, {}, "r"), error).toMatchObject({ status, counted, credential });
  }
});

it("[OUR-MCP-24] asks the service before it refuses what no query carries, and has it do nothing", async () => {
  const refusing = () => served(json(400, { error: "field_not_allowed", message: "No." }));
  const reading = await refusing();
  expect(await reading.client.call(listServers, { limit: "5" }, "r")).toMatchObject({
    status: 400,
    body: { error: "validation_error", field: "limit" },
    counted: true,
  });
  expect(reading.seen.map(({ url }) => url)).toEqual(["/base/api/v1/servers?-=-"]);
  const writing = await refusing();
  expect(await writing.client.call(updateServer, { server_id: 5, name: "x" }, "r")).toMatchObject({
    body: { error: "validation_error", field: "server_id" },
  });
  expect(writing.seen.map(({ method, url }) => [method, url])).toEqual([["PATCH", "/base/api/v1/servers/-"]]);
  const gone = await served(broken);
  expect(await gone.client.call(listServers, { limit: "5" }, "r")).toMatchObject({
    body: { error: "unavailable" },
    counted: false,
  });
});

it("[OUR-MCP-24] takes an input for unsendable if REST would read another value, and no input that REST can check", async () => {
  const refused = async (endpoint: Endpoint, input: Record<string, unknown>): Promise<boolean> =>
    (await unsendable(endpoint, input, async () => void readInput(endpoint, input))) !== null;
  for (const input of [
    {},
    { test_id: 5 },
    { test_id: "x", fields: "tps" },
    { test_id: "x", fields: [1] },
    { test_id: "x", open: "true" },
    { test_id: "x", limit: "5" },
    { test_id: "x", limit: null },
    { test_id: "x", other: { toString: 1 } },
  ]) {
    expect({ input, refused: await refused(listing, input) }).toEqual({ input, refused: true });
  }
  for (const input of [{ test_id: "x" }, { test_id: "\ud800", limit: 5000, open: false }]) {
    expect(await refused(listing, input)).toBe(false);
    expect(requestOf(listing, input).path).toContain("/api/v1/tests/-/");
  }
  expect(await refused(updateServer, { server_id: "s", name: 5, other: true })).toBe(false);
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(await refused(updateServer, { server_id: "s", name: deep })).toBe(true);
});

it("[OUR-MCP-24] writes placeholders, lists and booleans as the REST API reads them", () => {
  const input = { test_id: "k7m2q9xwpd4e", fields: ["tps", "mspt"], open: false, limit: 5 };
  expect(requestOf(listing, input)).toEqual({
    method: "GET",
    path: "/api/v1/tests/k7m2q9xwpd4e/rows?fields=tps%2Cmspt&open=false&limit=5",
    body: null,
  });
  const { server_id } = updateServer.example.input as { server_id: string };
  expect(requestOf(updateServer, { server_id, name: "x", is_public: false })).toEqual({
    method: "PATCH",
    path: `/api/v1/servers/${server_id}`,
    body: '{"name":"x","is_public":false}',
  });
});

it("[OUR-MCP-08] reads both windows from the answer's headers, and none where they are absent", () => {
  const headers = {
    "ratelimit-policy": '"day";q=50;w=86400, "hour";q=600;w=3600',
    ratelimit: '"day";r=49;t=86399, "hour";r=599;t=3599',
  };
  expect(windowsOf(headers, 1000)).toEqual({
    day: { limit: 50, remaining: 49, resetAt: 86_400_000 },
    hour: { limit: 600, remaining: 599, resetAt: 3_600_000 },
  });
  expect(windowsOf({ "ratelimit-policy": '"day";q=10;w=86400', ratelimit: '"day";r=0;t=5' }, 0)).toEqual({
    day: { limit: 10, remaining: 0, resetAt: 5000 },
    hour: null,
  });
  for (const broken of [
    {},
    { ratelimit: '"day";r=1;t=2' },
    { "ratelimit-policy": '"day";q=x', ratelimit: '"day";r=1;t=2' },
  ]) {
    expect(windowsOf(broken, 0)).toBeNull();
  }
});
