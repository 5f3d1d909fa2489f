import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SendFailed, SendResult } from "../../src/core/notice/notifier.ts";
import { webhookUrl } from "../../src/core/notice/webhook-url.ts";
import { notifier } from "../../src/outbound/notifier.ts";
import type { Reach } from "../../src/outbound/reach.ts";
import {
  baseUrl,
  certificate,
  lag,
  startReceiver,
  startTrap,
  watchConnections,
  type Receiver,
  type Trap,
  type Watch,
} from "./receiver.ts";
import { ownTime } from "../support/own-time.ts";

const here: Reach = {
  resolve: async () => ["127.0.0.1"],
  isAllowed: (address) => address === "127.0.0.1",
  authority: certificate,
};
const mailFrom = { name: "", address: "tickmark@localhost" };
const { send } = notifier({ smtpUrl: null, baseUrl, mailFrom, reach: here });
const secretPath = "/services/T000/B000/secret-path-of-the-webhook";
const urlOf = (port: number, host = "hooks.test.example"): string => `https://${host}:${port}${secretPath}`;
const post = (url: string): Promise<SendResult> => send("chat", url, lag, "1");
const failedOf = (result: SendResult): SendFailed => {
  if (result.status !== "failed") throw new Error(`It was ${result.status}.`);
  return result;
};

let receiver: Receiver;
let silent: Trap;
let watch: Watch;

beforeAll(async () => {
  receiver = await startReceiver();
  silent = await startTrap("127.0.0.1");
});
afterAll(() => Promise.all([receiver.close(), silent.close()]));
beforeEach(() => {
  watch = watchConnections();
});
afterEach(() => watch.stop());

describe("the address of a webhook", () => {
  it.each([
    "https://hooks.slack.com/services/T000/B000/xxx",
    "https://discord.com/api/webhooks/1/abc?thread_id=1",
    "https://chat.example:8443/hooks/1",
    "https://chat.example:443/hooks/1",
    "HTTPS://CHAT.EXAMPLE:65535",
  ])("[OUR-DLV-04] %j is one", (url) => {
    expect(webhookUrl(url)).toBeInstanceOf(URL);
  });

  it.each([
    "",
    "hooks.slack.com/services/x",
    "http://hooks.slack.com/services/x",
    "ftp://hooks.slack.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://user@chat.example/x",
    "https://:secret@chat.example/x",
    "https://chat.example:25/x",
    "https://chat.example:80/x",
    "https://chat.example:465/x",
    "https://chat.example:636/x",
    "https://chat.example:1023/x",
    "https://chat.example:0/x",
    "https://chat.example:65536/x",
    "https://",
    `https://chat.example/${"x".repeat(2048)}`,
  ])("[OUR-DLV-04] %j is none", async (url) => {
    expect(webhookUrl(url)).toBeNull();
    expect(await post(url)).toMatchObject({ status: "failed", reason: "provider_error" });
    expect(watch.targets).toEqual([]);
  });
});

