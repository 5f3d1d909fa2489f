import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { longestUpload } from "../../../src/core/import/longest-upload.ts";
import { memoryPayload } from "../../support/captures.ts";
import { concat, int, joined, message, text } from "../../support/protobuf-writer.ts";
import type { Json } from "../../support/payload.ts";
import { rowsOf } from "../../support/service.ts";
import { capturing, storedCaptures, storedText, switchMonitoringOff } from "../profile/capturing.ts";
import { minuteMs } from "../../support/clock.ts";

const scene = capturing();
const at = (offsetMs: number): string => new Date(scene.clock.now() + offsetMs).toISOString();
const gzip = { "content-encoding": "gzip" };
const spark = { "content-type": "application/x-spark-heap" };
const histogram = { "content-type": "text/x-java-class-histogram" };

/** A heap summary as spark writes it: who made it, the server, when, and these classes. */
const sparkHeap = (
  classes: Readonly<Record<string, readonly [objects: number, bytes: number]>>,
): Uint8Array =>
  joined(
    message(
      1,
      message(1, int(1, 1), text(2, "NosyAdmin"), text(3, "0c7b2b4e-93a1-4a6c-8d3a-55f0c9c2a111")),
      message(2, text(2, "Paper"), text(4, "1.21.8")),
      int(5, scene.clock.now() - minuteMs),
      message(6, text(1, "server.properties"), text(2, '{"rcon.password":"hunter2"}')),
    ),
    concat(
      Object.entries(classes).map(([name, [objects, bytes]], index) =>
        message(2, int(1, index + 1), int(2, objects), int(3, bytes), text(4, name)),
      ),
    ),
  );

let serial = 0;
const printed = (): string =>
  [
    "9986:",
    " num     #instances         #bytes  class name (module)",
    "-------------------------------------------------------",
    `   1:           500        ${20_000 + (serial += 1)}  [B (java.base@21.0.12)`,
    "   2:            30            960  org.bukkit.Location",
    `Total           530        ${20_960 + serial}`,
    "",
  ].join("\n");

/** Sends what is refused, and expects that nothing of it stays. */
async function refused(body: unknown, headers?: Record<string, string>): Promise<readonly unknown[]> {
  const before = await storedCaptures(scene.service);
  const { status, json } = await scene.mine.upload("/memory-reports", body, headers);
  expect(await storedCaptures(scene.service)).toEqual(before);
  return [status, json["error"], ...("path" in json ? [json["path"]] : [])];
}

const reportOf = async (id: unknown): Promise<Json> =>
  (await scene.mine.ofServer(`/memory-reports/${String(id)}`)).json;

