import { describe, expect, it } from "vitest";
import { diagnoseMemory } from "../../../src/core/memory-report/diagnose.ts";
import {
  AccountMemoryReport,
  MemoryReport,
  MemoryReportDetail,
} from "../../../src/core/memory-report/memory-report.ts";
import {
  headOf,
  memoryReportTime,
  toAccountMemoryReport,
  toMemoryReport,
  toMemoryReportDetail,
} from "../../../src/core/memory-report/show.ts";
import { analysis, now, recordOf, reportId, serverId, summary, suspect, totals } from "./documents.ts";

const baseUrl = "https://tickmark.example";

describe("a row", () => {
  it("[MEM-06] has the documented fields in their order, nullable but the first five", () => {
    expect(Object.keys(MemoryReport.shape).join(" ")).toBe(
      "id server_id local_id kind schema mode requested_mode fallback_reason heap_bytes top_owner top_owner_pct " +
        "suspects_count plugin_version created_at uploaded_at url",
    );
    const nullable = Object.entries(MemoryReport.shape).filter(([, field]) => field.safeParse(null).success);
    expect(nullable.map(([name]) => name)).toEqual(Object.keys(MemoryReport.shape).slice(5));
  });

  it("[MEM-06] tells what its document says, and where its owner reads it", () => {
    const row = toMemoryReport(recordOf(summary(), 1), baseUrl);
    expect(row).toEqual({
      id: reportId(1),
      server_id: serverId,
      local_id: "summary-1",
      kind: "heap-summary",
      schema: "service-heap-summary/1",
      mode: "live",
      requested_mode: null,
      fallback_reason: null,
      heap_bytes: 1000,
      top_owner: "Shop",
      top_owner_pct: 20,
      suspects_count: null,
      plugin_version: "1.10.2",
      created_at: "2026-11-20T07:00:00.000Z",
      uploaded_at: "2026-11-20T13:00:00.000Z",
      url: `https://tickmark.example/servers/${serverId}/memory-reports/${reportId(1)}`,
    });
    expect(MemoryReport.parse(row)).toEqual(row);
  });

  it("[MEM-15] of the account has the server's name besides", () => {
    expect(Object.keys(AccountMemoryReport.shape)).toEqual([
      ...Object.keys(MemoryReport.shape),
      "server_name",
    ]);
    expect(toAccountMemoryReport(recordOf(summary(), 1), baseUrl).server_name).toBe("Lobby");
  });

  it("[MEM-16] in full has the diagnosis besides, null when the document cannot be read", () => {
    const record = recordOf(summary(), 1);
    expect(Object.keys(MemoryReportDetail.shape)).toEqual([...Object.keys(MemoryReport.shape), "diagnosis"]);
    expect(toMemoryReportDetail(record, diagnoseMemory(summary()), baseUrl).diagnosis?.kind).toBe("summary");
    const unreadable = toMemoryReportDetail(record, null, baseUrl);
    expect(unreadable).toEqual({ ...toMemoryReport(record, baseUrl), diagnosis: null });
  });

  it("[OUR-MEM-01] is from its creation, or its upload where that is unknown", () => {
    expect(memoryReportTime(recordOf(summary(), 0))).toBe(Date.parse("2026-11-20T07:00:00.000Z"));
    expect(memoryReportTime(recordOf(summary({ created_at: null }), 0))).toBe(now);
  });
});

