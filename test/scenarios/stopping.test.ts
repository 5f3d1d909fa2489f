import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, describe, expect, it } from "vitest";
import { begin, until } from "../mcp/transport/streams.ts";
import { answersIn, rawClient, requestText, type RawAnswer, type RawClient } from "../support/raw-client.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { ownTime } from "../support/own-time.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-stopping-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** More time than a test waits: what ends before did not wait for it, ms. */
const farAway = 50_000;

const linkCode = JSON.stringify({
  installation_id: "6f1c0c52-8a39-4c5e-9d5b-0000000000aa",
  server: { name: "Lobby", port: 25_565 },
});
const linking = requestText("POST", "/plugin/v1/link-codes", {}, linkCode);

/** Every answer has the shape that is documented, and says that its connection ends. */
function expectLast(answer: RawAnswer | undefined, statuses: readonly number[]): void {
  expect(statuses).toContain(answer?.status);
  expect(answer?.headers).toMatchObject({
    connection: "close",
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-request-id": expect.stringMatching(/^[0-9a-f]{12}-\w+$/) as unknown,
  });
  if (answer && answer.status >= 400)
    expect(JSON.parse(answer.body)).toEqual({ error: "unavailable", message: expect.any(String) as unknown });
}

const refused = async (port: number): Promise<boolean> =>
  rawClient(port).then(
    ({ socket }) => (socket.destroy(), false),
    () => true,
  );

/** A request whose head the service has read, and whose body ends when the test says so. */
async function halfBody(port: number): Promise<{ client: RawClient; finish: () => void }> {
  const head = requestText("POST", "/plugin/v1/link-codes", { expect: "100-continue" }, "", linkCode.length);
  const client = await rawClient(port, head);
  await client.received(/100 Continue/);
  client.socket.write(linkCode.slice(0, 5));
  return { client, finish: () => void client.socket.write(linkCode.slice(5)) };
}

const answersOf = async ({ closed }: RawClient): Promise<RawAnswer[]> =>
  answersIn((await closed).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ""));

/** The streams of the connector that a client keeps open: of a session, of a subscription, and of a question. */
async function openStreams({ service, port }: { service: TestService; port: number }): Promise<RawClient[]> {
  const owner = await service.account();
  const server = await service.server(owner);
  const token = await service.token(owner);
  const authorization = `Bearer ${token}`;
  const session = await begin(service, token, { elicitation: {} });
  const accept = "application/json, text/event-stream";
  const calling = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "start_maintenance", arguments: { server_id: server.id, duration_minutes: 5 } },
  };
  const version = "2026-07-28";
  const meta = "io.modelcontextprotocol";
  const listening = {
    jsonrpc: "2.0",
    id: 2,
    method: "subscriptions/listen",
    params: {
      notifications: { resourceSubscriptions: [`tickmark://servers/${server.id}/status`] },
      _meta: {
        [`${meta}/protocolVersion`]: version,
        [`${meta}/clientInfo`]: { name: "a test's client", version: "1.0.0" },
        [`${meta}/clientCapabilities`]: {},
      },
    },
  };
  const modern = { authorization, accept, "mcp-protocol-version": version, "mcp-method": listening.method };
  const host = { host: `127.0.0.1:${port}` };
  const streams = [
    requestText("GET", "/mcp", { ...host, ...session, accept }),
    requestText("POST", "/mcp", { ...host, ...session, accept }, JSON.stringify(calling)),
    requestText("POST", "/mcp", { ...host, ...modern }, JSON.stringify(listening)),
  ];
  return Promise.all(
    streams.map(async (bytes) => {
      const client = await rawClient(port, bytes);
      await client.received(/^HTTP\/1\.1 200 .*text\/event-stream.*(?:retry|event): /s);
      return client;
    }),
  );
}

describe("stopping", () => {
  it("[OUR-PRC-24] connections without a request, and streams, end at once and nobody waits for them", async () => {
    const service = await startTestService({ plans: roomyPlans, stopMs: farAway });
    const { port } = service;
    const clients = {
      silent: await rawClient(port),
      halfHead: await rawClient(port, "GET /healthz HTTP/1.1\r\nHost: a\r\n"),
      idle: await rawClient(port, requestText("GET", "/healthz")),
    };
    await clients.idle.received(/"ok"/);
    const streams = await openStreams({ service, port });
    const own = ownTime();
    await service.close();
    const ms = own();
    expect(await clients.silent.closed).toBe("");
    expect(await clients.halfHead.closed).toBe("");
    await Promise.all(streams.map(({ closed }) => closed));
    console.log(`stopped with 6 kinds of client that wait in ${ms.toFixed(0)} ms of ${farAway}`);
    expect(ms).toBeLessThan(farAway / 10);
    expect(service.defects).toEqual([]);
  });

  it("[OUR-PRC-25] requests in flight are answered as ever, and new connections are refused", async () => {
    const service = await startTestService({ plans: roomyPlans, stopMs: farAway });
    const { port } = service;
    const { client, finish } = await halfBody(port);
    const keepAlive = await rawClient(port, linking);
    await keepAlive.received(/^HTTP\/1\.1 201 .*connection: keep-alive/is);
    const second = await halfBody(port);
    const own = ownTime();
    const closed = service.close();
    await until(() => refused(port));
    finish();
    // Sent behind a request that is still to be answered, while the service stops.
    second.client.socket.write(linkCode.slice(5) + requestText("GET", "/healthz"));
    const ordinary = await answersOf(client);
    const piped = await answersOf(second.client);
    await closed;
    const ms = own();
    expect(ordinary).toHaveLength(1);
    expectLast(ordinary[0], [201]);
    expect(piped.map(({ status }) => status)).toEqual([201, 200]);
    expectLast(piped[1], [200]);
    expect(ms).toBeLessThan(farAway / 10);
    expect(service.defects).toEqual([]);
  });

  it("[OUR-PRC-25] a write that waits for the database is saved and answered", async () => {
    const path = join(folder, "waits.db");
    const service = await startTestService({
      plans: roomyPlans,
      stopMs: farAway,
      databaseUrl: `sqlite:${path}`,
    });
    const other = openSqliteConnection(path);
    other.exec("BEGIN IMMEDIATE");
    const client = await rawClient(service.port, linking);
    const closed = service.close();
    await until(() => refused(service.port));
    other.exec("COMMIT");
    const [answer] = await answersOf(client);
    expectLast(answer, [201]);
    await closed;
    expect(other.prepare("SELECT count(*) AS n FROM link_code").get()).toEqual({ n: 1 });
    other.close();
  });

  it("[OUR-PRC-26] what has no answer in time is told so in the documented shape, and everything ends", async () => {
    const stopMs = 300;
    const path = join(folder, "locked.db");
    const service = await startTestService({ plans: roomyPlans, stopMs, databaseUrl: `sqlite:${path}` });
    const other = openSqliteConnection(path);
    const slow = await halfBody(service.port);
    other.exec("BEGIN IMMEDIATE");
    const waiting = await rawClient(service.port, linking);
    const stopping = Promise.all([service.close(), slow.client.closed, waiting.closed]);
    for (const client of [slow.client, waiting]) {
      const [answer, ...more] = await answersOf(client);
      expect(more).toEqual([]);
      expectLast(answer, [503]);
      expect(Number(answer?.headers["retry-after"])).toBeGreaterThan(0);
    }
    other.exec("ROLLBACK");
    other.close();
    await stopping;
    expect(service.defects.filter((line) => !line.includes("given up"))).toEqual([]);
  });
});
