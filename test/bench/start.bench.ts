import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { oneServer } from "./one-server.ts";
import { freePort } from "../support/free-port.ts";
import { start, untilAnswers } from "./processes.ts";

const rounds = 5;
/** How long a service rests before its memory is read, ms. */
const restMs = 3000;

interface Started {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rssMb: number;
}

async function started(script: string, args: readonly string[], env: Record<string, string>, port: number) {
  const began = performance.now();
  const child = start(script, args, env);
  try {
    await untilAnswers(`http://127.0.0.1:${port}/healthz`);
    const wallMs = performance.now() - began;
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    await new Promise((resolve) => setTimeout(resolve, restMs));
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
    return { wallMs, cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssMb: Number(rss) / 1024 };
  } finally {
    child.kill("SIGKILL");
  }
}

/** The start of `serve` with a database that has its tables, beside a bare Fastify server in the same run. */
it("start of serve until it answers, and its memory at rest", async () => {
  const one = await oneServer();
  const [bare, service]: Started[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const [port, other] = [await freePort(), await freePort()];
    bare?.push(
      await started("test/bench/bare-server.mjs", [], { BARE_PORT: String(other), BARE_BODY: "{}" }, other),
    );
    const env = { ...one.environment, TICKMARK_PORT: String(port) };
    service?.push(await started("dist/main.js", ["serve"], env, port));
  }
  one.remove();
  const least = (runs: Started[] = []) =>
    `${Math.min(...runs.map(({ wallMs }) => wallMs)).toFixed(0)} ms wall, ${Math.min(...runs.map(({ cpuMs }) => cpuMs))} ms CPU, ` +
    `${Math.min(...runs.map(({ rssMb }) => rssMb)).toFixed(0)} MB at rest`;
  console.log(
    `start, the best of ${rounds}: serve ${least(service)} (aim 700 ms, 120 MB); bare Fastify ${least(bare)}`,
  );
  expect(service).toHaveLength(rounds);
});
