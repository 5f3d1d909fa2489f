import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import autocannon from "autocannon";
import { expect, it } from "vitest";
import { benchPlace } from "./bench-place.ts";
import { makeFleet } from "../support/fleet.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { analyzeTables } from "../support/postgres.ts";
import { ask, startServiceProcess } from "../support/service-process.ts";
import { heartbeat, heartbeatsOf, makeServers, type BenchServer } from "./heartbeats.ts";
import { cpuMicroseconds, cpuOfFamily } from "./processes.ts";

/** Enough servers that none sends more often than a server may. */
const [accounts, serversEach] = [12, 50];
const together = 64;
const [warmUpSeconds, seconds] = [3, 5];

const { folder, plans, postgres } = benchPlace("calls", { monitored_servers: serversEach }, false);

/** The first health of a server costs more than many heartbeats, so it is waited for. */
async function untilAllHaveHealth(
  url: string,
  serviceUrl: string,
  servers: readonly BenchServer[],
): Promise<void> {
  const raw = await openRaw(url);
  const counted = async (): Promise<number> =>
    Number((await raw.rows("SELECT count(*) AS count FROM server_health"))[0]?.["count"]);
  await autocannon({ url: serviceUrl, connections: 1, amount: servers.length, ...heartbeatsOf(servers) });
  while ((await counted()) < servers.length) await delay(250);
  await raw.close();
}

type Requests = Pick<autocannon.Options, "setupClient" | "requests" | "headers">;

const statusOf = (serverId: string, token: string): Requests => ({
  requests: [{ method: "GET", path: `/api/v1/servers/${serverId}/status` }],
  headers: { authorization: `Bearer ${token}` },
});

const toolCallOf = (serverId: string, token: string): Requests => ({
  requests: [
    {
      method: "POST",
      path: "/mcp",
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_server_status", arguments: { server_id: serverId } },
      }),
    },
  ],
  headers: {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  },
});

it.each(["sqlite", "postgres"])(
  "CPU of status, tool call and heartbeat, %s",
  async (kind) => {
    const url = kind === "sqlite" ? `sqlite:${join(folder, "calls.db")}` : postgres().url;
    const fleet = await makeFleet(url, serversEach, "enterprise");
    const servers: readonly BenchServer[] = [
      ...fleet.servers,
      ...(await makeServers(url, accounts - 1, serversEach)),
    ];
    if (kind === "postgres") await analyzeTables(url);
    const service = await startServiceProcess({
      TICKMARK_DATABASE_URL: url,
      TICKMARK_SECRET: "a secret of the bench",
      TICKMARK_PLANS: plans,
    });
    const [server] = fleet.servers;
    const sent = await ask(
      service,
      "POST",
      "/plugin/v1/heartbeat",
      server?.credential ?? "",
      JSON.parse(heartbeat()),
    );
    expect(sent.json["accepted"]).toBe(true);
    await untilAllHaveHealth(url, service.baseUrl, servers);
    const pid = service.process.pid ?? 0;
    const spent = (): number =>
      cpuMicroseconds(pid) + (kind === "postgres" ? cpuOfFamily(postgres().pid() ?? 0) : 0);
    const kinds: readonly (readonly [string, Requests])[] = [
      ["status", statusOf(server?.id ?? "", fleet.token)],
      ["tools/call", toolCallOf(server?.id ?? "", fleet.token)],
      ["heartbeat", heartbeatsOf(servers)],
    ];
    for (const [name, requests] of kinds) {
      const options = { url: service.baseUrl, connections: together, ...requests };
      await autocannon({ ...options, duration: warmUpSeconds });
      const before = spent();
      const result = await autocannon({ ...options, duration: seconds });
      const cpu = (spent() - before) / result.requests.total;
      console.log(
        `${kind} ${name}: ${cpu.toFixed(0)} µs CPU a call, ${result.requests.average.toFixed(0)} calls/s, p99 ${result.latency.p99} ms`,
      );
      expect(result.non2xx + result.errors).toBe(0);
    }
    await service.stop();
  },
  300_000,
);
