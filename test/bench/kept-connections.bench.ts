import { Agent, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import autocannon from "autocannon";
import { afterAll, beforeAll, expect, it } from "vitest";
import { oneServer, type OneServer } from "./one-server.ts";
import { freePort } from "../support/free-port.ts";
import { start, untilAnswers } from "./processes.ts";

/** The build that is measured; another one's for the figure before a change. */
const main = process.env["BENCH_MAIN"] ?? "dist/main.js";

const connections = 500;
const rounds = 10;
/** Requests that follow each other before a client rests. */
const burst = 4;
/** How long a client rests, ms: around the 10 seconds for which the service once kept an idle connection. */
const [shortestMs, longestMs] = [9000, 13_000];
/** The habit of many pools: an idle connection is used again for a minute, whatever the server announces. */
const habitMs = 60_000;

let one: OneServer;
beforeAll(async () => {
  one = await oneServer();
});
afterAll(() => one.remove());

class Pool extends Agent {
  override keepSocketAlive(socket: Socket): boolean {
    socket.setKeepAlive(true, 1000);
    socket.setTimeout(habitMs);
    return true;
  }
}

/** One request; the code of what became of it, or "answered". */
const ask = (agent: Agent, port: number, path: string, authorization: string): Promise<string> =>
  new Promise((resolve) => {
    const outgoing = httpRequest(
      { host: "127.0.0.1", port, path, agent, headers: { authorization } },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode === 200 ? "answered" : String(answer.statusCode)));
        answer.on("error", () => resolve("broken off"));
      },
    );
    outgoing.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "failed"));
    outgoing.end();
  });

const rest = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, shortestMs + Math.random() * (longestMs - shortestMs)));

it("500 kept connections with rests around 10 s, while the service is busy: requests that are lost", async () => {
  const port = await freePort();
  const service = start(main, ["serve"], { ...one.environment, TICKMARK_PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/healthz`);
  const load = { url: `${url}/api/v1/openapi.json`, connections: 12, duration: 3600 };
  const busy = autocannon(load, () => {});
  const agent = new Pool({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  const counts: Record<string, number> = {};
  const path = `/api/v1/servers/${one.serverId}/status`;
  try {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (let round = 0; round < rounds; round += 1) {
          for (let each = 0; each < burst; each += 1) {
            const outcome = await ask(agent, port, path, `Bearer ${one.token}`);
            counts[outcome] = (counts[outcome] ?? 0) + 1;
          }
          await rest();
        }
      }),
    );
  } finally {
    busy.stop();
    agent.destroy();
    service.kill();
  }
  const all = connections * rounds * burst;
  console.log(
    `kept connections: ${all} requests over ${connections}, lost ${all - (counts["answered"] ?? 0)}`,
    counts,
  );
  expect(counts).toEqual({ answered: all });
});
