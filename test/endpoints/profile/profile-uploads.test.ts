import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { exampleProfileUpload } from "../../../src/core/profile/example-document.ts";
import { longestUpload } from "../../../src/core/import/longest-upload.ts";
import { profilePayload } from "../../support/captures.ts";
import type { Json } from "../../support/payload.ts";
import { rowsOf } from "../../support/service.ts";
import { source, sparkFile } from "../../support/spark-file.ts";
import {
  capturing,
  spoilDocument,
  storedCaptures,
  storedText,
  switchMonitoringOff,
  type Uploader,
} from "./capturing.ts";
import { dayMs, minuteMs } from "../../support/clock.ts";

const scene = capturing();
const at = (offsetMs: number): string => new Date(scene.clock.now() + offsetMs).toISOString();
const gzip = { "content-encoding": "gzip" };
const spark = { "content-type": "application/x-spark-sampler" };

const packed = (value: unknown): Buffer => gzipSync(JSON.stringify(value));

async function profile(one: Uploader, agoMs: number, more: Json = {}) {
  const json = await one.store("/profiles", profilePayload({ created_at: at(-agoMs), ...more }));
  return { summary: String(json["summary_id"]), profile: String(json["profile_id"]) };
}

/** Sends what is refused, and expects that nothing of it stays. */
async function refused(body: unknown, headers?: Record<string, string>): Promise<readonly unknown[]> {
  const before = await storedCaptures(scene.service);
  const { status, json } = await scene.mine.upload("/profiles", body, headers);
  expect(await storedCaptures(scene.service)).toEqual(before);
  return [status, json["error"], ...("path" in json ? [json["path"]] : [])];
}

/** A file of spark that no other is like. */
let serial = 0;
const sparkBytes = (method = "net.example.Shop.run"): Uint8Array =>
  sparkFile({
    startMs: scene.clock.now() - minuteMs - (serial += 1),
    threads: [{ calls: [{ method, ms: [4000, 4000] }] }],
    metadata: [source("shop", "Shop")],
    classSources: { "net.example.Shop": "shop" },
  });

