import { spawn, spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lines } from "../../src/mcp/transport/lines.ts";
import { oneServer, type OneServer } from "./one-server.ts";
import { freePort } from "../support/free-port.ts";
import { start, untilAnswers } from "./processes.ts";

let one: OneServer;
let url: string;
let served: ReturnType<typeof start>;
beforeAll(async () => {
  one = await oneServer();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  served = start("dist/main.js", ["serve"], { ...one.environment, TICKMARK_PORT: String(port) });
  await untilAnswers(`${url}/healthz`);
});
afterAll(() => {
  served.kill();
  one.remove();
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** A connector in a process of its own, asked one thing after the other. */
function connect() {
  const began = performance.now();
  const child = spawn(process.execPath, ["dist/main.js", "mcp"], {
    env: { ...process.env, TICKMARK_URL: url, TICKMARK_TOKEN: one.token },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = lines(child.stdout);
  let id = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { value } = (await answers.next()) as { value: string };
    expect(JSON.parse(value)).toHaveProperty("result");
    return value;
  };
  const end = async (): Promise<void> => {
    child.stdin.end();
    await answers.next();
  };
  return { began, ask, end };
}

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "a bench", version: "1" },
};
const status = () => ({ name: "get_server_status", arguments: { server_id: one.serverId } });

it("cold start of the stdio connector: first answer, list of tools, first call", async () => {
  const starts: number[][] = [];
  const bare: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const before = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    bare.push(performance.now() - before);
    const { began, ask, end } = connect();
    const at: number[] = [];
    for (const [method, params] of [
      ["initialize", hello],
      ["tools/list", {}],
      ["tools/call", status()],
    ] as const) {
      await ask(method, params);
      at.push(performance.now() - began);
    }
    await end();
    starts.push(at);
  }
  const [first, list, call] = [0, 1, 2].map((step) => median(starts.map((at) => at[step] ?? 0)).toFixed(0));
  console.log(
    `stdio from start, p50 of ${starts.length}: first answer ${first} ms (aim 250), tools/list ${list} ms, first tools/call ${call} ms; an empty program of Node ${median(bare).toFixed(0)} ms`,
  );
});

it("a call over stdio beside the same call of REST", async () => {
  const { ask, end } = connect();
  await ask("initialize", hello);
  const [stdio, rest]: [number[], number[]] = [[], []];
  const headers = { authorization: `Bearer ${one.token}` };
  for (let round = 0; round < 600; round += 1) {
    const before = performance.now();
    await ask("tools/call", status());
    const between = performance.now();
    const answer = await fetch(`${url}/api/v1/servers/${one.serverId}/status`, { headers });
    await answer.text();
    // The first hundred warm up.
    if (round < 100) continue;
    stdio.push(between - before);
    rest.push(performance.now() - between);
  }
  await end();
  console.log(
    `p50 of ${stdio.length} calls in turn: stdio ${median(stdio).toFixed(2)} ms, REST ${median(rest).toFixed(2)} ms, over REST's own ${(median(stdio) - median(rest)).toFixed(2)} ms (aim 1.5)`,
  );
});
