import { describe, expect, it } from "vitest";
import { unitTestContent, unitTestOfReport } from "../../../src/core/unit-test/content.ts";
import { UnitTest, UnitTestDetail } from "../../../src/core/unit-test/unit-test.ts";
import { UnitTestUpload } from "../../../src/core/unit-test/upload.ts";
import { acceptedPayload, type Json } from "../../support/payload.ts";
import { rampPayload, unitTestPayload } from "../../support/unit-test.ts";

const contentOf = (payload: Json) => unitTestContent(UnitTestUpload.parse(payload));

/** Where the first problem of a payload stands. */
const refusedAt = (payload: Json): unknown => UnitTestUpload.safeParse(payload).error?.issues[0]?.path;

describe("the shape of a single test", () => {
  const listed =
    "id short_id test_id test_name display_name category sub_category benchmark_mode visibility source success outcome reason_code duration_ms server_id parent_report_id tps mspt server provider test_timestamp created_at expires_at";
  const added =
    "percentiles metrics parameters flags stress_result stress_progression hardware os_name java_version description";

  it("[UNI-03] [UNI-10] has the documented fields in their order", () => {
    expect(Object.keys(UnitTest.shape).join(" ")).toBe(listed);
    expect(Object.keys(UnitTestDetail.shape).join(" ")).toBe(`${listed} ${added}`);
  });

  it("[UNI-04] [UNI-13] tps, mspt, server and hardware have the documented members", () => {
    const { tps, mspt, server, hardware } = UnitTestDetail.shape;
    expect(Object.keys(tps.shape)).toEqual(["avg", "min", "max"]);
    expect(Object.keys(mspt.shape)).toEqual(["avg", "min", "max"]);
    expect(Object.keys(server.shape)).toEqual(["type", "type_name", "game_version", "plugin_version"]);
    expect(Object.keys(hardware.shape).join(" ")).toBe(
      "cpu_name cpu_cores cpu_threads available_processors ram_gb memory_limit_gb",
    );
  });
});

describe("an upload of a single test", () => {
  it("[UNI-11] keeps what the plugin measured as it reported it", () => {
    const content = contentOf(unitTestPayload());
    expect(content).toMatchObject({
      metrics: { entity_ticks_per_ms: 60, entity_count: 800, own: { deep: [1, null] } },
      parameters: { entities: 800 },
      flags: { warm: true },
      percentiles: { mspt_p95: 29.5 },
      tps: { avg: 19.9, min: 19.2, max: 20 },
      server: { type: "paper", type_name: "Paper", game_version: "1.21.4", plugin_version: "1.10.2" },
      os_name: "Debian",
      java_version: "21.0.5",
      stress_result: null,
      stress_progression: null,
    });
    expect(content.hardware).not.toHaveProperty("disk_type");
  });

  it("[OUR-UNI-04] takes what is left out for unknown", () => {
    const content = contentOf({
      local_id: "a",
      test_id: "own_test",
      success: true,
      outcome: "success",
      later: 1,
    });
    expect(content).toMatchObject({
      test_name: null,
      benchmark_mode: "standard",
      metrics: null,
      tps: { avg: null, min: null, max: null },
      server: { type: null, plugin_version: null },
      hardware: { cpu_name: null, ram_gb: null },
      description: null,
    });
  });

  it("[UNI-05] [UNI-12] is a ramp with its rungs where it says tier, or sends a ramp's result", () => {
    for (const benchmark_mode of ["tier", null]) {
      const content = contentOf(rampPayload({ benchmark_mode }));
      expect(content.benchmark_mode).toBe("tier");
      expect(content.stress_result?.breaking_load).toBe(125);
      expect(content.stress_progression?.map(({ load, passed }) => [load, passed])).toEqual([
        [100, true],
        [125, false],
      ]);
    }
    expect(contentOf(rampPayload({ stress_progression: [] })).stress_progression).toEqual([]);
    expect(refusedAt(unitTestPayload({ benchmark_mode: "stresslimit" }))).toEqual(["benchmark_mode"]);
  });

  it("[OUR-UNI-05] that measured once has neither rungs nor a result of them", () => {
    expect(refusedAt(unitTestPayload({ stress_progression: [] }))).toEqual(["stress_progression"]);
    expect(refusedAt(unitTestPayload({ stress_result: {} }))).toEqual(["stress_result"]);
  });

  it("[UNI-06] [UNI-07] [UNI-08] tells success, failure and skipped apart, with any reason", () => {
    for (const outcome of ["failure", "skipped"] as const) {
      const payload = unitTestPayload({ outcome, success: false, reason_code: "a_code_of_tomorrow" });
      expect(contentOf(payload)).toMatchObject({
        outcome,
        success: false,
        reason_code: "a_code_of_tomorrow",
      });
      expect(refusedAt({ ...payload, success: true })).toEqual(["success"]);
    }
    const old = unitTestPayload({ outcome: null, success: false, plugin_version: "1.7.9" });
    expect(contentOf(old)).toMatchObject({ outcome: null, success: false });
    for (const plugin_version of ["1.8.0", null])
      expect(refusedAt({ ...old, plugin_version })).toEqual(["outcome"]);
  });

  it.each([
    [{ local_id: "" }, ["local_id"]],
    [{ test_id: null }, ["test_id"]],
    [{ duration_ms: -1 }, ["duration_ms"]],
    [{ mspt: { avg: 1e9 } }, ["mspt", "avg"]],
    [{ hardware: { cpu_cores: 0 } }, ["hardware", "cpu_cores"]],
    [{ server: { os_name: "\u0000" } }, ["server", "os_name"]],
    [{ metrics: { entity_ticks_per_ms: -1 } }, ["metrics", "entity_ticks_per_ms"]],
    [{ test_timestamp: "yesterday" }, ["test_timestamp"]],
    [{ description: "x".repeat(4001) }, ["description"]],
  ])("[OUR-UNI-03] %j is refused where it is wrong", (change, path) => {
    expect(refusedAt(unitTestPayload(change))).toEqual(path);
  });
});

describe("a report that is a single test", () => {
  const single = { mechanics_hopper: {} };
  const custom = (tests: Json[]) => acceptedPayload({ benchmark_mode: "custom", description: "Why", tests });
  const hopper = acceptedPayload({}, single).tests.find(({ test_id }) => test_id === "mechanics_hopper");

  it("[OUR-UNI-08] is a custom run of exactly one test", () => {
    const test = { ...hopper } as Json;
    expect(unitTestOfReport(custom([test]))).toMatchObject({
      test_id: "mechanics_hopper",
      benchmark_mode: "standard",
      metrics: { transfers_per_ms: 250 },
      server: { type: "paper", plugin_version: "1.10.2" },
      description: "Why",
    });
    expect(unitTestOfReport(custom([]))).toBeNull();
    expect(unitTestOfReport(custom([test, test]))).toBeNull();
    expect(unitTestOfReport(acceptedPayload({ tests: [test] }))).toBeNull();
  });

  it("[OUR-UNI-08] shows no rungs of one that says standard", () => {
    const odd = { ...hopper, stress_result: { unit: "x" } } as Json;
    expect(unitTestOfReport(custom([odd]))?.stress_result).toBeNull();
  });
});
