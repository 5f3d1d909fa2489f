import { describe, expect, it } from "vitest";
import type { ComparedReport } from "../../../src/core/memory-report/comparability.ts";
import { compareMemory, MemoryComparison } from "../../../src/core/memory-report/comparison.ts";
import type { MemoryDocument } from "../../../src/core/memory-report/document.ts";
import { hour, now, reportOf, summary } from "./documents.ts";

const baseUrl = "https://tickmark.example";
const compare = (base: MemoryDocument, target: MemoryDocument) =>
  compareMemory(reportOf(base, 1), reportOf(target, 2), baseUrl);

/** The same report with other facts beside its document. */
const beside = (report: ComparedReport, head: Partial<ComparedReport["record"]["head"]>, id?: string) => ({
  record: { ...report.record, id: id ?? report.record.id, head: { ...report.record.head, ...head } },
  document: report.document,
});

describe("shape", () => {
  it("[MEM-20] has the decided fields, in their order", () => {
    const { shape } = MemoryComparison;
    expect(Object.keys(shape).join(" ")).toBe(
      "base target elapsed_seconds comparability total owners owners_truncated classes suspects " +
        "accumulation_points game_objects",
    );
    expect(Object.keys(shape.total.shape).join(" ")).toBe(
      "base_bytes target_bytes delta_bytes delta_percent",
    );
    expect(Object.keys(shape.owners.element.shape).join(" ")).toBe(
      "owner plugin base_bytes target_bytes delta_bytes base_pct target_pct delta_points status",
    );
    expect(Object.keys(shape.classes.element.shape).join(" ")).toBe(
      "class_name owner base_bytes target_bytes delta_bytes base_objects target_objects delta_objects",
    );
    expect(Object.keys(shape.suspects.unwrap().shape).join(" ")).toBe(
      "appeared grew shrank resolved persisting",
    );
    expect(Object.keys(shape.game_objects.unwrap().element.shape).join(" ")).toBe(
      "owner kind base_held target_held delta stale_delta",
    );
  });

  it("[MEM-20] tells of totals, owners and classes what changed", () => {
    const target = summary({
      local_id: "summary-2",
      heap_used_bytes: 1250,
      classes: [{ class_name: "example.shop.Visit", owner: "Shop", plugin: true, objects: 30, bytes: 500 }],
    });
    const told = compare(summary(), target);
    expect(MemoryComparison.strict().parse(told)).toEqual(told);
    expect(told.total).toEqual({ base_bytes: 1000, target_bytes: 1250, delta_bytes: 250, delta_percent: 25 });
    expect(told.classes).toEqual([
      {
        class_name: "example.shop.Visit",
        owner: "Shop",
        base_bytes: 200,
        target_bytes: 500,
        delta_bytes: 300,
        base_objects: 10,
        target_objects: 30,
        delta_objects: 20,
      },
    ]);
    expect(told.owners.find(({ owner }) => owner === "Shop")).toEqual({
      owner: "Shop",
      plugin: true,
      base_bytes: 200,
      target_bytes: 500,
      delta_bytes: 300,
      base_pct: 20,
      target_pct: 40,
      delta_points: 20,
      status: "stable",
    });
    expect([told.suspects, told.accumulation_points, told.game_objects]).toEqual([null, null, null]);
  });

  it("[MEM-20] a total that is unknown has no change, one of nothing no percentage", () => {
    const empty = summary({ heap_used_bytes: 0, classes: [] });
    expect(compare(empty, summary()).total).toMatchObject({ delta_bytes: 1000, delta_percent: null });
    const unknown = summary({ heap_used_bytes: null, classes: [] });
    expect(compare(summary(), unknown).total).toEqual({
      base_bytes: 1000,
      target_bytes: null,
      delta_bytes: null,
      delta_percent: null,
    });
  });
});

describe("which is the base", () => {
  const early = reportOf(summary(), 1);
  const late = reportOf(summary({ local_id: "summary-2" }), 2);

  it("[MEM-21] the older one, whichever is named first", () => {
    expect(compareMemory(late, early, baseUrl)).toEqual(compareMemory(early, late, baseUrl));
    expect(compareMemory(late, early, baseUrl).base.id).toBe(early.record.id);
    expect(compareMemory(late, early, baseUrl).elapsed_seconds).toBe(3600);
  });

  it("[MEM-21] [OUR-MEM-01] by creation, not by upload, or by upload where creation is unknown", () => {
    const uploadedLate = beside(late, { createdAt: now - hour });
    expect(compareMemory(early, uploadedLate, baseUrl).base.id).toBe(late.record.id);
    const [first, second] = [beside(early, { createdAt: null }), beside(late, { createdAt: null })];
    expect(compareMemory(first, second, baseUrl)).toMatchObject({
      base: { id: early.record.id },
      elapsed_seconds: 3600,
    });
  });

  it("[OUR-MEM-09] a creation and an upload are not one clock: then nobody says how much later", () => {
    const untold = beside(late, { createdAt: null });
    expect(compareMemory(early, untold, baseUrl)).toMatchObject({
      base: { id: early.record.id },
      elapsed_seconds: null,
    });
  });

  it("[MEM-21] [OUR-MEM-09] of two from one moment the one with the smaller id", () => {
    const twin = beside(late, { createdAt: early.record.head.createdAt });
    expect(compareMemory(early, twin, baseUrl).base.id).toBe(early.record.id);
    expect(compareMemory(twin, early, baseUrl).base.id).toBe(early.record.id);
  });
});