describe("an upload", () => {
  it("[MEM-07] [OUR-STO-47] of either schema is 201 with its id, then 200 with the same, gzipped or not", async () => {
    const { mine } = scene;
    const heap = { schema: "service-heap-summary/1", classes: [{ class_name: "[B", objects: 2, bytes: 64 }] };
    for (const payload of [memoryPayload(), memoryPayload({ ...heap, mode: "all", later: { odd: 1 } })]) {
      const first = await mine.upload("/memory-reports", payload);
      expect([first.status, Object.keys(first.json)]).toEqual([201, ["id"]]);
      for (const [body, headers] of [
        [payload, {}],
        [gzipSync(JSON.stringify(payload)), gzip],
      ] as const) {
        const again = await mine.upload("/memory-reports", body, headers);
        expect([again.status, again.text]).toEqual([200, first.text]);
      }
      expect(await reportOf(first.json["id"])).toMatchObject({
        schema: payload["schema"],
        mode: payload["mode"],
      });
      expect(await storedText(scene.service, "/memory-reports", String(first.json["id"]))).not.toContain(
        "odd",
      );
    }
    expect(rowsOf(await mine.ofServer("/memory-reports"))).toHaveLength(2);
  });

  it("[OUR-IMP-11] [OUR-IMP-13] the text of jcmd becomes a summary, known by its bytes however it is packed", async () => {
    const { mine } = scene;
    const table = printed();
    const first = await mine.upload("/memory-reports", table, histogram);
    expect(first.status).toBe(201);
    for (const [body, headers] of [
      [table, { "content-type": "Text/X-Java-Class-Histogram; charset=utf-8" }],
      [gzipSync(table), histogram],
      [gzipSync(table), { ...histogram, ...gzip }],
    ] as const) {
      const again = await mine.upload("/memory-reports", body, headers);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    const report = await reportOf(first.json["id"]);
    expect(report).toMatchObject({
      kind: "heap-summary",
      mode: null,
      created_at: null,
      suspects_count: null,
    });
    expect(report["heap_bytes"]).toBe(20_960 + serial);
    expect(report["diagnosis"]).toMatchObject({
      measure: "shallow",
      classes: [
        { class_name: "[B", owner: "jvm" },
        { class_name: "org.bukkit.Location", owner: "server" },
      ],
    });
  });

  it("[OUR-IMP-10] [OUR-IMP-09] a heap summary of spark does too, and nobody's name or setting is kept", async () => {
    const { mine } = scene;
    const bytes = sparkHeap({ "byte[]": [40, 4000], "net.example.Shop": [3, 960] });
    const first = await mine.upload("/memory-reports", bytes, spark);
    const again = await mine.upload("/memory-reports", gzipSync(bytes), { ...spark, ...gzip });
    expect([first.status, again.status, again.text]).toEqual([201, 200, first.text]);
    const id = String(first.json["id"]);
    expect(await reportOf(id)).toMatchObject({
      kind: "heap-summary",
      mode: null,
      heap_bytes: 4960,
      created_at: expect.any(String),
      diagnosis: { denominator_bytes: 4960, fallback: null },
    });
    const stored = await storedText(scene.service, "/memory-reports", id);
    expect(stored).toContain("net.example.Shop");
    for (const secret of ["NosyAdmin", "0c7b2b4e", "server.properties", "rcon", "hunter2"])
      expect(stored).not.toContain(secret);
  });

  it("[OUR-PLG-11] a server that is not monitored uploads as any other", async () => {
    const free = await scene.uploader("free");
    await switchMonitoringOff(scene.service, scene.mine.server);
    for (const one of [free, scene.mine]) {
      const { id } = await one.store("/memory-reports", printed(), histogram);
      expect((await one.ofServer(`/memory-reports/${String(id)}`)).status).toBe(200);
    }
  });

  it("[MEM-05] the third on Free puts the first out, as if it had never been", async () => {
    const free = await scene.uploader("free");
    const payload = memoryPayload({ created_at: at(minuteMs) });
    const ids: string[] = [];
    for (const body of [payload, memoryPayload(), memoryPayload()])
      ids.push(String((await free.store("/memory-reports", body))["id"]));
    const [first, second, third] = ids;
    const rows = async () => rowsOf(await free.ofServer("/memory-reports")).map(({ id }) => id);
    expect(new Set(await rows())).toEqual(new Set([second, third]));
    expect((await free.ofServer(`/memory-reports/${first}`)).status).toBe(404);
    const pair = await free.ofServer(`/memory-reports/compare?base=${first}&target=${third}`);
    expect(pair.status).toBe(404);
    const again = String((await free.store("/memory-reports", payload))["id"]);
    expect(ids).not.toContain(again);
    expect(new Set(await rows())).toEqual(new Set([third, again]));
  });
});

describe("a refusal", () => {
  const begins = ["JAVA PROFILE 1.0.1", "JAVA PROFILE 1.0.2", "JAVA PROFILE 1.0.3"];

  it("[MEM-14] [OUR-IMP-13] a heap dump is 415 under any content type and packing, and nothing is kept", async () => {
    const types = [
      "application/json",
      "application/x-spark-heap",
      "text/x-java-class-histogram",
      "application/octet-stream",
      "application/x-hprof",
      "",
    ];
    for (const begin of begins)
      for (const type of types) {
        const headers = { "content-type": type };
        const dump = Buffer.concat([Buffer.from(`${begin}\0\0\0\0\u0008`), Buffer.alloc(100_000, 7)]);
        const ways = [
          [dump, headers],
          [gzipSync(dump), headers],
          [gzipSync(dump), { ...headers, ...gzip }],
          [gzipSync(gzipSync(dump)), { ...headers, ...gzip }],
        ] as const;
        for (const [body, sent] of ways)
          expect([type, ...(await refused(body, sent))]).toEqual([type, 415, "unsupported_media_type"]);
      }
    const { json } = await scene.mine.upload("/memory-reports", `${begins[1]}\0`, histogram);
    expect(json["message"]).toContain("heap dump");
  });

  it("[MEM-14] a heap dump of any length is refused, as what it is or as too long", async () => {
    const dump = Buffer.concat([Buffer.from(`${begins[1]}\0`), Buffer.alloc(longestUpload * 2)]);
    const packed = gzipSync(dump, { level: 1 });
    const answers: Record<string, readonly unknown[]> = {};
    for (const [name, body, headers] of [
      ["raw", dump, histogram],
      ["packed", packed, histogram],
      ["packed for the way", packed, { ...spark, ...gzip }],
      ["packed JSON", packed, gzip],
    ] as const)
      answers[name] = await refused(body, headers);
    console.log(`heap dump of 32 MiB: ${JSON.stringify(answers)}`);
    for (const [status] of Object.values(answers)) expect([413, 415]).toContain(status);
  });

  it("[OUR-IMP-13] a body over 16 MiB is too_large, raw, gzipped, and gzip in a file; one of 16 MiB is taken", async () => {
    const json = Buffer.from(JSON.stringify(memoryPayload()));
    const filled = (length: number): Buffer =>
      Buffer.concat([json, Buffer.alloc(length - json.length, 0x20)]);
    const long = filled(longestUpload + 1);
    const packed = gzipSync(long, { level: 1 });
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, 0x20), { level: 1 });
    expect(await refused(long)).toEqual([413, "too_large"]);
    for (const headers of [gzip, spark, histogram, { ...histogram, ...gzip }])
      for (const body of [packed, bomb]) expect(await refused(body, headers)).toEqual([413, "too_large"]);
    expect((await scene.mine.upload("/memory-reports", filled(longestUpload))).status).toBe(201);
  });

  it("[OUR-PLG-03] another media type is 415 and says what is taken", async () => {
    for (const type of ["application/x-spark-sampler", "text/plain", "application/octet-stream", "garbage"])
      expect(await refused(printed(), { "content-type": type })).toEqual([415, "unsupported_media_type"]);
    const { json } = await scene.mine.upload("/memory-reports", "{}", { "content-type": "text/plain" });
    expect(json["message"]).toBe(
      "This route does not take this Content-Type. Send application/json, application/x-spark-heap, text/x-java-class-histogram.",
    );
  });

  it("[OUR-PLG-05] a wrong value is told by its JSON Pointer, and nothing is kept", async () => {
    const wrong: readonly (readonly [string, Json])[] = [
      ["/schema", { schema: "service-heap-analysis/2" }],
      ["/mode", { mode: "live" }],
      ["/mode", { schema: "service-heap-summary/1", classes: [], mode: "full" }],
      [
        "/classes/1/bytes",
        {
          classes: [
            { class_name: "a", objects: 1, bytes: 1 },
            { class_name: "b", objects: 1, bytes: -1 },
          ],
        },
      ],
      ["/suspects/0/kind", { suspects: [{ key: "k", kind: "leak" }] }],
      ["/totals/objects", { totals: { objects: 1.5 } }],
      ["/game_objects/0/kind", { game_objects: [{ kind: "ghost", held: 1, stale: 0 }] }],
      ["/fallback/reason", { fallback: { reason: 7 } }],
      ["/local_id", { local_id: "" }],
    ];
    for (const [pointer, more] of wrong)
      expect(await refused(memoryPayload(more))).toEqual([400, "validation_error", pointer]);
  });

  it("[OUR-PLG-05] [OUR-MEM-18] the message says what a field of that document takes", async () => {
    const owner = { owner: "Shop", bytes: -1, objects: 1 };
    const bytes = "a whole number from 0 to 1000000000000000";
    const stale = { kind: "chunk", held: 3, stale: 4 };
    const wrong: readonly (readonly [Json, string])[] = [
      [{ owners: [owner] }, `/owners/0/bytes: takes ${bytes}.`],
      [{ totals: { objects: 1.5 } }, `/totals/objects: takes ${bytes}, or null.`],
      [
        { mode: "live" },
        "/mode: takes one of live, all, or null when schema is service-heap-summary/1; " +
          "one of quick, full, retained when schema is service-heap-analysis/1.",
      ],
      [
        { schema: "service-heap-analysis/2" },
        "/schema: takes one of service-heap-summary/1, service-heap-analysis/1.",
      ],
      [{ game_objects: [stale] }, "/game_objects/0/stale: takes no more than held."],
    ];
    for (const [more, message] of wrong) {
      const { status, json } = await scene.mine.upload("/memory-reports", memoryPayload(more));
      expect([status, json["message"]]).toEqual([400, message]);
    }
    const held = memoryPayload({ game_objects: [{ ...stale, stale: 3 }] });
    expect((await scene.mine.upload("/memory-reports", held)).status).toBe(201);
  });

  it("[OUR-IMP-12] bytes that are neither are refused, and nothing is kept", async () => {
    const heap = Buffer.from(sparkHeap({ "byte[]": [40, 4000] }));
    for (const bytes of [Buffer.alloc(0), heap.subarray(0, heap.length - 3), Buffer.from(printed())])
      expect(await refused(bytes, spark)).toEqual([400, "invalid_body"]);
    for (const body of ["", "9986:\nCould not find any processes", printed().replace(/Total +\d/, "Total 1")])
      expect(await refused(body, histogram)).toEqual([400, "invalid_body"]);
    expect(await refused(heap)).toEqual([400, "invalid_json"]);
    expect(await refused(printed())).toEqual([400, "invalid_json"]);
  });
});