describe("an upload", () => {
  it("[OUR-STO-47] [PRO-06] is 201 with both ids, then 200 with the same, JSON gzipped or not", async () => {
    const { mine } = scene;
    const payload = profilePayload({ later: { unknown: [1] } });
    const first = await mine.upload("/profiles", payload);
    expect([first.status, Object.keys(first.json)]).toEqual([201, ["summary_id", "profile_id"]]);
    for (const [body, headers] of [
      [payload, {}],
      [{ ...payload, trigger: "manual" }, {}],
      [packed(payload), gzip],
      [packed(payload), { "content-encoding": "x-gzip" }],
    ] as const) {
      const again = await mine.upload("/profiles", body, headers);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    expect(rowsOf(await mine.ofServer("/profiles/summaries"))).toHaveLength(1);
    const zipped = await mine.store("/profiles", packed(profilePayload()), gzip);
    const { json } = await mine.ofServer(`/profiles/${String(zipped["profile_id"])}`);
    expect(json["detail"]).toMatchObject({ engine: "sampler", samples: { tick: 1190 } });
    const text = await storedText(scene.service, "/profiles", String(first.json["summary_id"]));
    expect(text).not.toContain("unknown");
  });

  it("[OUR-IMP-01] [OUR-IMP-13] of spark is known by its decompressed bytes, however it is packed", async () => {
    const { mine } = scene;
    const bytes = sparkBytes();
    const zipped = gzipSync(bytes);
    const first = await mine.upload("/profiles", bytes, spark);
    expect(first.status).toBe(201);
    for (const [body, headers] of [
      [zipped, spark],
      [zipped, { ...spark, ...gzip }],
      [gzipSync(zipped), { ...spark, ...gzip }],
      [bytes, { "content-type": "Application/X-Spark-Sampler; charset=binary" }],
    ] as const) {
      const again = await mine.upload("/profiles", body, headers);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    const { json } = await mine.ofServer(`/profiles/${String(first.json["profile_id"])}`);
    expect(json).toMatchObject({ trigger: "import", tick_samples: 2000, window_seconds: expect.any(Number) });
    const { owners } = json["detail"] as Record<string, Json[]>;
    expect(owners?.map(({ owner, self_pct }) => [owner, self_pct])).toEqual([["Shop", 100]]);
  });

  it("[OUR-STO-47] the same profile of another server is another one", async () => {
    const { mine } = scene;
    const other = await scene.beside(mine);
    const [payload, file] = [profilePayload(), sparkBytes()];
    const ids = new Set();
    for (const one of [mine, other])
      for (const json of [await one.store("/profiles", payload), await one.store("/profiles", file, spark)])
        ids.add(json["summary_id"]);
    expect(ids.size).toBe(4);
  });

  it("[OUR-PLG-11] a server that is not monitored uploads as any other", async () => {
    const free = await scene.uploader("free");
    await switchMonitoringOff(scene.service, scene.mine.server);
    for (const one of [free, scene.mine]) {
      const beat = await scene.service.request("POST", "/plugin/v1/heartbeat", {
        token: one.server.credential,
        body: { sent_at: at(0), plugin_version: "1.10.2" },
      });
      expect(beat.json["accepted"]).toBe(false);
      const json = await one.store("/profiles", profilePayload());
      expect((await one.ofServer(`/profiles/${String(json["profile_id"])}`)).status).toBe(200);
    }
  });
});

describe("a refusal", () => {
  it("[OUR-IMP-13] a body over 16 MiB is too_large, raw, gzipped, and gzip in a file; one of 16 MiB is taken", async () => {
    const json = Buffer.from(JSON.stringify(profilePayload()));
    const filled = (length: number): Buffer =>
      Buffer.concat([json, Buffer.alloc(length - json.length, 0x20)]);
    const long = filled(longestUpload + 1);
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024), { level: 1 });
    const packedLong = gzipSync(long, { level: 1 });
    const started = process.memoryUsage().rss;
    expect(await refused(long)).toEqual([413, "too_large"]);
    expect(await refused(packedLong, gzip)).toEqual([413, "too_large"]);
    expect(await refused(packedLong, spark)).toEqual([413, "too_large"]);
    for (const headers of [gzip, spark, { ...spark, ...gzip }])
      expect(await refused(bomb, headers)).toEqual([413, "too_large"]);
    expect(await refused(gzipSync(bomb), { ...spark, ...gzip })).toEqual([413, "too_large"]);
    const grown = (process.memoryUsage().rss - started) / 1024 / 1024;
    console.log(`bombs of ${bomb.length} bytes for 256 MiB: too_large, RSS ${grown.toFixed(0)} MiB more`);
    expect(grown).toBeLessThan(200);
    expect((await scene.mine.upload("/profiles", filled(longestUpload))).status).toBe(201);
    // Blanks pack better than JSON that anybody means: random digits in a name that means nothing here.
    const head = `{"later":"`;
    const tail = `",${json.toString().slice(1)}`;
    const digits = randomBytes((longestUpload - head.length - tail.length) >> 1).toString("hex");
    const packed = gzipSync(head + digits + tail, { level: 1 });
    const again = await scene.mine.upload("/profiles", packed, gzip);
    expect(again.status).toBe(200);
  });

  it("[OUR-PLG-03] another media type or coding is 415 and says what is taken", async () => {
    const bytes = Buffer.from(sparkBytes());
    for (const type of [
      "application/x-spark-heap",
      "text/x-java-class-histogram",
      "application/octet-stream",
      "",
    ])
      expect([type, ...(await refused(bytes, { "content-type": type }))]).toEqual([
        type,
        415,
        "unsupported_media_type",
      ]);
    for (const coding of ["br", "deflate", "zstd", "gzip, gzip"])
      expect((await refused(bytes, { ...spark, "content-encoding": coding }))[0]).toBe(415);
    const { json } = await scene.mine.upload("/profiles", bytes, { "content-type": "text/plain" });
    expect(json["message"]).toBe(
      "This route does not take this Content-Type. Send application/json, application/x-spark-sampler.",
    );
  });

  it("[OUR-PLG-05] [PRO-25] a document that contradicts itself is told by its JSON Pointer", async () => {
    const { nodes, frames } = exampleProfileUpload;
    const node = (index: number, more: Json): Json => ({
      nodes: nodes.with(index, { parent: 0, frame: 0, samples: 1, ...more }),
    });
    const wrong: readonly (readonly [string, Json])[] = [
      ["/nodes/0/parent", node(0, { parent: 0 })],
      ["/nodes/1/parent", node(1, { parent: 4 })],
      ["/nodes/3/parent", node(3, { parent: 3 })],
      ["/nodes/2/parent", node(2, { parent: -2 })],
      ["/nodes/4/frame", node(4, { frame: frames.length })],
      ["/nodes/4/samples", node(4, { samples: -1 })],
      ["/nodes/4/samples", node(4, { samples: 1.5 })],
      ["/nodes", { nodes: {} }],
      ["/frames/0/frame", { frames: [{ frame: "x".repeat(501) }, ...frames.slice(1)] }],
      ["/frames/3/owner", { frames: frames.with(3, { owner: "o".repeat(121) }) }],
      ["/local_id", { local_id: "" }],
      ["/local_id", { local_id: null }],
      ["/schema", { schema: "service-profile/2" }],
      ["/created_at", { created_at: "yesterday" }],
      ["/capture/window_seconds", { capture: { window_seconds: "60" } }],
    ];
    for (const [pointer, more] of wrong)
      expect(await refused(profilePayload(more))).toEqual([400, "validation_error", pointer]);
  });

  it("[OUR-IMP-12] bytes that are no profile are refused by their media type's name, and nothing is kept", async () => {
    const whole = Buffer.from(sparkBytes());
    const junk = [
      Buffer.alloc(0),
      Buffer.from("JAVA PROFILE 1.0.2\0"),
      whole.subarray(0, whole.length - 3),
      Buffer.from("{}"),
    ];
    for (const bytes of junk) expect(await refused(bytes, spark)).toEqual([400, "invalid_body"]);
    for (const bytes of [whole, gzipSync(whole)]) expect(await refused(bytes)).toEqual([400, "invalid_json"]);
    expect(await refused(whole, { ...spark, ...gzip })).toEqual([400, "invalid_body"]);
    expect(await refused(gzipSync(whole).subarray(0, -9), spark)).toEqual([400, "invalid_body"]);
    expect(await refused("[]")).toEqual([400, "invalid_body"]);
    expect(await refused('{"schema":'.repeat(40) + "1" + "}".repeat(40))).toEqual([400, "validation_error"]);
  });
});

