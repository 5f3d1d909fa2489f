import { changePlan } from "../../../src/services/access/change-plan.ts";
import { describe, expect, it } from "vitest";
import { ServerEvent } from "../../../src/core/event/server-event.ts";
import type { Json } from "../../support/payload.ts";
import { rowsOf } from "../../support/service.ts";
import { dayMs, minuteMs, secondMs } from "../../support/clock.ts";
import { event, sceneOfServer, timelineOf } from "../../support/scene.ts";

const scene = sceneOfServer();
const { at, clock } = scene;
const { list, send, sendRaw, titles } = timelineOf(scene);

describe("what a plugin reports", () => {
  it("[EVT-03] [EVT-06] [EVT-07] [EVT-08] comes back in the documented fields, in order", async () => {
    const sent = event("1", {
      type: "benchmark_complete",
      category: "benchmark",
      source: "tickmark-plugin",
      severity: "info",
      title: "Benchmark ended",
      description: "Two runs.\nBoth passed.",
      metadata: { runs: [1, 2.5, null], "key with spaces": { deep: true } },
      timestamp: at(-secondMs),
      duration_ms: 600_000,
      later: "unknown keys are ignored",
    });
    expect((await send(sent)).json).toEqual({ accepted: true, stored: 1, duplicates: 0, too_old: 0 });
    const [row] = rowsOf(await list());
    expect(Object.keys(row ?? {})).toEqual(Object.keys(ServerEvent.shape));
    const { local_id: _local, later: _later, ...shown } = sent;
    expect(row).toEqual({ id: row?.["id"], server_id: scene.server.id, ...shown });
  });

  it("[EVT-03] [OUR-PLG-04] may leave out description, metadata, time and duration: they are null", async () => {
    await send(event("1"), event("2", { metadata: null, timestamp: null }));
    for (const row of rowsOf(await list()))
      expect(row).toMatchObject({ description: null, metadata: null, timestamp: null, duration_ms: null });
  });

  it("[OUR-EVT-03] without a time stands at its receipt, and what the plan no longer shows is counted and left out", async () => {
    const oldest = -30 * dayMs;
    const answer = await send(
      event("1", { title: "untimed" }),
      event("2", { title: "before", timestamp: at(-secondMs) }),
      event("3", { title: "after", timestamp: at(secondMs) }),
      event("4", { title: "just kept", timestamp: at(oldest) }),
      event("5", { title: "too old", timestamp: at(oldest - 1) }),
    );
    expect(answer.json).toEqual({ accepted: true, stored: 4, duplicates: 0, too_old: 1 });
    expect(await titles()).toEqual(["after", "untimed", "before", "just kept"]);
  });

  it("[OUR-EVT-02] is the same event under the same local id", async () => {
    const events = [event("a"), event("b"), event("a", { title: "Again" })];
    expect((await send(...events)).json).toMatchObject({ stored: 2, duplicates: 1 });
    expect((await send(...events, event("c"))).json).toMatchObject({ stored: 1, duplicates: 3 });
    expect(await titles()).toEqual(["Banned", "Banned", "Banned"]);
    expect((await send()).json).toEqual({ accepted: true, stored: 0, duplicates: 0, too_old: 0 });
  });

  it("[OUR-EVT-04] is not taken while the service does not take the server's data", async () => {
    const { db } = scene.service.app;
    const nothing = { accepted: false, stored: 0, duplicates: 0, too_old: 0 };
    await db.write(changePlan, scene.server.owner.id, "free", clock.now());
    expect((await send(event("1"), event("2", { timestamp: at(-90 * dayMs) }))).json).toEqual(nothing);
    await db.write(changePlan, scene.server.owner.id, "pro", clock.now());
    expect(await titles()).toEqual([]);
    for (let newer = 0; newer < 3; newer += 1) {
      clock.advance(minuteMs);
      await scene.service.server(scene.server.owner);
    }
    expect((await send(event("1"))).json["accepted"]).toBe(true);
  });

  it("[OUR-EVT-01] [OUR-PLG-05] refuses the whole body for one wrong value, by its JSON Pointer", async () => {
    const wrong: readonly (readonly [string, Json])[] = [
      ["/events/1/local_id", { local_id: "" }],
      ["/events/1/local_id", { local_id: "x".repeat(121) }],
      ["/events/1/local_id", { local_id: null }],
      ["/events/1/type", { type: "x".repeat(65) }],
      ["/events/1/type", { type: undefined }],
      ["/events/1/source", { source: "x".repeat(65) }],
      ["/events/1/title", { title: "x".repeat(501) }],
      ["/events/1/title", { title: "a\u0000" }],
      ["/events/1/description", { description: "x".repeat(4001) }],
      ["/events/1/description", { description: 5 }],
      ["/events/1/category", { category: "chat" }],
      ["/events/1/severity", { severity: "fatal" }],
      ["/events/1/metadata", { metadata: "x".repeat(16 * 1024 - 1) }],
      ["/events/1/duration_ms", { duration_ms: -1 }],
      ["/events/1/duration_ms", { duration_ms: 0.5 }],
      ["/events/1/timestamp", { timestamp: "yesterday" }],
      ["/events/1/timestamp", { timestamp: at(6 * minuteMs) }],
      ["/events/1/timestamp", { timestamp: 1_795_161_600_000 }],
    ];
    for (const [pointer, bad] of wrong) {
      const { status, json } = await send(event("1"), event("2", bad), event("3"));
      expect([pointer, status, json["error"], json["path"]]).toEqual([
        pointer,
        400,
        "validation_error",
        pointer,
      ]);
      expect(json["message"]).toMatch(/^\/events\/1/);
      clock.advance(secondMs);
    }
    const many = Array.from({ length: 501 }, (_, index) => event(String(index)));
    expect((await send(...many)).json["path"]).toBe("/events");
    expect((await sendRaw({})).json["path"]).toBe("/events");
    const ahead = await send(event("1", { timestamp: at(5 * minuteMs + 1) }));
    expect(ahead.json["path"]).toBe("/events/0/timestamp");
    expect(await titles()).toEqual([]);
    expect((await send(event("1", { timestamp: at(5 * minuteMs) }))).json["stored"]).toBe(1);
    expect((await send(...many.slice(0, 500))).json).toMatchObject({ stored: 499, duplicates: 1 });
  });

  it("[OUR-EVT-05] [TXT-01] has metadata of any JSON, and gets it back as it was sent", async () => {
    const texts = [
      String.raw`{"\u0000":"\u0000\ud800","":["\udfff\ud800"]}`,
      String.raw`"\u0000"`,
      '{"__proto__":{"polluted":1},"constructor":{"prototype":0},"toString":null}',
      "[0,-1,1.5e-300,1e+300,9007199254740991,true,false,null]",
      "false",
      "0",
      '""',
      "[]",
      "{}",
      `${"[".repeat(28)}1${"]".repeat(28)}`,
      JSON.stringify("🎮\u202e\u2028<script>`".repeat(400)),
      JSON.stringify(Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`k${index}`, index]))),
    ];
    const bodies = texts.map(
      (metadata, index) => `${JSON.stringify(event(String(index))).slice(0, -1)},"metadata":${metadata}}`,
    );
    expect((await sendRaw(`{"events":[${bodies.join(",")}]}`)).json).toMatchObject({ stored: texts.length });
    const { text, json } = await list("?limit=100");
    const rows = (json["data"] as Json[]).toReversed();
    expect(rows.map(({ metadata }) => JSON.stringify(metadata))).toEqual(texts);
    expect(text).toContain(String.raw`"metadata":{"\u0000":"\u0000\ud800","":["\udfff\ud800"]}`);
    expect(Object.prototype).not.toHaveProperty("polluted");
    for (const monster of [`${"[".repeat(30)}1${"]".repeat(30)}`, "1e999", '{"a":1,"b":1e400}']) {
      const body = `{"events":[${JSON.stringify(event("m")).slice(0, -1)},"metadata":${monster}}]}`;
      expect((await sendRaw(body)).json["error"]).toBe("validation_error");
    }
  });
});