describe("posting to a webhook", () => {
  it("[OUR-DLV-06] [OUR-DLV-07] goes to the checked address, under the name the certificate has to be for", async () => {
    receiver.answer = (response) => void response.writeHead(200).end("ok");
    expect(await post(urlOf(receiver.port))).toEqual({ status: "sent" });
    expect(receiver.received.at(-1)).toMatchObject({
      method: "POST",
      path: secretPath,
      servername: "hooks.test.example",
      headers: { host: `hooks.test.example:${receiver.port}`, "content-type": "application/json" },
    });
    expect(await post(urlOf(receiver.port, "127.0.0.1"))).toEqual({ status: "sent" });
    const before = receiver.received.length;
    expect(await post(urlOf(receiver.port, "somebody-else.test.example"))).toMatchObject({
      detail: "no connection (ERR_TLS_CERT_ALTNAME_INVALID)",
    });
    expect(receiver.received.length).toBe(before);
  });

  it("[OUR-DLV-09] tells why a message did not go out, and [OUR-DLV-13] neither where to nor what was answered", async () => {
    const results: SendResult[] = [];
    for (const [status, expected] of [
      [200, { status: "sent" }],
      [204, { status: "sent" }],
      [302, { status: "failed", reason: "provider_error" }],
      [400, { status: "failed", reason: "provider_error" }],
      [404, { status: "failed", reason: "provider_error" }],
      [429, { status: "failed", reason: "rate_limited" }],
      [500, { status: "failed", reason: "provider_error" }],
    ] as const) {
      receiver.answer = (response) => void response.writeHead(status).end(`no ${secretPath} here`);
      const result = await post(urlOf(receiver.port));
      expect(result).toMatchObject(expected);
      results.push(result);
    }
    receiver.answer = (response) => void response.socket?.destroy();
    results.push(await post(urlOf(receiver.port)), await post(urlOf(1)), await post(`${urlOf(1)} x\n`));
    results.push(await post(secretPath), await post(urlOf(65_535)));
    expect(results.slice(-5).every(({ status }) => status === "failed")).toBe(true);
    expect(JSON.stringify(results)).not.toMatch(/secret|test\.example|127\.0/);
  });

  it("[OUR-ALR-64] [OUR-ALR-65] [OUR-ALR-66] says whether it is worth another attempt, and when", async () => {
    const answers = async (status: number, headers: Record<string, string> = {}) => {
      receiver.answer = (response) => void response.writeHead(status, headers).end();
      const { again, retryAfterMs } = failedOf(await post(urlOf(receiver.port)));
      return [again, retryAfterMs];
    };
    for (const status of [400, 401, 403, 404, 405, 410, 413, 422, 451, 499])
      expect(await answers(status), `${status}`).toEqual(["never", null]);
    for (const status of [302, 408, 425, 429, 500, 502, 503, 504])
      expect(await answers(status), `${status}`).toEqual(["later", null]);
    expect(await answers(429, { "retry-after": "90" })).toEqual(["later", 90_000]);
    expect(await answers(503, { "retry-after": "0.65" })).toEqual(["later", 650]);
    for (const nonsense of ["soon", "-5", "1e9", "0", "Thu, 01 Jan 1970 00:00:00 GMT", "9".repeat(40)])
      expect(await answers(429, { "retry-after": nonsense }), nonsense).toEqual(["later", null]);
    const [, wait] = await answers(429, { "retry-after": new Date(Date.now() + 120_000).toUTCString() });
    expect(wait).toBeGreaterThan(60_000);
    expect(wait).toBeLessThanOrEqual(120_000);
    receiver.answer = (response) => void response.socket?.destroy();
    expect(failedOf(await post(urlOf(receiver.port)))).toMatchObject({ again: "unknown" });
    expect(failedOf(await post(urlOf(65_535)))).toMatchObject({ again: "later" });
  });

  it("[OUR-DLV-08] is over after 3 s, whatever it waits for", async () => {
    const stages: Record<string, (response: ServerResponse) => void> = {
      "the status": () => {},
      "the rest of the headers": (response) => void response.socket?.write("HTTP/1.1 200 OK\r\nx: "),
    };
    const measured: string[] = [];
    const timed = async (what: string, url: string): Promise<void> => {
      const own = ownTime();
      const start = performance.now();
      expect(await post(url), what).toMatchObject({ status: "failed", reason: "timeout" });
      const ownMs = own();
      const took = performance.now() - start;
      measured.push(`${what} ${took.toFixed(0)} ms`);
      expect(took).toBeGreaterThan(2_900);
      expect(ownMs).toBeLessThan(4_000);
    };
    const receivers = await Promise.all(Object.keys(stages).map(() => startReceiver()));
    const waits = Object.entries(stages).map(([what, answer], index) => {
      const waiting = receivers[index];
      if (!waiting) throw new Error("Each stage has a receiver.");
      waiting.answer = answer;
      return timed(what, urlOf(waiting.port));
    });
    await Promise.all([...waits, timed("the TLS handshake", urlOf(silent.port))]);
    await Promise.all(receivers.map((each) => each.close()));
    console.log(`webhook: given up while waiting for ${measured.join(", ")}`);
  });

  it("[OUR-DLV-08] reads next to nothing of an answer that has no end, and waits for none of it", async () => {
    const chunk = Buffer.alloc(65_536, "x");
    const bodies: Record<string, (response: ServerResponse) => void> = {
      endless: (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      },
      dribbling: (response) => void response.write("x"),
    };
    for (const [what, answer] of Object.entries(bodies)) {
      receiver.answer = (response) => answer(response.writeHead(200));
      const before = watch.bytesRead();
      const own = ownTime();
      expect(await post(urlOf(receiver.port))).toEqual({ status: "sent" });
      const ms = own();
      const read = watch.bytesRead() - before;
      console.log(`webhook: ${what} answer: ${read} bytes read, TLS included`);
      expect(read).toBeLessThan(65_536);
      expect(ms).toBeLessThan(1_000);
    }
  });

  it("[OUR-DLV-13] never throws, whatever its look-up or destination does", async () => {
    const throwing = notifier({
      smtpUrl: null,
      baseUrl,
      mailFrom,
      reach: {
        resolve: () => {
          throw new Error(`no ${secretPath}`);
        },
        isAllowed: () => true,
      },
    });
    for (const url of [urlOf(receiver.port), "https://\ud800/", "https://[::1"]) {
      const result = await throwing.send("chat", url, lag, "1");
      expect(result).toMatchObject({ status: "failed", reason: "provider_error" });
      expect(JSON.stringify(result)).not.toContain("secret");
    }
  });
});
