import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pluginEndpoints } from "../../../src/endpoints/plugin/registry.ts";
import { heartbeatLimits } from "../../../src/contract/limits/body-limits.ts";
import { referencePayload, type Json } from "../../support/payload.ts";
import {
  roomyPlans,
  startTestService,
  type Answer,
  type Asked,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { handClock, minuteMs, secondMs } from "../../support/clock.ts";
import { storedReports } from "../../rest/rows.ts";

let service: TestService;
let server: LinkedServer;
let reader: string;
const clock = handClock();

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  const owner = await service.account("enterprise");
  server = await service.server(owner);
  reader = await service.token(owner);
});
beforeEach(() => clock.advance(minuteMs));
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const at = (offsetMs = 0): string => new Date(clock.now() + offsetMs).toISOString();
const send = (path: string, body: unknown, headers: Asked["headers"] = {}): Promise<Answer> =>
  service.request("POST", `/plugin/v1${path}`, { token: server.credential, body, headers });
const beat = (more: Json = {}): Json => ({ sent_at: at(), plugin_version: "1.10.2", ...more });
const status = async (): Promise<Json> =>
  (await service.request("GET", `/api/v1/servers/${server.id}/status`, { token: reader })).json;

describe("bodies", () => {
  it("[OUR-PLG-03] may be gzip; the limit is on what comes out", async () => {
    const packed = (value: unknown) => gzipSync(Buffer.from(JSON.stringify(value)));
    for (const coding of ["gzip", "GZIP", "x-gzip"]) {
      expect((await send("/heartbeat", packed(beat()), { "content-encoding": coding })).status).toBe(200);
    }
    expect((await send("/heartbeat", beat(), { "content-encoding": "identity" })).status).toBe(200);
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20), { level: 9 });
    const started = process.memoryUsage().rss;
    const answer = await send("/heartbeat", bomb, { "content-encoding": "gzip" });
    expect([answer.status, answer.json["error"]]).toEqual([413, "too_large"]);
    const grownMib = (process.memoryUsage().rss - started) / 1024 / 1024;
    console.log(
      `a bomb of ${bomb.length} bytes for 200 MiB: too_large, memory grew ${grownMib.toFixed(0)} MiB`,
    );
    expect(grownMib).toBeLessThan(100);
    const plain = await send("/heartbeat", Buffer.alloc(heartbeatLimits.bytes + 1, 0x20));
    expect([plain.status, plain.json["error"]]).toEqual([413, "too_large"]);
  });

  it("[OUR-PLG-03] broken gzip is invalid_body, other codings and media types 415", async () => {
    const whole = gzipSync(JSON.stringify(beat()));
    for (const body of [
      Buffer.from("{}"),
      whole.subarray(0, -9),
      Buffer.concat([whole.subarray(0, 12), Buffer.alloc(20)]),
    ]) {
      expect((await send("/heartbeat", body, { "content-encoding": "gzip" })).json["error"]).toBe(
        "invalid_body",
      );
    }
    for (const coding of ["br", "deflate", "gzip, gzip", "zstd"]) {
      const { status: code, json } = await send("/heartbeat", beat(), { "content-encoding": coding });
      expect([coding, code, json["error"]]).toEqual([coding, 415, "unsupported_media_type"]);
    }
    for (const type of ["text/plain", "application/octet-stream", "garbage", "", "application/json2"]) {
      const { status: code, json } = await send("/heartbeat", beat(), { "content-type": type });
      expect([type, code, json["error"]]).toEqual([type, 415, "unsupported_media_type"]);
    }
  });

  it("[OUR-PLG-04] unknown keys are ignored at every depth, missing nullable ones are null", async () => {
    const body = `{"sent_at":"${at()}","plugin_version":"1","__proto__":{"polluted":1},"constructor":{},"later":[1],"sample":{"sampled_at":"${at()}","mspt":12,"later":{},"worlds_top":[{"name":"w","later":1}]}}`;
    expect((await send("/heartbeat", body)).json["accepted"]).toBe(true);
    expect(Object.prototype).not.toHaveProperty("polluted");
    const { current, last_tick_age_ms } = await status();
    expect(current).toMatchObject({
      mspt: 12,
      tps: null,
      regions: null,
      worlds_top: [{ name: "w", players: null, entities: null, chunks: null }],
    });
    expect([last_tick_age_ms, JSON.stringify(current).includes("later")]).toEqual([null, false]);
  });

  it("[OUR-PLG-05] a wrong value is told by its JSON Pointer, and nothing of the body is stored", async () => {
    const good = { sampled_at: at(-secondMs), tps: 20 };
    const samples = (bad: Json) => ({ samples: [good, bad, { sampled_at: at(-2 * secondMs), tps: 19 }] });
    const wrong: readonly (readonly [string, string, unknown])[] = [
      ["/samples", "/samples/1/tps", samples({ sampled_at: at(), tps: "20" })],
      ["/samples", "/samples/1/tps", samples({ sampled_at: at(), tps: 26 })],
      ["/samples", "/samples/1/sampled_at", samples({ tps: 20 })],
      ["/samples", "/samples/1/sampled_at", samples({ sampled_at: at(6 * minuteMs) })],
      [
        "/samples",
        "/samples/1/worlds_top/0/name",
        samples({ sampled_at: at(), worlds_top: [{ name: "x".repeat(121) }] }),
      ],
      [
        "/samples",
        "/samples/1/worlds_top",
        samples({ sampled_at: at(), worlds_top: [1, 2, 3, 4].map((name) => ({ name: String(name) })) }),
      ],
      ["/heartbeat", "/announce", beat({ announce: "gone" })],
      ["/heartbeat", "/last_tick_age_ms", beat({ last_tick_age_ms: -1 })],
      ["/heartbeat", "/sample/mspt", beat({ sample: { sampled_at: at(), mspt: -1 } })],
      [
        "/reports",
        "/tests/0/duration_ms",
        referencePayload({}, { cpu_single_core: { duration_ms: "long" } }),
      ],
      ["/reports", "/hardware/cpu_cores", referencePayload({ hardware: { cpu_cores: 1.5 } })],
      ["/reports", "/local_id", referencePayload({ local_id: "" })],
    ];
    const before = [await storedReports(service), (await status())["last_heartbeat"]];
    for (const [path, pointer, body] of wrong) {
      const { status: code, json } = await send(path, body);
      expect([path, code, json["error"], json["path"]]).toEqual([path, 400, "validation_error", pointer]);
    }
    expect([await storedReports(service), (await status())["last_heartbeat"]]).toEqual(before);
    expect((await send("/samples", { samples: [good] })).json).toEqual({
      accepted: true,
      stored: 1,
      duplicates: 0,
      too_old: 0,
      server_time: new Date(clock.now()).toISOString(),
    });
  });

  it("[OUR-PLG-05] a server whose body was refused shows as rejected until it does better", async () => {
    clock.advance(secondMs);
    await send("/heartbeat", "{");
    expect((await status())["monitoring"]).toMatchObject({ plugin_step: "rejected" });
    clock.advance(secondMs);
    await send("/heartbeat", beat());
    expect((await status())["monitoring"]).toMatchObject({ plugin_step: "receiving" });
  });

  it("[OUR-PLG-06] the same sample or report again is the same one", async () => {
    const samples = [at(-1), at(-2), at(-1)].map((sampled_at) => ({ sampled_at }));
    expect((await send("/samples", { samples })).json).toMatchObject({ stored: 2, duplicates: 1 });
    expect((await send("/samples", { samples })).json).toMatchObject({ stored: 0, duplicates: 3 });
    const payload = referencePayload({ local_id: "twice" });
    const [first, again] = [await send("/reports", payload), await send("/reports", payload)];
    expect([first.status, again.status, again.text]).toEqual([201, 200, first.text]);
  });
});

