import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemSecrets } from "../../src/contract/secrets.ts";
import { scopes } from "../../src/core/access/scope.ts";
import { noFacts } from "../../src/core/server/link-code.ts";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { exampleSample } from "../../src/endpoints/api/servers/example-sample.ts";
import { openDatabase, storesOn } from "../../src/store/stores.ts";
import { freePort, load, start, untilAnswers, type Load } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-bench-"));
const databaseUrl = `sqlite:${join(folder, "bench.db")}`;
const secrets = systemSecrets();
const token = secrets.newSecret("api");
let serverId = "";

beforeAll(async () => {
  writeFileSync(
    join(folder, "plans.json"),
    JSON.stringify({ pro: { daily_calls: 1_000_000_000, hourly_calls: 1_000_000_000 } }),
  );
  const database = await openDatabase(databaseUrl, () => {});
  const stores = storesOn(database);
  const now = Date.now();
  const accountId = secrets.newId(now);
  await stores.accounts.create(
    {
      id: accountId,
      email: "bench@example.org",
      emailVerified: true,
      plan: "pro",
      role: "user",
      createdAt: now,
    },
    null,
  );
  const dates = { createdAt: now, expiresAt: now + 86_400_000, revokedAt: null, lastUsedAt: null };
  await stores.tokens.create(
    { id: secrets.newId(now), accountId, name: "bench", kind: "token", scopes, ...dates },
    secrets.digest(token),
    5,
  );
  await stores.links.offer({
    code: "ABCDEFGH",
    installationId: "bench",
    claimDigest: "claim",
    facts: noFacts,
    createdAt: now,
    expiresAt: now + 1000,
  });
  serverId = secrets.newId(now);
  await stores.links.use({
    code: "ABCDEFGH",
    accountId,
    name: "Bench",
    newServerId: serverId,
    now,
    maxServers: 500,
    monitoredServers: 3,
  });
  const sample = {
    sampledAt: now,
    reported: ReportedSample.parse({ ...exampleSample, sampled_at: new Date(now).toISOString() }),
  };
  await stores.samples.recordHeartbeat({
    serverId,
    receivedAt: now,
    bootTimestamp: now,
    lastTickAgeMs: 20,
    announcement: null,
    sample,
    limits: defaultPlans.pro,
  });
  await database.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const show = (name: string, { requestsPerSecond, cpuPerRequest, p99Ms, notOk }: Load): void =>
  console.log(
    `${name.padEnd(28)} ${requestsPerSecond.toFixed(0).padStart(7)} req/s  ${cpuPerRequest.toFixed(1).padStart(6)} µs CPU/req  p99 ${p99Ms} ms  not 2xx ${notOk}`,
  );

it("GET /servers/{id}/status beside a bare route with the same bytes, and the MCP call beside both", async () => {
  const [bare, service] = [await freePort(), await freePort()];
  const served = start("dist/src/main.js", ["serve"], {
    TICKMARK_PORT: String(service),
    TICKMARK_DATABASE_URL: databaseUrl,
    TICKMARK_PLANS: join(folder, "plans.json"),
    TICKMARK_LOG_LEVEL: "warn",
  });
  const path = `/api/v1/servers/${serverId}/status`;
  const headers = { authorization: `Bearer ${token}` };
  await untilAnswers(`http://127.0.0.1:${service}/healthz`);
  const body = await (await fetch(`http://127.0.0.1:${service}${path}`, { headers })).text();
  const baseline = start("test/bench/bare-server.mjs", [], { BARE_PORT: String(bare), BARE_BODY: body });
  await untilAnswers(`http://127.0.0.1:${bare}${path}`);
  try {
    const bareLoad = await load(baseline, { url: `http://127.0.0.1:${bare}${path}`, headers });
    show("bare Fastify route", bareLoad);
    const restLoad = await load(served, { url: `http://127.0.0.1:${service}${path}`, headers });
    show("REST", restLoad);
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_server_status", arguments: { server_id: serverId } },
    };
    const mcpLoad = await load(served, {
      url: `http://127.0.0.1:${service}/mcp`,
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify(call),
    });
    show("MCP tools/call (2025-11-25)", mcpLoad);
    console.log(
      `REST / bare: ${(bareLoad.cpuPerRequest / restLoad.cpuPerRequest).toFixed(2)} of its speed by CPU, ${(restLoad.requestsPerSecond / bareLoad.requestsPerSecond).toFixed(2)} by requests a second`,
    );
    console.log(
      `MCP / REST:  ${(restLoad.cpuPerRequest / mcpLoad.cpuPerRequest).toFixed(2)} by CPU, ${(mcpLoad.requestsPerSecond / restLoad.requestsPerSecond).toFixed(2)} by requests a second`,
    );
    expect(restLoad.notOk).toBe(0);
  } finally {
    baseline.kill();
    served.kill();
  }
});
