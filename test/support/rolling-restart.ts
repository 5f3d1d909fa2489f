import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { startSession } from "../../src/contract/access/person.ts";
import { systemSecrets } from "../../src/contract/access/secrets.ts";
import { selectAccounts } from "../../src/store/access/accounts.ts";
import { openDatabase } from "../../src/store/engine/open-database.ts";
import { makeFleet, type Fleet } from "./fleet.ts";
import { freePort } from "./free-port.ts";
import { runProgram } from "./programs.ts";
import { startServiceProcess, until, type ServiceProcess } from "./service-process.ts";
import type { TwoUpstreams } from "./two-upstreams.ts";

/** What became of the requests of a run. */
export interface Run {
  readonly seconds: number;
  readonly offered: number;
  readonly answered: number;
  /** Requests that got no answer, or one of 400 and above, by kind and reason. */
  readonly failed: Readonly<Record<string, number>>;
  /** Times from the moment a request was due to the end of its answer, ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

interface Load {
  readonly perSecond: number;
  /** Before the first process is replaced, between the two, and after the second: a proxy notices meanwhile. */
  readonly restSeconds: number;
}

interface Asked {
  readonly kind: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The mix: of twenty requests 14 heartbeats, one read of a status and one of the overview, two pages, two calls of tools. */
function requestsOf({ token, servers }: Fleet, session: string): (turn: number) => Asked {
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const json = { "content-type": "application/json" };
  const call = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_servers", arguments: {} },
  });
  return (turn) => {
    // Of a number of servers that shares no factor with the mix, so that each is sent everything.
    const server = servers[(turn * 7) % servers.length];
    const place = turn % 20;
    if (server === undefined || place < 14) {
      const now = new Date().toISOString();
      const body = JSON.stringify({
        sent_at: now,
        plugin_version: "1.10.2",
        sample: { sampled_at: now, tps: 20 },
      });
      const headers = { ...json, ...bearer(server?.credential ?? "") };
      return { kind: "heartbeat", method: "POST", path: "/plugin/v1/heartbeat", headers, body };
    }
    if (place === 14)
      return {
        kind: "status",
        method: "GET",
        path: `/api/v1/servers/${server.id}/status`,
        headers: bearer(token),
      };
    if (place === 15)
      return { kind: "overview", method: "GET", path: "/api/v1/monitoring/overview", headers: bearer(token) };
    if (place < 18)
      return {
        kind: "page",
        method: "GET",
        path: place === 16 ? "/servers" : "/docs",
        headers: { cookie: `tickmark=${session}`, accept: "text/html" },
      };
    const headers = { ...json, ...bearer(token), accept: "application/json, text/event-stream" };
    return { kind: "tool", method: "POST", path: "/mcp", headers, body: call };
  };
}

const send = (agent: Agent, port: number, { method, path, headers, body }: Asked): Promise<string | null> =>
  new Promise((resolve) => {
    const outgoing = request({ host: "127.0.0.1", port, method, path, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve((answer.statusCode ?? 0) < 300 ? null : String(answer.statusCode)));
      answer.on("error", (error) => resolve(`broken off: ${error.message}`));
    });
    outgoing.setTimeout(20_000, () => outgoing.destroy(new Error("no answer in 20 s")));
    outgoing.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.end(body);
  });

/** Two processes on that database behind a proxy, under a steady load, while one after the other is replaced. */
export async function rollingRestart(databaseUrl: string, proxy: TwoUpstreams, load: Load): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-rolling-"));
  const many = { daily_calls: 1e9, hourly_calls: 1e9 };
  writeFileSync(join(folder, "plans.json"), JSON.stringify({ enterprise: many }));
  const fleet = await makeFleet(databaseUrl, 17, "enterprise");
  const session = await sessionOf(databaseUrl);
  const [port, ...upstreams] = [await freePort(), await freePort(), await freePort()] as const;
  const start = (place: 0 | 1): Promise<ServiceProcess> =>
    startServiceProcess({
      TICKMARK_DATABASE_URL: databaseUrl,
      TICKMARK_SECRET: "a secret that two processes share",
      TICKMARK_PORT: String(upstreams[place]),
      TICKMARK_BASE_URL: `http://127.0.0.1:${port}`,
      TICKMARK_TRUST_PROXY: "127.0.0.1",
      TICKMARK_PLANS: join(folder, "plans.json"),
    });
  const running = [await start(0), await start(1)];
  const { args, environment } = proxy.prepare(folder, port, [upstreams[0], upstreams[1]]);
  const front = runProgram(proxy.program, args, environment);
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  try {
    const next = requestsOf(fleet, session);
    await until(
      `${proxy.program} answers`,
      async () => (await send(agent, port, { ...next(17), path: "/readyz" })) === null,
    );
    const times: number[] = [];
    const failed: Record<string, number> = {};
    const sent: Promise<void>[] = [];
    const began = performance.now();
    const follow = async (asked: Asked, due: number): Promise<void> => {
      const reason = await send(agent, port, asked);
      times.push(performance.now() - due);
      if (reason === null) return;
      const what = `${asked.kind}: ${reason}`;
      failed[what] = (failed[what] ?? 0) + 1;
    };
    const replaced = new AbortController();
    const replacing = (async () => {
      for (const place of [0, 1] as const) {
        await rest(load.restSeconds * 1000);
        await running[place]?.stop();
        running[place] = await start(place);
      }
      await rest(load.restSeconds * 1000);
    })().finally(() => replaced.abort());
    for (let turn = 0; !replaced.signal.aborted; turn += 1) {
      const due = began + (turn * 1000) / load.perSecond;
      if (due > performance.now()) await rest(due - performance.now());
      const asked = next(turn);
      sent.push(follow(asked, due));
    }
    await Promise.all([...sent, replacing]);
    const sorted = times.toSorted((one, other) => one - other);
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
    const lost = Object.values(failed).reduce((sum, count) => sum + count, 0);
    return {
      seconds: (performance.now() - began) / 1000,
      offered: sent.length,
      answered: sent.length - lost,
      failed,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      longestMs: at(1),
    };
  } finally {
    agent.destroy();
    await front.stop("SIGKILL");
    for (const service of running) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The secret of a browser that is signed in to the one account of that database. */
async function sessionOf(databaseUrl: string): Promise<string> {
  const db = await openDatabase(databaseUrl, () => {});
  try {
    const [account] = await db.read(selectAccounts);
    if (!account) throw new Error("The fleet has an account.");
    const { secret } = await startSession({ db, secrets: systemSecrets() }, account, "tests", Date.now());
    return secret;
  } finally {
    await db.close();
  }
}
