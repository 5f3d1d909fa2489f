import { consumeWindows } from "../../src/store/access/rate-windows.ts";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiLimits, heartbeatLimits } from "../../src/contract/limits/body-limits.ts";
import { profileOfSpark } from "../../src/core/import/spark-profile.ts";
import { minuteMs } from "../../src/core/time.ts";
import { exampleSample } from "../../src/endpoints/api/server/example-sample.ts";
import { seenBody } from "../gates/costly-bodies.ts";
import { roomyPlans, startTestService, type Answer, type TestService } from "../support/service.ts";
import { sharedData } from "../support/shared-data.ts";

/** A time in the past, so that samples of the hours before are no samples of the future. */
const now = { ms: Date.now() };
let service: TestService;
let credential: string;
let token: string;
let serverPath: string;
beforeAll(async () => {
  service = await startTestService({
    plans: roomyPlans,
    clock: () => now.ms,
    trustProxy: "127.0.0.1/32",
  });
  const owner = await service.account("enterprise");
  const server = await service.server(owner);
  credential = server.credential;
  token = await service.token(owner);
  serverPath = `/api/v1/servers/${server.id}`;
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

let addresses = 0;
const newAddress = () => ({ "x-forwarded-for": `10.0.${addresses >> 8}.${(addresses += 1) & 255}` });

/** Sends a head, and nothing of the body that it announces; resolves with all that came until an answer was whole. */
async function headAlone(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const socket = connect(service.port, "127.0.0.1");
  const lines = Object.entries({ host: `127.0.0.1:${service.port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  let text = "";
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString("latin1");
    const length = /content-length: (\d+)/.exec(text)?.[1];
    const bodyAt = text.indexOf("\r\n\r\n");
    if (bodyAt > 0 && text.length >= bodyAt + 4 + Number(length)) break;
  }
  return text;
}

const json = { "content-type": "application/json" };
const upload = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  service.request("POST", `/plugin/v1${path}`, { token: credential, body, headers });
const told = ({ status, json: body }: Answer) => [status, body["error"]];

describe("attempts without a credential", () => {
  it("[OUR-PLG-02] count although their body is refused", async () => {
    const from = newAddress();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 70; attempt += 1) {
      const headers = { ...seenBody.headers, ...from };
      const { status } = await service.request("POST", "/plugin/v1/link-codes", {
        body: seenBody.bytes,
        headers,
      });
      statuses.push(status);
    }
    const times = (status: number): number => statuses.filter((one) => one === status).length;
    console.log(`70 refused bodies: 413 ${times(413)} times, 429 ${times(429)} times`);
    expect([times(413), times(429)]).toEqual([60, 10]);
  });

  it("[OUR-PLG-02] asking whether a code was used is counted before the body comes", async () => {
    const from = newAddress();
    const [address] = Object.values(from);
    const limit = {
      kind: "address_link_claim",
      key: String(address),
      lengthMs: minuteMs,
      limit: 1000,
    } as const;
    for (let used = 0; used < 999; used += 1) await consumeWindows(service.app.db, [limit], now.ms);
    const path = "/plugin/v1/link-codes/claim";
    expect((await service.request("POST", path, { body: "{", headers: from })).status).toBe(400);
    const text = await headAlone(path, { ...json, ...from, "content-length": "4000" });
    expect(text).toMatch(/^HTTP\/1\.1 429 /);
    expect(text).toMatch(/retry-after: \d+\r\n/);
  });

  it.each([
    ["/oauth/token", "address_token_request", 600],
    ["/oauth/revoke", "address_token_request", 600],
    ["/sign-in", "address_form", 120],
  ] as const)("[OUR-HTTP-21] POST %s is counted before the body comes", async (path, kind, limit) => {
    const from = newAddress();
    const [key] = Object.values(from);
    const rule = { kind, key: String(key), lengthMs: minuteMs, limit };
    for (let used = 0; used < limit; used += 1) await consumeWindows(service.app.db, [rule], now.ms);
    const form = { "content-type": "application/x-www-form-urlencoded", ...from };
    expect(await headAlone(path, { ...form, "content-length": "4000" })).toMatch(/^HTTP\/1\.1 429 /);
    now.ms += minuteMs;
    const after = await service.request("POST", path, { body: "a=b", headers: form });
    expect(after.status).not.toBe(429);
  });
});

describe("bodies of callers who are not known", () => {
  it("[OUR-HTTP-16] are not waited for: the answer comes after the head", async () => {
    const wrong = { authorization: `Bearer ${service.app.secrets.newSecret("api")}` };
    for (const path of ["/plugin/v1/profiles", "/agent/v1/jobs/claim", "/api/v1/server-groups", "/mcp"]) {
      for (const presented of [{}, wrong]) {
        const head = { ...json, ...presented, ...newAddress(), "content-length": "500000" };
        expect([path, (await headAlone(path, head)).slice(0, 12)]).toEqual([path, "HTTP/1.1 401"]);
      }
    }
    expect(await headAlone("/nothing", { ...json, "content-length": "500000" })).toMatch(/^HTTP\/1\.1 404 /);
  });

  it("[OUR-HTTP-16] are 4 KiB long at most, once decompressed", async () => {
    const long = { installation_id: "6f1c0c52-8a39-4c5e-9d5b-0c6a3c1f2b11", more: "x".repeat(4100) };
    const headers = { ...newAddress(), "content-encoding": "gzip" };
    for (const path of ["/plugin/v1/link-codes", "/plugin/v1/link-codes/claim"]) {
      const body = gzipSync(JSON.stringify(long));
      const answer = await service.request("POST", path, { body, headers });
      expect([...told(answer), answer.json["limit"]]).toEqual([413, "too_large", 4096]);
    }
    for (const path of ["/oauth/token", "/oauth/register", "/sign-up", "/sign-in"]) {
      const type =
        path === "/oauth/register" ? json : { "content-type": "application/x-www-form-urlencoded" };
      const { status } = await service.request("POST", path, {
        // The form of the sign-in page may hold the answer of a passkey.
        body: "a=b&".repeat(path === "/sign-in" ? 3100 : 1100),
        headers: { ...newAddress(), ...type },
      });
      expect([path, status]).toEqual([path, 413]);
    }
  });

  it("[OUR-HTTP-18] are not read to their end: the answer arrives whole, and the connection ends", async () => {
    const socket = connect(service.port, "127.0.0.1");
    const head = `POST /plugin/v1/profiles HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: 1000000000\r\n\r\n`);
    const more = Buffer.alloc(256 * 1024, " ");
    const send = (): void => {
      while (socket.writable && socket.write(more));
    };
    socket.on("drain", send).on("error", () => {});
    send();
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    const began = performance.now();
    await new Promise((resolve) => socket.once("close", resolve));
    const seconds = (performance.now() - began) / 1000;
    console.log(
      `a body of 1 GB: sent ${(socket.bytesWritten / 2 ** 20).toFixed(1)} MiB in ${seconds.toFixed(1)} s`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).toContain("connection: close\r\n");
    expect(text).toMatch(/"error":"unauthorized".*\}$/);
    expect(socket.bytesWritten).toBeLessThan(100 * 1024 * 1024);
  });
});

describe("bodies that break off", () => {
  it("[OUR-HTTP-13] are no defect, and of a known server no rejected upload", async () => {
    const heads = [
      `POST /plugin/v1/profiles HTTP/1.1\r\nauthorization: Bearer ${credential}\r\ncontent-length: 9000000`,
      `POST /plugin/v1/samples HTTP/1.1\r\nauthorization: Bearer ${credential}\r\ntransfer-encoding: chunked`,
      `PATCH ${serverPath} HTTP/1.1\r\nauthorization: Bearer ${token}\r\ncontent-length: 1000`,
      "POST /plugin/v1/link-codes HTTP/1.1\r\ncontent-length: 1000",
      "POST /sign-in HTTP/1.1\r\ncontent-length: 1000",
    ];
    for (const head of heads) {
      const socket = connect(service.port, "127.0.0.1");
      const host = `host: 127.0.0.1:${service.port}`;
      socket.write(`${head}\r\n${host}\r\ncontent-type: application/json\r\n\r\n`);
      socket.write('5\r\n{"a":');
      expect((await service.request("GET", serverPath + "/status", { token })).status).toBe(200);
      socket.destroy();
      expect((await service.request("GET", "/healthz")).status).toBe(200);
    }
    const { json: status } = await service.request("GET", `${serverPath}/status`, { token });
    expect(status["monitoring"]).toMatchObject({ plugin_step: "never" });
  });
});

describe("what a JSON body holds", () => {
  const most = heartbeatLimits.values;
  const valuesIn = (count: number) => `{"later":[${"1,".repeat(count - 3)}1]}`;

  it("[OUR-HTTP-17] is counted before any is made: one value too many is 413, whatever follows", async () => {
    const fits = await upload("/heartbeat", valuesIn(most));
    expect(fits.json).toMatchObject({ error: "validation_error", path: "/sent_at" });
    const tooMany = await upload("/heartbeat", valuesIn(most + 1));
    expect([...told(tooMany), tooMany.json["limit"]]).toEqual([413, "too_large", most]);
    expect(told(await upload("/heartbeat", `[${"[],".repeat(most)}`))).toEqual([413, "too_large"]);
    now.ms += minuteMs;
    expect(told(await upload("/heartbeat", `["${"[],".repeat(most)}`))).toEqual([400, "invalid_json"]);
    const most8 = apiLimits.values;
    const inApi = await service.request("PATCH", serverPath, { token, body: `[${"1,".repeat(most8)}1]` });
    expect([...told(inApi), inApi.json["limit"]]).toEqual([413, "too_large", most8]);
    const inMcp = await service.request("POST", "/mcp", { token, body: `[${"1,".repeat(most8)}1]` });
    expect([inMcp.status, inMcp.text]).toEqual([400, expect.stringContaining("-32700")]);
  });

  it("[OUR-HTTP-17] names of members are counted each once, and members by object", async () => {
    now.ms += minuteMs;
    const named = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":1`).join();
    const apart = (count: number) => Array.from({ length: count }, (_, at) => `{"k${at}":1}`).join();
    const { names } = heartbeatLimits;
    const fits = await upload("/heartbeat", `{"later":[${apart(names - 1)}]}`);
    expect(fits.json).toMatchObject({ error: "validation_error", path: "/sent_at" });
    const tooMany = await upload("/heartbeat", `{"later":[${apart(names)}]}`);
    expect([...told(tooMany), tooMany.json["limit"]]).toEqual([413, "too_large", names]);
    const wide = await upload("/samples", `{"samples":[{${named(1001)}}]}`);
    expect([...told(wide), wide.json["message"]]).toEqual([
      400,
      "validation_error",
      expect.stringContaining("1000 members"),
    ]);
  });

  it("[OUR-HTTP-17] compressed JSON becomes 100 times as long, and 1 MiB in any case", async () => {
    now.ms += minuteMs;
    const gzip = { "content-encoding": "gzip" };
    const spaces = (mib: number) => gzipSync(`{}${" ".repeat(mib * 2 ** 20 - 2)}`);
    expect(told(await upload("/samples", spaces(1), gzip))).toEqual([400, "validation_error"]);
    now.ms += minuteMs;
    const bomb = await upload("/samples", spaces(1.5), gzip);
    expect([...told(bomb), bomb.json["limit"]]).toEqual([413, "too_large", 2 ** 20]);
    now.ms += minuteMs;
    expect(told(await upload("/samples", seenBody.bytes, gzip))).toEqual([413, "too_large"]);
    now.ms += minuteMs;
    const beat = await upload("/heartbeat", seenBody.bytes, gzip);
    expect([...told(beat), beat.json["limit"]]).toEqual([413, "too_large", 64 * 1024]);
    now.ms += minuteMs;
  });

  it("[OUR-HTTP-17] what servers honestly send is taken: a thousand equal samples, a recorded profile", async () => {
    const gzip = { "content-encoding": "gzip" };
    const samples = Array.from({ length: 1000 }, (_, at) => ({
      ...exampleSample,
      sampled_at: new Date(now.ms - at * 30_000).toISOString(),
    }));
    const text = JSON.stringify({ samples });
    const packed = gzipSync(text);
    console.log(
      `1,000 equal samples: ${text.length} bytes, ${(text.length / packed.length).toFixed(0)} to 1`,
    );
    expect(packed.length * 100).toBeLessThan(text.length);
    expect((await upload("/samples", packed, gzip)).json).toMatchObject({ stored: 1000 });
    const file = sharedData("spark/uUrbLpnMju.sparkprofile");
    if (file === null) return;
    const profile = gzipSync(JSON.stringify(profileOfSpark(readFileSync(file), "recorded")));
    expect((await upload("/profiles", profile, gzip)).status).toBe(201);
  });
});
