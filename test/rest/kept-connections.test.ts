import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { Connections } from "../../src/rest/connections.ts";
import { httpServer } from "../../src/rest/http-server.ts";
import { testApp, type TestApp } from "../support/test-app.ts";
import { answersIn, rawClient, requestText, type RawClient } from "../support/raw-client.ts";
import { startTestService } from "../support/service.ts";

const request = requestText("GET", "/hello");
const opened: { http: FastifyInstance; app: TestApp }[] = [];
afterEach(async () => {
  for (const { http, app } of opened.splice(0)) {
    await http.close();
    await app.close();
  }
});

/** The port of a server with one route. */
async function serverWith(announcedMs: number, graceMs: number): Promise<number> {
  const app = testApp();
  const http = httpServer(app.app, [], new Connections({ announcedMs, graceMs }));
  http.get("/hello", async () => ({ hello: "you" }));
  await http.listen({ port: 0, host: "127.0.0.1" });
  opened.push({ http, app });
  return (http.server.address() as AddressInfo).port;
}

/** The thread does something else. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const answered = ({ text }: RawClient): number => answersIn(text()).length;

describe("a connection between two requests", () => {
  it("[OUR-HTTP-20] is kept longer than pools of clients keep theirs, and every answer says how long", async () => {
    const service = await startTestService();
    const { headers } = await service.request("GET", "/healthz");
    await service.close();
    const announced = Number(/^timeout=(\d+)$/.exec(String(headers["keep-alive"]))?.[1]);
    expect(announced).toBeGreaterThanOrEqual(120);
    expect(headers.connection).toBe("keep-alive");
  });

  it("[OUR-HTTP-20] is kept for some time more than announced, and then ended", async () => {
    // More than the second that node adds by itself.
    const [announcedMs, graceMs] = [50, 1200];
    const client = await rawClient(await serverWith(announcedMs, graceMs), request);
    await client.received(/hello/);
    const idleSince = performance.now();
    await client.closed;
    expect(performance.now() - idleSince).toBeGreaterThanOrEqual(announcedMs + graceMs);
    expect(answered(client)).toBe(1);
  });

  it("[OUR-HTTP-20] loses no request that came in time, however busy the service was meanwhile", async () => {
    const announcedMs = 50;
    const port = await serverWith(announcedMs, 5000);
    const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(port, request)));
    for (const round of [2, 3]) {
      await Promise.all(
        clients.map(({ received }) => received(new RegExp(`(?:hello.*){${round - 1}}`, "s"))),
      );
      for (const { socket } of clients) socket.write(request);
      // The bytes are with the system; node adds a second of its own to the time, or none, as its version is.
      block(announcedMs + 1200);
    }
    await Promise.all(clients.map(({ received }) => received(/(?:hello.*){3}/s)));
    const lost = clients.reduce((sum, client) => sum + 3 - answered(client), 0);
    console.log(`kept connections: 150 requests, lost ${lost}`);
    expect(lost).toBe(0);
    for (const { socket } of clients) socket.destroy();
  });
});