describe("comparing and keeping", () => {
  it("[PCM-01] [PCM-02] [OUR-PCM-01] takes either id in either order, and the older one is the base", async () => {
    const { mine } = scene;
    const newer = await profile(mine, minuteMs, { samples: { tick: 2380, total: 2380 } });
    const older = await profile(mine, dayMs, { trigger: "manual" });
    const compare = (base: string, target: string) =>
      mine.ofServer(`/profiles/compare?base=${base}&target=${target}`);
    const first = await compare(older.summary, newer.summary);
    expect([first.status, first.json]).toMatchObject([
      200,
      {
        source: "documents",
        elapsed_seconds: 86_340 - 1,
        base: { summary_id: older.summary, profile_id: older.profile, trigger: "manual" },
        target: { summary_id: newer.summary, tick_samples: 2380 },
        comparability: { level: "caution" },
      },
    ]);
    for (const [base, target] of [
      [newer.summary, older.summary],
      [newer.profile, older.profile],
      [older.profile, newer.summary],
      [older.summary, newer.profile],
    ] as const)
      expect((await compare(base, target)).text).toBe(first.text);
    const rows = first.json["owners"] as Json[];
    const shop = rows.find(({ owner }) => owner === "Shop");
    expect(shop).toMatchObject({ base_pct: 27.73, target_pct: 13.87, status: "down", beyond_noise: true });
  });

  it("[OUR-PCM-10] [PCM-01] with itself is stable, by either of its ids; without one of them, or elsewhere, refused", async () => {
    const { mine } = scene;
    const other = await scene.beside(mine);
    const [one, there] = [await profile(mine, minuteMs), await profile(other, minuteMs)];
    for (const target of [one.summary, one.profile]) {
      const { status, json } = await mine.ofServer(`/profiles/compare?base=${one.summary}&target=${target}`);
      const rows = ["owners", "methods", "categories"].flatMap((list) => json[list] as Json[]);
      expect([status, rows.length > 5, new Set(rows.map((row) => row["status"]))]).toEqual([
        200,
        true,
        new Set(["stable"]),
      ]);
    }
    for (const id of [there.summary, there.profile, "nobody"])
      for (const query of [`base=${one.summary}&target=${id}`, `base=${id}&target=${one.summary}`])
        expect((await mine.ofServer(`/profiles/compare?${query}`)).status).toBe(404);
    for (const missing of ["base", "target"] as const) {
      const given = missing === "base" ? "target" : "base";
      const { status, json } = await mine.ofServer(`/profiles/compare?${given}=${one.summary}`);
      expect([status, json["error"], json["field"]]).toEqual([400, "validation_error", missing]);
    }
  });

  it("[OUR-STO-50] [PRO-06] [PRO-21] [PCM-04] the third on Free leaves the first its summary, which still compares", async () => {
    const free = await scene.uploader("free");
    const payload = profilePayload({ created_at: at(-minuteMs) });
    const first = await free.store("/profiles", payload);
    const [second, third] = [await profile(free, 3 * dayMs), await profile(free, 2 * dayMs)];
    const [summary, id] = [String(first["summary_id"]), String(first["profile_id"])];
    const rows = rowsOf(await free.ofServer("/profiles/summaries"));
    expect(rows.map((row) => [row["id"], row["profile_id"]])).toEqual([
      [summary, null],
      [third.summary, third.profile],
      [second.summary, second.profile],
    ]);
    const [listed, kept] = rowsOf(await free.get("/monitoring/profiles"));
    expect([listed?.["lag"], kept?.["lag"]]).toMatchObject([
      { slow_ticks: 212, longest_tick_ms: null },
      { slow_ticks: 212, longest_tick_ms: 412.6 },
    ]);
    for (const gone of [id, summary]) expect((await free.ofServer(`/profiles/${gone}`)).status).toBe(404);
    const pair = await free.ofServer(`/profiles/compare?base=${summary}&target=${third.profile}`);
    expect(pair.json).toMatchObject({
      source: "summaries",
      base: { summary_id: third.summary, service_version: "1.10.2" },
      target: { summary_id: summary, profile_id: null, service_version: null },
    });
    expect((await free.ofServer(`/profiles/compare?base=${id}&target=${third.profile}`)).status).toBe(404);
    const again = await free.upload("/profiles", payload);
    expect([again.status, again.json]).toEqual([200, { summary_id: summary, profile_id: null }]);
    expect(await spoilDocument(scene.service, "/profiles", third.profile)).toBe(1);
    const { json } = await free.ofServer(`/profiles/compare?base=${second.profile}&target=${third.profile}`);
    expect(json["source"]).toBe("summaries");
  });
});
