import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { makeFleet } from "./fleet.ts";
import { freePort } from "./free-port.ts";
import { manyCalls, mixedRequests, sendRequest, signedInSession, type MixedRequest } from "./mixed-load.ts";
import { runProgram } from "./programs.ts";
import { startServiceProcess, until, type ServiceProcess } from "./service-process.ts";
import { drainSecondsOfGuide, type TwoUpstreams } from "./two-upstreams.ts";

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

/** Two processes on that database behind a proxy, under a steady load, while one after the other is replaced. */
export async function rollingRestart(databaseUrl: string, proxy: TwoUpstreams, load: Load): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-rolling-"));
  const plans = manyCalls(folder);
  const fleet = await makeFleet(databaseUrl, 17, "enterprise");
  const session = await signedInSession(databaseUrl);
  const [port, ...upstreams] = [await freePort(), await freePort(), await freePort()] as const;
  const start = (place: 0 | 1): Promise<ServiceProcess> =>
    startServiceProcess({
      TICKMARK_DATABASE_URL: databaseUrl,
      TICKMARK_SECRET: "a secret that two processes share",
      TICKMARK_PORT: String(upstreams[place]),
      TICKMARK_BASE_URL: `http://127.0.0.1:${port}`,
      TICKMARK_TRUST_PROXY: "127.0.0.1",
      TICKMARK_PLANS: plans,
      TICKMARK_DRAIN_SECONDS: drainSecondsOfGuide,
    });
  const running = [await start(0), await start(1)];
  const { args, environment } = proxy.prepare(folder, port, [upstreams[0], upstreams[1]]);
  const front = runProgram(proxy.program, args, environment);
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  try {
    const next = mixedRequests(fleet, session);
    await until(
      `${proxy.program} answers`,
      async () => (await sendRequest(agent, port, { ...next(17), path: "/readyz" })) === null,
    );
    const times: number[] = [];
    const failed: Record<string, number> = {};
    const sent: Promise<void>[] = [];
    const began = performance.now();
    const follow = async (asked: MixedRequest, due: number): Promise<void> => {
      const reason = await sendRequest(agent, port, asked);
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
