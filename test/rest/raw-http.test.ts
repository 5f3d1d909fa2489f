import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { sharedData } from "../support/shared-data.ts";
import { ownTime } from "../support/own-time.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

interface Closed {
  readonly text: string;
  readonly seconds: number;
}

/** A connection of its own that `drip` feeds; what came back, and after how many seconds of this process's own time it was closed. */
function slowly(drip: (socket: Socket) => (() => void) | null, halfOpen = false): Promise<Closed> {
  const own = ownTime();
  return new Promise((resolve) => {
    let text = "";
    const socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: halfOpen });
    const next = drip(socket);
    const timer = next && setInterval(next, 500);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (timer) clearInterval(timer);
      resolve({ text, seconds: own() / 1000 });
    });
  });
}

/** Sends bytes, waits until the other side closes or says nothing for a while, and gives what came back. */
function exchange(bytes: string, patienceMs = 250): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(service.port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));

describe("slow clients", () => {
  it("[OUR-HTTP-10] a slow header, a slow body and silence end in time while others are served", async () => {
    const host = "Host: a\r\n";
    const write = (socket: Socket, bytes: string) => () => void socket.write(bytes);
    const attacks = {
      header: slowly(
        (socket) => (socket.write(`GET /healthz HTTP/1.1\r\n${host}`), write(socket, "X: y\r\n")),
      ),
      body: slowly((socket) => {
        socket.write(
          `POST /plugin/v1/link-codes HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n{`,
        );
        return write(socket, " ");
      }),
      silent: slowly(() => null),
      halfOpen: slowly(
        (socket) => (socket.write(`GET /healthz HTTP/1.1\r\n`), write(socket, "X: y\r\n")),
        true,
      ),
    };
    const others: number[] = [];
    const attack = new AbortController();
    const meanwhile = (async () => {
      while (!attack.signal.aborted) {
        const own = ownTime();
        expect((await service.request("GET", "/api/v1/reports")).status).toBe(200);
        others.push(own());
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    const closed: Record<string, Closed> = {};
    for (const [name, ended] of Object.entries(attacks)) closed[name] = await ended;
    attack.abort();
    await meanwhile;
    others.sort((a, b) => a - b);
    const p99 = others[Math.floor(others.length * 0.99)] ?? Infinity;
    const seconds = Object.fromEntries(
      Object.entries(closed).map(([name, { seconds: after }]) => [name, Number(after.toFixed(1))]),
    );
    console.log(
      "slow clients closed after seconds:",
      seconds,
      `p99 of ${others.length} calls of another client: ${p99.toFixed(1)} ms`,
    );
    for (const name of ["header", "silent", "halfOpen"]) expect(seconds[name]).toBeLessThan(15);
    expect(seconds["body"]).toBeLessThan(25);
    for (const name of ["header", "body"]) {
      expect(closed[name]?.text).toMatch(/^HTTP\/1\.1 408 .*\r\n(?:.*\r\n)*x-ratelimit-window: day\r\n/);
    }
    expect(p99).toBeLessThan(1000);
  });
});

describe("malformed HTTP", () => {
  const file = sharedData("web/http_raw_llhttp.json");

  it.skipIf(file === null)(
    "[OUR-HTTP-11] no message the reference parser refuses is answered 2xx",
    async () => {
      const cases = JSON.parse(readFileSync(file ?? "", "utf8")) as {
        title: string;
        meta: string;
        raw: string;
        expect_llhttp: string;
      }[];
      const bad = cases.filter(
        ({ expect_llhttp, meta }) => expect_llhttp === "error" && meta.includes('"request'),
      );
      const counts = { messages: 0, answered4xx: 0, closedUnanswered: 0 };
      const good: string[] = [];
      for (const { title, raw: written } of bad) {
        const raw = written.replaceAll("\\f", "\f");
        // The collection writes one line end for two; a Host and a route of ours make each message one we would like to answer.
        for (const bytes of [raw, raw.replaceAll(/(?<!\r)\n/g, "\r\n"), hosted(raw)]) {
          const statuses = statusesIn(await exchange(bytes, 60));
          counts.messages += 1;
          if (statuses.length === 0) counts.closedUnanswered += 1;
          else if (statuses.some((status) => status < 300)) good.push(`${title}: ${JSON.stringify(bytes)}`);
          else counts.answered4xx += 1;
        }
      }
      console.log(`llhttp error cases: ${bad.length}, answered 2xx: ${good.length}`, counts);
      expect(good).toEqual([]);
      expect(counts.messages).toBeGreaterThan(40);
    },
  );

  const hosted = (raw: string): string =>
    raw
      .replaceAll(/(?<!\r)\n/g, "\r\n")
      .replace(/^(\w+) \S+/, "$1 /api/v1/reports")
      .replace("\r\n", "\r\nHost: localhost\r\n");

  it("[OUR-HTTP-11] two Host headers, or none, are 400 and the connection ends", async () => {
    for (const head of ["Host: a\r\nHost: b\r\n", "Host: a\r\nhOST: a\r\n", ""]) {
      const text = await exchange(
        `GET /api/v1/reports HTTP/1.1\r\n${head}\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`,
      );
      expect([head, statusesIn(text)]).toEqual([head, [400]]);
      expect(text).toContain('"error":"validation_error"');
      expect(text).toMatch(/x-ratelimit-limit: \d+\r\n/);
    }
    expect(statusesIn(await exchange("GET /api/v1/reports HTTP/1.0\r\n\r\n"))).toEqual([200]);
  });

  it("[OUR-HTTP-11] two Authorization headers are 400: neither would be the one that counts", async () => {
    const token = await service.token(await service.account());
    const text = await exchange(
      `GET /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer bad\r\n\r\n`,
    );
    expect(statusesIn(text)).toEqual([400]);
  });

  it("[OUR-HTTP-11] a message with two lengths, or a length and chunks, is refused and nothing behind it is answered", async () => {
    const second = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    const start = "POST /plugin/v1/link-codes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    const smuggled = [
      `${start}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}${second}`,
      `${start}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
      `${start}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${second}`,
      `${start}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${second}`,
      `${start}Content-Length: +2\r\n\r\n{}${second}`,
      `${start}Content-Length: 0x2\r\n\r\n{}${second}`,
      `${start}Transfer-Encoding: chunked\r\n\r\n2;\n{}\r\n0\r\n\r\n${second}`,
    ];
    for (const bytes of smuggled) {
      const statuses = statusesIn(await exchange(bytes));
      expect([bytes, statuses.every((status) => status >= 400)]).toEqual([bytes, true]);
      expect(statuses.length).toBeLessThan(2);
    }
  });

  it("[OUR-HTTP-11] heads too long, unknown expectations and upgrades are answered with our headers", async () => {
    const answers = [
      [431, `GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`],
      [401, "GET /api/v1/token HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n"],
      [401, "GET /api/v1/token HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"],
      [404, "GET http://elsewhere.example/nothing HTTP/1.1\r\nHost: a\r\n\r\n"],
      [400, "GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ] as const;
    for (const [status, bytes] of answers) {
      const text = await exchange(bytes);
      expect(statusesIn(text)).toEqual([status]);
      expect(text).toMatch(/x-ratelimit-window: day\r\n/);
      expect(text).toMatch(/x-request-id: [0-9a-f]+-\w+\r\n/);
      expect(text).toContain("cache-control: no-store\r\n");
    }
  });

  it("[OUR-HTTP-19] a request that is neither HTTP/1.1 nor HTTP/1.0 is 400", async () => {
    for (const line of ["GET /healthz", "GET /healthz HTTP/0.9", "GET /healthz HTTP/2.0", "PRI * HTTP/2.0"]) {
      const text = await exchange(`${line}\r\nHost: a\r\n\r\n`);
      expect([line, statusesIn(text)]).toEqual([line, [400]]);
      expect(text).toContain("x-content-type-options: nosniff\r\n");
    }
    expect(statusesIn(await exchange("GET /healthz\r\n"))).toEqual([]);
  });

  it("[OUR-HTTP-11] CONNECT opens nothing", async () => {
    expect(
      statusesIn(await exchange("CONNECT localhost:80 HTTP/1.1\r\nHost: a\r\n\r\n")).every(
        (status) => status >= 400,
      ),
    ).toBe(true);
  });
});