describe("what is kept of a document", () => {
  it("[MEM-07] kind and schema name one another", () => {
    expect(headOf(summary())).toMatchObject({ kind: "heap-summary", schema: "service-heap-summary/1" });
    expect(headOf(analysis())).toMatchObject({ kind: "heap-analysis", schema: "service-heap-analysis/1" });
  });

  it("[MEM-08] [MEM-09] the mode is what ran, what was asked for stands beside it", () => {
    const modes = (document: ReturnType<typeof summary>) => {
      const { mode, requestedMode } = headOf(document);
      return [mode, requestedMode];
    };
    expect(modes(summary({ mode: "all" }))).toEqual(["all", null]);
    expect(modes(summary({ mode: null }))).toEqual([null, null]);
    expect(modes(analysis({ mode: "quick", requested_mode: "auto" }))).toEqual(["quick", "auto"]);
    expect(modes(analysis({ mode: "retained", requested_mode: "retained" }))).toEqual([
      "retained",
      "retained",
    ]);
  });

  it("[MEM-10] a fallback reason is passed on, known or not, where a quick analysis stood in", () => {
    const fallback = { reason: "phase-of-the-moon" };
    const reason = (changes: Parameters<typeof analysis>[0]) =>
      headOf(analysis({ fallback, ...changes })).fallbackReason;
    expect(reason({ mode: "quick" })).toBe("phase-of-the-moon");
    expect(reason({ mode: "quick", requested_mode: null })).toBe("phase-of-the-moon");
    expect(reason({ mode: "quick", requested_mode: "quick" })).toBeNull();
    expect(reason({ mode: "full" })).toBeNull();
  });

  it("[MEM-11] heap bytes are heap used, reachable bytes, or shallow bytes of the whole dump", () => {
    expect(headOf(summary()).heapBytes).toBe(1000);
    expect(headOf(analysis()).heapBytes).toBe(1000);
    expect(headOf(analysis({ mode: "quick" })).heapBytes).toBe(1200);
    expect(headOf(analysis({ mode: "retained" })).heapBytes).toBe(1200);
    expect(headOf(analysis({ totals: null })).heapBytes).toBeNull();
  });

  it("[MEM-11] [OUR-MEM-02] a summary that does not tell heap used has none: its classes may be chosen ones", () => {
    const classes = [
      { class_name: "byte[]", objects: 1, bytes: 70 },
      { class_name: "int[]", objects: 1, bytes: 30 },
    ];
    expect(headOf(summary({ heap_used_bytes: null, classes })).heapBytes).toBeNull();
    expect(headOf(summary({ heap_used_bytes: null, classes: [] })).heapBytes).toBeNull();
    expect(headOf(summary({ heap_used_bytes: 0, classes: [] })).heapBytes).toBe(0);
  });

  it("[MEM-12] the top owner is the plugin that holds most, whatever is no plugin being skipped", () => {
    const rows = ["server", "jvm", "library", "spark", "other", "Shop", "Maps"];
    const owners = rows.map((owner, index) => ({ owner, plugin: true, bytes: 200 - index, objects: 1 }));
    expect(headOf(analysis({ owners }))).toMatchObject({ topOwner: "Shop", topOwnerPct: 19.5 });
    expect(headOf(analysis({ mode: "quick", owners }))).toMatchObject({ topOwnerPct: 16.25 });
    expect(headOf(analysis({ owners: owners.slice(0, 5) }))).toMatchObject({
      topOwner: null,
      topOwnerPct: null,
    });
  });

  it("[MEM-12] what the sender does not call a plugin is none; where it calls none so, nobody is told", () => {
    const owners = [
      { owner: "Dynmap web", plugin: false, bytes: 500, objects: 1 },
      { owner: "Shop", plugin: true, bytes: 300, objects: 1 },
    ];
    expect(headOf(analysis({ owners })).topOwner).toBe("Shop");
    expect(headOf(analysis({ owners: owners.slice(0, 1) })).topOwner).toBeNull();
    const row = { class_name: "a.A", owner: "Dynmap web", objects: 1, bytes: 500 };
    expect(headOf(summary({ classes: [row] })).topOwner).toBeNull();
    expect(headOf(summary({ classes: [{ ...row, plugin: true }] })).topOwner).toBe("Dynmap web");
  });

  it("[MEM-12] nobody holds most of nothing, and without a whole there is no share", () => {
    const owners = [{ owner: "Shop", plugin: true, bytes: 0, objects: 0 }];
    expect(headOf(analysis({ owners })).topOwner).toBeNull();
    expect(headOf(analysis({ totals: null }))).toMatchObject({ topOwner: "Shop", topOwnerPct: null });
  });

  it("[MEM-13] suspects are counted of a full analysis only, those shown or not", () => {
    const suspects = Array.from({ length: 12 }, (_, index) => suspect(`s${index}`, 100));
    expect(headOf(analysis({ suspects })).suspectsCount).toBe(12);
    expect(headOf(analysis({ suspects: [] })).suspectsCount).toBe(0);
    expect(headOf(analysis({ suspects: null })).suspectsCount).toBeNull();
    expect(headOf(analysis({ suspects, mode: "retained" })).suspectsCount).toBeNull();
    expect(headOf(analysis({ suspects, mode: "quick" })).suspectsCount).toBeNull();
    expect(headOf(summary()).suspectsCount).toBeNull();
  });

  it("[OUR-MEM-06] what retains less than a tenth of the reachable bytes is no suspect", () => {
    const suspects = [suspect("at", 100), suspect("below", 99)];
    expect(headOf(analysis({ suspects })).suspectsCount).toBe(1);
    expect(headOf(analysis({ suspects, totals: totals({ reachable_bytes: null }) })).suspectsCount).toBe(2);
  });
});
