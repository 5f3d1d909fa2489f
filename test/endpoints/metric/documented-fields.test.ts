import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sample } from "../../../src/core/metric/sample.ts";
import { seriesFields } from "../../../src/core/metric/fields.ts";
import { ProfileComparison } from "../../../src/core/profile/profile-comparison.ts";
import { Server } from "../../../src/core/server/server.ts";
import { profilePayload, memoryPayload } from "../../support/captures.ts";
import {
  roomyPlans,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { unitTestPayload } from "../../support/unit-test.ts";
import compareProfiles from "../../../tools/compare-profiles.ts";
import { read } from "../../gates/sources.ts";
import { handClock, secondMs } from "../../support/clock.ts";

let service: TestService;
let server: LinkedServer;
let token: string;
const clock = handClock();
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  const owner = await service.account("enterprise");
  server = await service.server(owner);
  token = await service.token(owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const get = async (path: string): Promise<Json> =>
  (await service.request("GET", `/api/v1${path}`, { token })).json;

const send = async (path: string, body: unknown): Promise<Json> => {
  const { status, json, text } = await service.request("POST", `/plugin/v1${path}`, {
    token: server.credential,
    body,
  });
  expect(status, text).toBeLessThan(300);
  return json;
};

/** What a status shows of a sample that was sent. */
async function current(sample: Json): Promise<Json> {
  clock.advance(30 * secondMs);
  const at = new Date(clock.now()).toISOString();
  await send("/heartbeat", { sent_at: at, plugin_version: "1.10.2", sample: { sampled_at: at, ...sample } });
  return (await get(`/servers/${server.id}/status`))["current"] as Json;
}

describe("a sample's fields", () => {
  it("[STA-26] [STA-28] every figure comes back under the name and in the unit it was sent with", async () => {
    const memory = { ram_used_mb: 1011, ram_max_mb: 1012, heap_after_gc_mb: 1013, rss_mb: 1014 };
    const sent = {
      ...memory,
      container_limit_mb: 1015,
      worst_tick_ms: 216,
      mspt_p95: 17.5,
      ticks_over_50ms: 18,
      lag_seconds: 1.9,
      gc_stw_ms: 20.5,
    };
    expect(await current(sent)).toMatchObject(sent);
    // The next one is of its own stretch: nothing is added up, and nothing is kept of the one before.
    expect(
      await current({ ...sent, worst_tick_ms: 60, ticks_over_50ms: 1, lag_seconds: null }),
    ).toMatchObject({
      ...sent,
      worst_tick_ms: 60,
      ticks_over_50ms: 1,
      lag_seconds: null,
    });
  });

  it("[STA-29] a pause is told by plugins that tell it, with no tick figures", async () => {
    const ticks = { tps: 20, mspt: 3, mspt_p95: 5, worst_tick_ms: 9, ticks_over_50ms: 0, lag_seconds: 0 };
    expect(await current({ ...ticks, player_count: 0 })).toMatchObject({ ...ticks, paused_empty: null });
    const paused = await current({ ...ticks, player_count: 0, paused_empty: true });
    expect(paused).toMatchObject({ paused_empty: true, player_count: 0 });
    for (const field of Object.keys(ticks)) expect(paused[field], field).toBeNull();
  });

  it("[STA-31] [STA-32] figures over regions are there with regions alone, 0 regions among them", async () => {
    const none = { region_count: null, tps_region_avg: null, mspt_region_avg: null, region_source: null };
    expect(await current({ tps: 20 })).toMatchObject(none);
    expect(await current({ tps: 20, region_count: 0, region_source: "folia_regions" })).toMatchObject({
      tps: 20,
      region_count: 0,
      tps_region_avg: null,
    });
    // The worst region is the server; the averages stand beside it.
    const regions = { tps: 12, mspt: 70, region_count: 3, tps_region_avg: 17.5, mspt_region_avg: 31.5 };
    expect(await current(regions)).toMatchObject(regions);
  });

  it("[STA-33] [STA-35] regions are of one sample: two sources, and an id that nothing is followed by", async () => {
    const section = { world: "world", center_x: 8, center_z: 8, tps: 14, players: 2 };
    const unknown = { id: null, chunks: null, entities: null, mspt: null };
    expect(await current({ region_source: "player_sections", regions: [section] })).toMatchObject({
      region_source: "player_sections",
      regions: [{ ...section, ...unknown }],
    });
    const at = (id: number, world: string) => ({ id, world, center_x: 0, center_z: 0 });
    const source = { region_source: "folia_regions" };
    await current({ ...source, regions: [at(1, "world"), at(2, "nether")] });
    const split = await current({ ...source, regions: [at(1, "nether")] });
    expect(split["regions"]).toMatchObject([at(1, "nether")]);
    expect(split["regions"]).toHaveLength(1);
    expect(seriesFields.filter((field) => /^regions?$|region_id/.test(field))).toEqual([]);
    expect(Sample.shape.region_source.safeParse("guessed").success).toBe(false);
  });

  it("[STA-26] [STA-28] [STA-29] [STA-31] [STA-32] [STA-33] [STA-35] the glossary says what each means", () => {
    const guide = read("resources/guides/metrics.md").replaceAll(/\s+/g, " ");
    for (const words of [
      "(`ram_used_mb`, `ram_max_mb`): memory of the Java heap in use and available, MB",
      "(`heap_after_gc_mb`): what is left right after a garbage collection, MB. Close to `ram_max_mb` means that memory is about to run out",
      "(`rss_mb`): memory of the whole process, MB; the system ends the process when it passes `container_limit_mb`",
      "(`worst_tick_ms`): the slowest single tick since the last sample",
      "(`mspt_p95`): 95 of 100 ticks since the last sample",
      "(`ticks_over_50ms`): how many ticks since the last sample",
      "(`lag_seconds`): game time lost behind real time since the last sample",
      "(`gc_stw_ms`): time all threads stood still for garbage collection since the last sample",
      "(`paused_empty`): the sample ended while the server was paused because nobody was there (plugin 1.10.0 or later; null with an older one). The tick figures are null then",
      "the tick figures then are those of the worst region, `tps` of the slowest, `mspt` the highest average",
      "`region_count` counts every region that was measured, listed or not; 0 means that there was none yet",
      "`player_sections` are areas of 16 by 16 chunks around players",
      "A region's `id` holds within one sample",
    ])
      expect(guide).toContain(words);
  });
});

describe("versions and words of newer plugins", () => {
  it("[VER-02] reports carry the scoring's version and diagnoses their own", async () => {
    const { id } = await service.report(server);
    expect(await get(`/reports/${id}`)).toMatchObject({ algorithm_version: "1" });
    expect(await get(`/reports/${id}/diagnosis`)).toMatchObject({
      algorithm_version: "1",
      diagnosis_version: "1",
    });
  });

  it("[VER-03] documents carry one of four schemas, and one of another version is refused", async () => {
    const ids = await send("/profiles", profilePayload());
    const memory = await send("/memory-reports", memoryPayload());
    const summaries = await get(`/servers/${server.id}/profiles/summaries`);
    expect(summaries).toMatchObject({ data: [{ summary: { schema: "service-profile-summary/1" } }] });
    expect(await get(`/servers/${server.id}/profiles/${String(ids["profile_id"])}`)).toMatchObject({
      detail: { schema: "service-profile/1" },
    });
    const { schema } = await get(`/servers/${server.id}/memory-reports/${String(memory["id"])}`);
    expect(schema).toBe(memoryPayload()["schema"]);
    expect(schema).toMatch(/^service-heap-(summary|analysis)\/1$/);
    for (const [path, body] of [
      ["/profiles", { ...profilePayload(), schema: "service-profile/2" }],
      ["/memory-reports", { ...memoryPayload(), schema: "service-heap-summary/2" }],
    ] as const) {
      const refused = await service.request("POST", `/plugin/v1${path}`, { token: server.credential, body });
      expect([path, refused.status]).toEqual([path, 400]);
    }
  });

  it("[VER-04] a reason that nobody knows here is answered as it came", async () => {
    const body = unitTestPayload({ outcome: "skipped", success: false, reason_code: "moon_was_full" });
    const { ids } = await send("/unit-tests", body);
    expect(await get(`/unit-tests/${String((ids as string[])[0])}`)).toMatchObject({
      reason_code: "moon_was_full",
    });
  });
});

describe("what an answer says, and never says", () => {
  it("[ERR-02] a program finds in fields of their own what it needs to go on", async () => {
    const reader = await service.token(server.owner, ["servers:read"]);
    const patch = (by: string, body: Json) =>
      service.request("PATCH", `/api/v1/servers/${server.id}`, { token: by, body });
    expect((await patch(token, { colour: "red" })).json).toMatchObject({
      error: "field_not_allowed",
      allowed_fields: ["name", "is_public", "show_address_on_report", "notify_on_report"],
    });
    expect((await patch(reader, { name: "Other" })).json).toMatchObject({
      error: "missing_scope",
      required_scope: "servers:write",
    });
  });

  it("[SRV-11] notify_on_report is a switch, and no address of a message stands beside it", async () => {
    const { notify_on_report } = (
      await service.request("PATCH", `/api/v1/servers/${server.id}`, {
        token,
        body: { notify_on_report: false },
      })
    ).json;
    expect(notify_on_report).toBe(false);
    const [row] = (await get("/servers"))["data"] as Json[];
    expect(row?.["notify_on_report"]).toBe(false);
    expect(Object.keys(Server.shape).filter((name) => /mail|webhook|discord|recipient/.test(name))).toEqual(
      [],
    );
    expect(JSON.stringify(row)).not.toContain(server.owner.email);
  });

  it("[PCM-17] a change is not a cause: tool, page and guide say so, and no field names one", () => {
    const sentence = "A change is not a cause";
    expect(compareProfiles.definition.description).toContain(sentence);
    expect(read("resources/guides/profiles.md")).toContain(sentence);
    expect(read("src/dashboard/pages/captures/comparability.tsx")).toContain(sentence);
    expect(read("src/dashboard/pages/captures/profile-comparison/page.tsx")).toContain("<Comparability");
    expect(JSON.stringify(ProfileComparison.toJSONSchema())).not.toMatch(/"\w*cause\w*":/);
  });
});
