import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { benchPlace } from "./bench-place.ts";
import { Agent, request } from "undici";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { makeFleet } from "../support/fleet.ts";
import { startServiceProcess } from "../support/service-process.ts";
import { heartbeat } from "./heartbeats.ts";

/** Each unit of load is a heartbeat and an overview of the fleet: what is refused last, and what is refused first. */
const servers = 300;
const seconds = Number(process.env["BENCH_SECONDS"] ?? 20);
const shares = (process.env["BENCH_SHARES"] ?? "0.5,1,2,4").split(",").map(Number);
const { folder, plans, postgres } = benchPlace(
  "overload",
  { ...defaultPlans.enterprise, monitored_servers: servers },
  true,
);

interface Answers {
  readonly name: string;
  readonly took: number[];
  refused: number;
  /** The status, or the code of the error, of each call that was neither answered nor refused. */
  readonly failed: (number | string)[];
}

const at = (sorted: readonly number[], share: number): string =>
  sorted.length === 0
    ? "-"
    : (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);

const shown = ({ name, took, refused, failed }: Answers): string => {
  const sorted = took.toSorted((a, b) => a - b);
  return `${name}: ${took.length} answered (p50 ${at(sorted, 0.5)}, p99 ${at(sorted, 0.99)} ms), ${refused} refused, ${failed.length} failed${failed.length === 0 ? "" : ` (${[...new Set(failed)].join(", ")})`}`;
};

it.each(["sqlite", "postgres"])(
  "what is answered and refused at 0.5 to 4 times what the service can do, %s",
  async (kind) => {
    const url = kind === "sqlite" ? `sqlite:${join(folder, "overload.db")}` : postgres().url;
    const fleet = await makeFleet(url, servers, "enterprise");
    const service = await startServiceProcess({
      TICKMARK_DATABASE_URL: url,
      TICKMARK_SECRET: "a secret of the bench",
      TICKMARK_PLANS: plans,
    });
    const dispatcher = new Agent({
      connections: null,
      pipelining: 1,
      headersTimeout: 120_000,
      bodyTimeout: 120_000,
    });
    let next = 0;
    let accepted = 0;
    const beat = async (): Promise<number> => {
      const server = fleet.servers[(next = (next + 1) % servers)];
      const { statusCode, body } = await request(`${service.baseUrl}/plugin/v1/heartbeat`, {
        dispatcher,
        method: "POST",
        headers: { authorization: `Bearer ${server?.credential}`, "content-type": "application/json" },
        body: heartbeat(),
      });
      await body.dump();
      if (statusCode === 200) accepted += 1;
      return statusCode;
    };
    const look = async (): Promise<number> => {
      const { statusCode, body } = await request(`${service.baseUrl}/api/v1/monitoring/overview`, {
        dispatcher,
        headers: { authorization: `Bearer ${fleet.token}` },
      });
      await body.dump();
      return statusCode;
    };
    for (let each = 0; each < servers; each += 1) await beat();
    await delay(5000);
    const until = performance.now() + 6000;
    let done = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (performance.now() < until) {
          await Promise.all([beat(), look()]);
          done += 1;
        }
      }),
    );
    const capacity = done / 6;
    console.log(
      `${kind}: the service does ${capacity.toFixed(0)} heartbeats and as many overviews of ${servers} servers a second`,
    );
    for (const share of shares) {
      const beats: Answers = { name: "heartbeats", took: [], refused: 0, failed: [] };
      const looks: Answers = { name: "overviews", took: [], refused: 0, failed: [] };
      const under: Promise<void>[] = [];
      const send = (into: Answers, call: () => Promise<number>): void => {
        const begun = performance.now();
        const ended = (status: number): void => {
          if (status === 503) into.refused += 1;
          else if (status === 200) into.took.push(performance.now() - begun);
          else into.failed.push(status);
        };
        const failed = (error: unknown): void =>
          void into.failed.push((error as { code?: string }).code ?? String(error));
        under.push(call().then(ended, failed));
      };
      const begun = performance.now();
      for (let sent = 0; ;) {
        const elapsed = (performance.now() - begun) / 1000;
        if (elapsed > seconds) break;
        for (; sent < elapsed * capacity * share; sent += 1) {
          send(beats, beat);
          send(looks, look);
        }
        await delay(5);
      }
      const ended = performance.now();
      await Promise.all(under);
      const drained = performance.now() - ended;
      for (;;) {
        const from = performance.now();
        const status = await look();
        if (status === 200 && performance.now() - from < 250) break;
        await delay(50);
      }
      const recovered = performance.now() - ended;
      console.log(
        `${kind} ${share} ×: ${shown(beats)}; ${shown(looks)}; last answer ${(drained / 1000).toFixed(1)} s after the load, usual again after ${(recovered / 1000).toFixed(1)} s`,
      );
    }
    await service.stop();
    const raw = await openRaw(url);
    const stored = Number((await raw.rows("SELECT count(*) AS count FROM sample"))[0]?.["count"]);
    await raw.close();
    console.log(`${kind}: ${accepted} heartbeats acknowledged, ${stored} samples stored`);
    await dispatcher.close();
    expect(stored).toBeGreaterThan(0);
  },
  3_600_000,
);
