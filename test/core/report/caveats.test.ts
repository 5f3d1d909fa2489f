import { describe, expect, it } from "vitest";
import { reportComparisonOf } from "../../../src/core/report/compare.ts";
import { comparePayloads } from "../../../src/core/report/payload-report.ts";
import type { ReportPayload } from "../../../src/core/report/payload.ts";
import type { ReportDetail } from "../../../src/core/report/report.ts";
import { acceptedPayload, reportDetail } from "../../support/payload.ts";
import type { Json } from "../../support/payload.ts";

const uploaded = (overrides: Json, row: Partial<ReportDetail> = {}) =>
  reportDetail(acceptedPayload(overrides), row);

describe("caveats", () => {
  const everything = {
    plugin_version: "1.11.0",
    hosting_tier: "XL",
    dispersed_zones: 6,
    server: {
      game_version: "1.21.5",
      type: "purpur",
      build: "2400",
      java_version: "25",
      os_name: "Alpine",
      plugin_count: 13,
      mod_count: 2,
      mod_loader: "fabric",
    },
    hardware: {
      cpu_name: "EPYC",
      cpu_cores: 16,
      available_processors: 4,
      ram_gb: 64,
      memory_limit_gb: 32,
      disk_type: "ssd",
    },
  };

  it("[CMP-20] [OUR-CMP-04] lists every difference in a fixed order", () => {
    const plain = { hosting_tier: "L", server: { mod_count: 1, mod_loader: "forge" } };
    const { caveats } = reportComparisonOf(
      uploaded(plain),
      uploaded(everything, { created_at: "2027-06-01T00:00:00.000Z" }),
    );
    expect(caveats.map(({ code, base, other }) => [code, base, other])).toEqual([
      ["game_version_differs", "1.21.4", "1.21.5"],
      ["server_type_differs", "paper", "purpur"],
      ["server_build_differs", "1.21.4-228", "2400"],
      ["plugin_version_differs", "1.10.2", "1.11.0"],
      ["java_version_differs", "21.0.5", "25"],
      ["os_differs", "Debian GNU/Linux 12", "Alpine"],
      ["cpu_differs", "AMD Ryzen 7 7700", "EPYC"],
      ["cpu_cores_differ", 8, 16],
      ["available_processors_differ", 8, 4],
      ["ram_differs", 32, 64],
      ["memory_limit_differs", 16, 32],
      ["disk_type_differs", "nvme", "ssd"],
      ["hosting_tier_differs", "L", "XL"],
      ["plugin_count_differs", 12, 13],
      ["mod_count_differs", 1, 2],
      ["dispersed_zones_differ", 4, 6],
      ["mod_loader_differs", "forge", "fabric"],
      ["measured_long_apart", "2026-11-20T07:12:04.000Z", "2027-06-01T00:00:00.000Z"],
    ]);
  });

  it("[CMP-20] says nothing about a value unknown on either side", () => {
    const unknown = Object.fromEntries(Object.keys(everything.hardware).map((key) => [key, null]));
    expect(reportComparisonOf(uploaded({}), uploaded({ hardware: unknown })).caveats).toEqual([]);
    expect(reportComparisonOf(uploaded({ hardware: unknown }), uploaded({})).caveats).toEqual([]);
    expect(reportComparisonOf(uploaded({}), uploaded({}, { created_at: null })).caveats).toEqual([]);
  });

  it.each([
    [31.4, []],
    [32.6, []],
    [31.3, ["ram_differs"]],
    [32.7, ["ram_differs"]],
  ])("[OUR-CMP-05] 32 GiB against %s GiB gives %j", (ram_gb, codes) => {
    const { caveats } = reportComparisonOf(uploaded({}), uploaded({ hardware: { ram_gb } }));
    expect(caveats.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    [62.72, []],
    [62.719, ["ram_differs", "memory_limit_differs"]],
  ])("[OUR-CMP-05] 64 GiB against %s GiB gives %j: exactly 2 % is no difference", (gb, codes) => {
    const of = (size: number) => uploaded({ hardware: { ram_gb: size, memory_limit_gb: size } });
    for (const { caveats } of [reportComparisonOf(of(64), of(gb)), reportComparisonOf(of(gb), of(64))])
      expect(caveats.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ["2027-02-18T07:12:04.000Z", []],
    ["2027-02-18T07:12:04.001Z", ["measured_long_apart"]],
    ["2026-08-22T07:12:04.000Z", []],
    ["2026-08-22T07:12:03.999Z", ["measured_long_apart"]],
  ])(
    "[OUR-CMP-06] a run of 2026-11-20 against one of %s gives %j: more than 90 days",
    (created_at, codes) => {
      const { caveats } = reportComparisonOf(uploaded({}), uploaded({}, { created_at }));
      expect(caveats.map(({ code }) => code)).toEqual(codes);
    },
  );

  it("[OUR-CMP-07] change no verdict, and are listed for a blocked pair too", () => {
    const plain = reportComparisonOf(uploaded({}), uploaded({}));
    const warned = reportComparisonOf(uploaded({}), uploaded(everything));
    expect([warned.metrics, warned.summary]).toEqual([plain.metrics, plain.summary]);
    const blocked = reportComparisonOf(uploaded({}), uploaded({ ...everything, benchmark_mode: "custom" }));
    expect(blocked.caveats).toEqual(warned.caveats);
  });

  it("[OUR-CMP-12] say how many tests were unsteady, if both runs say how steady they were", () => {
    const sliced = ["memory_latency", "disk_random_4k"];
    const run = (local_id: string, ...unsteady: readonly (boolean | null)[]) =>
      acceptedPayload(
        { local_id },
        Object.fromEntries(sliced.map((id, index) => [id, { flags: { unsteady: unsteady[index] ?? null } }])),
      );
    const between = (base: ReportPayload, other: ReportPayload) => comparePayloads(base, other).caveats;
    const caveat = { code: "tests_unsteady", base: 0, other: 2 };
    expect(between(run("a", false, false), run("b", true, true))).toEqual([caveat]);
    expect(between(run("a", true, true), run("b", false))).toEqual([{ ...caveat, base: 2, other: 0 }]);
    expect(between(run("a", false), run("b", false, null))).toEqual([]);
    expect(between(run("a"), run("b", true, true))).toEqual([]);
    expect(between(run("a", true), run("a", true))).toEqual([]);
  });
});