describe("credentials", () => {
  it("[OUR-PLG-07] one kind on another kind's routes is invalid_token, both ways; none is unauthorized", async () => {
    const claimSecret = service.app.secrets.newSecret("claim");
    const runner = service.app.secrets.newSecret("runner");
    for (const { method, path, access } of pluginEndpoints) {
      if (access.face !== "plugin" || access.credential !== "server") continue;
      for (const token of [reader, claimSecret, runner, "tks_bad", service.app.secrets.newSecret("server")]) {
        clock.advance(minuteMs);
        const { status: code, json } = await service.request(method, `/plugin/v1${path}`, {
          token,
          body: "{bad",
        });
        expect([path, code, json["error"]]).toEqual([path, 401, "invalid_token"]);
      }
      expect((await service.request(method, `/plugin/v1${path}`, { body: "{bad" })).json["error"]).toBe(
        "unauthorized",
      );
    }
    clock.advance(minuteMs);
    for (const path of ["/token", "/reports", "/servers"]) {
      const { json } = await service.request("GET", `/api/v1${path}`, { token: server.credential });
      expect(json["error"]).toBe("invalid_token");
    }
  });

  it("[OUR-PLG-10] an address that guesses claim secrets is made to wait", async () => {
    const guess = () =>
      service.request("POST", "/plugin/v1/link-codes/claim", {
        body: { claim_secret: service.app.secrets.newSecret("claim") },
      });
    for (let tries = 0; tries < 30; tries += 1) expect((await guess()).status).toBe(404);
    const refused = await guess();
    expect([refused.status, refused.json["error"]]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    clock.advance(minuteMs);
    expect((await guess()).status).toBe(404);
  });

  it("[OUR-PLG-08] the plugin's calls count in nobody's windows", async () => {
    const used = async () => (await service.request("GET", "/healthz")).headers["x-ratelimit-remaining"];
    const before = await used();
    await send("/heartbeat", beat());
    await service.linkCode();
    expect(await used()).toBe(before);
  });
});

describe("the throttle of one server", () => {
  it("[OUR-PLG-09] 60 at once, 20 a second after that, 429 with Retry-After in between, and no other server waits", async () => {
    const other = await service.server(server.owner);
    const burst = async (count: number): Promise<number> => {
      let accepted = 0;
      for (let index = 0; index < count; index += 1)
        if ((await send("/heartbeat", beat())).status === 200) accepted += 1;
      return accepted;
    };
    expect(await burst(80)).toBe(60);
    const refused = await send("/heartbeat", beat());
    expect([refused.status, refused.json["error"], refused.headers["retry-after"]]).toEqual([
      429,
      "rate_limited",
      "1",
    ]);
    expect(
      (await service.request("POST", "/plugin/v1/heartbeat", { token: other.credential, body: beat() }))
        .status,
    ).toBe(200);
    clock.advance(secondMs);
    expect(await burst(40)).toBe(20);
    clock.advance(500);
    expect(await burst(40)).toBe(10);
    clock.advance(10 * minuteMs);
    expect(await burst(80)).toBe(60);
  });
});
