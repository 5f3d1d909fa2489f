import { once } from "node:events";
import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seenBody } from "../gates/costly-bodies.ts";
import { oneServer, type OneServer } from "./one-server.ts";
import { freePort } from "../support/free-port.ts";
import { start, untilAnswers } from "./processes.ts";

const senders = 12;
const restSeconds = 5;
const attackSeconds = 10;

let one: OneServer;
beforeAll(async () => {
  one = await oneServer();
});
afterAll(() => one.remove());

interface Target {
  readonly port: number;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Sends one request after the other on one kept connection until told to stop; tells each answer's status and ms. */
async function keepSending(
  { port, path, method, headers, body }: Target,
  stopped: AbortSignal,
  tell: (status: number, ms: number) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const length = body && { "content-length": String(body.length) };
  while (!stopped.aborted) {
    const began = performance.now();
    const outgoing = request({
      host: "127.0.0.1",
      port,
      path,
      method,
      agent,
      headers: { ...headers, ...length },
    });
    outgoing.end(body);
    const [response] = await once(outgoing, "response");
    await once(response.resume(), "end");
    tell(response.statusCode, performance.now() - began);
  }
  agent.destroy();
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Infinity;

async function during(seconds: number, work: (stopped: AbortSignal) => Promise<unknown>): Promise<void> {
  await work(AbortSignal.timeout(seconds * 1000));
}

it.each(["/plugin/v1/link-codes", "/plugin/v1/link-codes/claim"])(
  "twelve senders of bodies that cost much at %s, and what another user waits meanwhile",
  async (path) => {
    const port = await freePort();
    const service = start("dist/main.js", ["serve"], { ...one.environment, TICKMARK_PORT: String(port) });
    await untilAnswers(`http://127.0.0.1:${port}/healthz`);
    const other = {
      port,
      path: "/api/v1/servers",
      method: "GET",
      headers: { authorization: `Bearer ${one.token}` },
    };
    const attack = { port, path, method: "POST", headers: seenBody.headers, body: seenBody.bytes };
    try {
      const [rest, attacked]: [number[], number[]] = [[], []];
      const statuses: Record<number, number> = {};
      await during(restSeconds, (stopped) => keepSending(other, stopped, (_, ms) => rest.push(ms)));
      await during(attackSeconds, (stopped) =>
        Promise.all([
          keepSending(other, stopped, (_, ms) => attacked.push(ms)),
          ...Array.from({ length: senders }, () =>
            keepSending(attack, stopped, (status) => {
              statuses[status] = (statuses[status] ?? 0) + 1;
            }),
          ),
        ]),
      );
      const [p50, p99] = [quantile(rest, 0.5), quantile(rest, 0.99)];
      const [p50Then, p99Then] = [quantile(attacked, 0.5), quantile(attacked, 0.99)];
      console.log(
        `${path}: ${senders} senders of ${seenBody.bytes.length} bytes, answers ${JSON.stringify(statuses)}\n` +
          `GET /api/v1/servers at rest: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ` +
          `under attack: p50 ${p50Then.toFixed(1)} ms, p99 ${p99Then.toFixed(1)} ms ` +
          `(aim 3 × rest + 10 ms = ${(3 * p99 + 10).toFixed(1)} ms), ${attacked.length} calls`,
      );
      expect(attacked.length).toBeGreaterThan(0);
    } finally {
      service.kill();
    }
  },
);
