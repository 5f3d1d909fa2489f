import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { defineEndpoint } from "../../src/contract/endpoint.ts";
import { createServerGroup } from "../../src/endpoints/api/server-groups/create-server-group.ts";
import { listServers } from "../../src/endpoints/api/servers/list-servers.ts";
import { updateServer } from "../../src/endpoints/api/servers/update-server.ts";
import { requestOf } from "../../src/outbound/upstream-request.ts";
import { windowsOf } from "../../src/outbound/upstream-windows.ts";
import { upstream, type Upstream } from "../../src/outbound/upstream.ts";

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
  const client = upstream({
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
    test_id: z.string(),
    fields: z.array(z.string()).optional(),
    open: z.boolean().optional(),
    limit: z.int().optional(),
  }),
  output: z.object({}),
  errors: [],
  example: { input: { test_id: "x" }, output: {} },
  handle: async () => ({}),
});

it("[OUR-MCP-24] writes placeholders, lists and booleans as the REST API reads them", () => {
  const input = { test_id: "a/b ?", fields: ["tps", "mspt"], open: false, limit: 5 };
  expect(requestOf(listing, input)).toEqual({
    method: "GET",
    path: "/api/v1/tests/a%2Fb%20%3F/rows?fields=tps%2Cmspt&open=false&limit=5",
    body: null,
  });
  expect(requestOf(updateServer, { server_id: "s", name: "x", is_public: false })).toEqual({
    method: "PATCH",
    path: "/api/v1/servers/s",
    body: '{"name":"x","is_public":false}',
  });
});

it("[OUR-MCP-08] reads both windows from the answer's headers, and none where they are not told", () => {
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
