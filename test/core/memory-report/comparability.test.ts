import { describe, expect, it } from "vitest";
import { MemoryIssueCode } from "../../../src/core/memory-report/comparability.ts";
import { compareMemory, MemoryComparison } from "../../../src/core/memory-report/comparison.ts";
import type { MemoryDocument } from "../../../src/core/memory-report/document.ts";
import { analysis, mebibyte, reportOf, summary, suspect, totals } from "./documents.ts";

const baseUrl = "https://tickmark.example";
const compare = (base: MemoryDocument, target: MemoryDocument) =>
  compareMemory(reportOf(base, 1), reportOf(target, 2), baseUrl);
const issues = (base: MemoryDocument, target: MemoryDocument) => compare(base, target).comparability.issues;
const codes = (base: MemoryDocument, target: MemoryDocument) => issues(base, target).map(({ code }) => code);

describe("comparability", () => {
  it("[MEM-22] [OUR-MEM-10] is a closed list of codes; the worst severity is the level", () => {
    expect(MemoryIssueCode.options.join(" ")).toBe(
      "same-report document-missing kind-differs measure-differs targeted-owner-differs same-dump scope-differs " +
        "mode-differs heap-max-differs denominator-missing server-version-differs java-version-differs " +
        "service-version-differs plugins-differ owners-incomplete fallback-ran",
    );
    expect(compare(summary(), summary()).comparability).toEqual({ level: "comparable", issues: [] });
    expect(compare(analysis(), analysis()).comparability).toEqual({ level: "comparable", issues: [] });
    const info = compare(analysis(), analysis({ owners_complete: null })).comparability;
    expect([info.level, info.issues[0]?.severity]).toEqual(["comparable", "info"]);
    const caution = compare(summary(), summary({ mode: "all" })).comparability;
    expect([caution.level, caution.issues[0]?.severity]).toEqual(["caution", "caution"]);
    const blocking = compare(summary({ mode: "all" }), analysis()).comparability;
    expect([blocking.level, blocking.issues[0]?.severity]).toEqual(["not-comparable", "blocking"]);
  });

  it("[MEM-22] a summary does not compare with an analysis, whatever it measures", () => {
    const issue = { severity: "blocking", base: "heap-summary", target: "heap-analysis" };
    for (const mode of ["quick", "full", "retained"] as const)
      expect(issues(summary(), analysis({ mode }))[0]).toEqual({ code: "kind-differs", ...issue });
  });

  it("[MEM-22] a quick analysis does not compare with what measures retained bytes", () => {
    const issue = { code: "measure-differs", severity: "blocking", base: "shallow", target: "retained" };
    const quick = analysis({ mode: "quick" });
    expect(issues(quick, analysis())).toEqual([issue]);
    expect(issues(quick, analysis({ mode: "retained" }))[0]).toEqual(issue);
    expect(codes(quick, quick)).toEqual([]);
  });

  it("[MEM-22] [OUR-MEM-10] a full analysis compares with a targeted one, with caution", () => {
    const { level, issues } = compare(analysis(), analysis({ mode: "retained" })).comparability;
    expect(level).toBe("caution");
    expect(issues[0]).toEqual({
      code: "mode-differs",
      severity: "caution",
      base: "full",
      target: "retained",
    });
  });

  it("[OUR-MEM-10] analyses of different plugins do not compare", () => {
    const of = (targeted_owner: string | null) => analysis({ mode: "retained", targeted_owner });
    expect(issues(of("Shop"), of("Maps"))[0]).toEqual({
      code: "targeted-owner-differs",
      severity: "blocking",
      base: "Shop",
      target: "Maps",
    });
    expect(codes(of("Shop"), of("Shop"))).toEqual(["owners-incomplete"]);
    expect(codes(of("Shop"), of(null))).toEqual(["owners-incomplete"]);
    expect(codes(of("Shop"), of(""))).toEqual(["owners-incomplete"]);
    expect(codes(of("Shop"), analysis({ targeted_owner: "Maps" }))).toEqual([
      "mode-differs",
      "owners-incomplete",
    ]);
  });

  it("[MEM-22] two analyses of one dump say nothing of time", () => {
    const of = (dump_id: string | null) => analysis({ dump_id });
    expect(issues(of("dump-1"), of("dump-1"))).toEqual([
      { code: "same-dump", severity: "blocking", base: "dump-1", target: "dump-1" },
    ]);
    expect(codes(of("dump-1"), of("dump-2"))).toEqual([]);
    expect(codes(of(null), of(null))).toEqual([]);
  });

  it("[OUR-MEM-10] a report beside itself is one report, also for who asks past the route", () => {
    const report = reportOf(summary(), 1);
    const { comparability } = compareMemory(report, report, baseUrl);
    expect(comparability.issues.map(({ code }) => code)).toEqual(["same-report"]);
  });

  it("[MEM-22] [OUR-MEM-10] garbage that only one side counted is a reason for caution", () => {
    expect(issues(summary(), summary({ mode: "all" }))).toEqual([
      { code: "scope-differs", severity: "caution", base: "live", target: "all" },
    ]);
    expect(codes(summary(), summary({ mode: null }))).toEqual([]);
  });

  it.each([
    [10_000, 9_800, []],
    [10_000, 9_799, ["heap-max-differs"]],
    [9_799, 10_000, ["heap-max-differs"]],
    [10_000, null, []],
  ])(
    "[OUR-MEM-10] limits of the heap may differ by 2 %% of the larger: %s and %s",
    (one, other, expected) => {
      expect(codes(summary({ heap_max_bytes: one }), summary({ heap_max_bytes: other }))).toEqual(expected);
      const of = (heap_max_bytes: number | null) => analysis({ totals: totals({ heap_max_bytes }) });
      expect(codes(of(one), of(other))).toEqual(expected);
    },
  );

  it("[OUR-MEM-10] without a whole on one side there are no shares to compare", () => {
    const without = analysis({ totals: totals({ reachable_bytes: null }) });
    expect(issues(analysis(), without)).toEqual([
      { code: "denominator-missing", severity: "caution", base: 1000, target: null },
    ]);
    const [row] = compare(analysis(), without).owners;
    expect(row).toMatchObject({ delta_bytes: 0, target_pct: null, delta_points: null, status: "stable" });
  });

  it("[OUR-MEM-10] nor of a summary that does not tell its heap", () => {
    expect(issues(summary(), summary({ heap_used_bytes: null, classes_complete: true }))).toEqual([
      { code: "denominator-missing", severity: "caution", base: 1000, target: null },
    ]);
  });

  it("[OUR-MEM-10] other software around the heap is told where both sides tell it", () => {
    const platform = { server_version: "1.21.8-60", java_version: "21", service_version: "1.10.2" };
    const other = { server_version: "1.21.8-61", java_version: "25", service_version: "1.11.0" };
    expect(issues(summary({ platform }), summary({ platform: other }))).toEqual([
      { code: "server-version-differs", severity: "info", base: "1.21.8-60", target: "1.21.8-61" },
      { code: "java-version-differs", severity: "info", base: "21", target: "25" },
      { code: "service-version-differs", severity: "info", base: "1.10.2", target: "1.11.0" },
    ]);
    expect(codes(summary({ platform }), summary({ platform }))).toEqual([]);
    expect(codes(summary({ platform }), summary())).toEqual([]);
  });

  it("[OUR-MEM-10] plugins differ by how many each side has alone, their order means nothing", () => {
    const of = (...plugins: string[]) => summary({ platform: { plugins } });
    expect(issues(of("Shop", "Maps", "Dynmap"), of("Maps", "Essentials"))).toEqual([
      { code: "plugins-differ", severity: "info", base: 2, target: 1 },
    ]);
    expect(issues(of("Shop"), of("Shop", "Maps"))[0]).toMatchObject({ base: 0, target: 1 });
    expect(codes(of("Shop", "Maps"), of("Maps", "Shop"))).toEqual([]);
    expect(codes(of("Shop"), summary())).toEqual([]);
  });

  it("[OUR-MEM-10] owners that may be missing are told with how many are listed", () => {
    expect(issues(analysis(), analysis({ owners_complete: false }))).toEqual([
      { code: "owners-incomplete", severity: "info", base: null, target: 3 },
    ]);
    const histogram = summary({ classes: [{ class_name: "byte[]", objects: 1, bytes: 5 }] });
    expect(issues(histogram, summary())).toEqual([
      { code: "owners-incomplete", severity: "info", base: 1, target: null },
    ]);
  });

  it("[OUR-MEM-10] an analysis that ran instead of another is told with its reason", () => {
    const fallback = { reason: "too-large" };
    const stand = analysis({ mode: "quick", fallback });
    expect(issues(stand, analysis({ mode: "quick", requested_mode: "quick" }))).toEqual([
      { code: "fallback-ran", severity: "info", base: "too-large", target: null },
    ]);
  });

  it("[OUR-MEM-11] under a blocking issue totals stay and lists are empty", () => {
    const suspects = [suspect("s", 500 * mebibyte)];
    const of = (bytes: number) =>
      analysis({ dump_id: "dump-1", suspects, totals: totals({ reachable_bytes: bytes }) });
    const none = { appeared: [], grew: [], shrank: [], resolved: [], persisting: [] };
    expect(compare(of(mebibyte), of(2 * mebibyte))).toMatchObject({
      total: { base_bytes: mebibyte, target_bytes: 2 * mebibyte, delta_bytes: mebibyte, delta_percent: 100 },
      owners: [],
      owners_truncated: false,
      classes: [],
      suspects: none,
      accumulation_points: none,
      game_objects: [],
    });
    const targeted = analysis({ mode: "retained", dump_id: "dump-1" });
    expect(compare(targeted, targeted)).toMatchObject({ suspects: null, game_objects: [] });
    expect(compare(summary(), analysis())).toMatchObject({
      total: { delta_bytes: 0 },
      owners: [],
      classes: [],
      suspects: null,
      accumulation_points: null,
      game_objects: null,
    });
  });

  it("[OUR-MEM-12] a document that cannot be read blocks, and the totals of the rows stay", () => {
    const unreadable = { ...reportOf(analysis({ local_id: "analysis-2" }), 2), document: null };
    const told = compareMemory(reportOf(analysis(), 1), unreadable, baseUrl);
    expect(told.comparability).toEqual({
      level: "not-comparable",
      issues: [
        { code: "document-missing", severity: "blocking", base: "service-heap-analysis/1", target: null },
      ],
    });
    expect(told).toMatchObject({ total: { base_bytes: 1000, delta_bytes: 0 }, owners: [], classes: [] });
    expect(MemoryComparison.parse(told)).toEqual(told);
    const neither = compareMemory({ ...reportOf(summary(), 1), document: null }, unreadable, baseUrl);
    expect(neither.comparability.issues.map(({ code }) => code)).toEqual([
      "document-missing",
      "kind-differs",
    ]);
  });
});
