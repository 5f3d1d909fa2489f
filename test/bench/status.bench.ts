import { afterAll, beforeAll, expect, it } from "vitest";
import { oneServer, type OneServer } from "./one-server.ts";
import { freePort } from "../support/free-port.ts";
import { load, start, untilAnswers, type Load } from "./processes.ts";

let one: OneServer;
beforeAll(async () => {
  one = await oneServer();
});
afterAll(() => one.remove());

const show = (name: string, { requestsPerSecond, cpuPerRequest, p99Ms, notOk }: Load): void =>
  console.log(
    `${name.padEnd(28)} ${requestsPerSecond.toFixed(0).padStart(7)} req/s  ${cpuPerRequest.toFixed(1).padStart(6)} µs CPU/req  p99 ${p99Ms} ms  not 2xx ${notOk}`,
  );

/** The id of a session whose client can ask its person, as everyday clients can. */
async function sessionAt(url: string, headers: Record<string, string>): Promise<string> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {} },
    clientInfo: { name: "a bench", version: "1.0.0" },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const answer = await fetch(url, { method: "POST", headers, body });
  return answer.headers.get("mcp-session-id") ?? "";
}

it("GET /servers/{id}/status beside a bare route with the same bytes, and the MCP call beside both", async () => {
  const { environment, token, serverId } = one;
  const [bare, service, pattern] = [await freePort(), await freePort(), await freePort()];
  const served = start("dist/main.js", ["serve"], { ...environment, TICKMARK_PORT: String(service) });
  const path = `/api/v1/servers/${serverId}/status`;
  const headers = { authorization: `Bearer ${token}` };
  await untilAnswers(`http://127.0.0.1:${service}/healthz`);
  const body = await (await fetch(`http://127.0.0.1:${service}${path}`, { headers })).text();
  const baseline = start("test/bench/bare-server.mjs", [], { BARE_PORT: String(bare), BARE_BODY: body });
  await untilAnswers(`http://127.0.0.1:${bare}${path}`);
  const sdk = start("test/bench/sdk-server.mjs", [], { SDK_PORT: String(pattern), SDK_BODY: body });
  await untilAnswers(`http://127.0.0.1:${pattern}/`);
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
    const posted = {
      method: "POST" as const,
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify(call),
    };
    const mcpLoad = await load(served, { ...posted, url: `http://127.0.0.1:${service}/mcp` });
    show("MCP tools/call (2025-11-25)", mcpLoad);
    const session = await sessionAt(`http://127.0.0.1:${service}/mcp`, posted.headers);
    const inSession = { ...posted, headers: { ...posted.headers, "mcp-session-id": session } };
    const sessionLoad = await load(served, { ...inSession, url: `http://127.0.0.1:${service}/mcp` });
    show("the same in a session", sessionLoad);
    const sdkLoad = await load(sdk, { ...posted, url: `http://127.0.0.1:${pattern}/mcp` });
    show("the SDK's documented pattern", sdkLoad);
    console.log(
      `REST / bare: ${(bareLoad.cpuPerRequest / restLoad.cpuPerRequest).toFixed(2)} of its speed by CPU, ${(restLoad.requestsPerSecond / bareLoad.requestsPerSecond).toFixed(2)} by requests a second`,
    );
    console.log(
      `MCP / REST:  ${(restLoad.cpuPerRequest / mcpLoad.cpuPerRequest).toFixed(2)} by CPU, ${(mcpLoad.requestsPerSecond / restLoad.requestsPerSecond).toFixed(2)} by requests a second`,
    );
    console.log(
      `CPU per tools/call in a session: ${(sessionLoad.cpuPerRequest / restLoad.cpuPerRequest).toFixed(2)} × REST, ${(sessionLoad.cpuPerRequest / sdkLoad.cpuPerRequest).toFixed(2)} × the SDK's pattern`,
    );
    console.log(
      `CPU per tools/call: ${(mcpLoad.cpuPerRequest / restLoad.cpuPerRequest).toFixed(2)} × REST (aim 1.6), ${(mcpLoad.cpuPerRequest / bareLoad.cpuPerRequest).toFixed(2)} × bare, ${(mcpLoad.cpuPerRequest / sdkLoad.cpuPerRequest).toFixed(2)} × the SDK's pattern (aim 0.35)`,
    );
    expect(restLoad.notOk + mcpLoad.notOk + sessionLoad.notOk + sdkLoad.notOk).toBe(0);
  } finally {
    baseline.kill();
    sdk.kill();
    served.kill();
  }
});
