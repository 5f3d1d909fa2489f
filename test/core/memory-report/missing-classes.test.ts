import { describe, expect, it } from "vitest";
import { compareMemory } from "../../../src/core/memory-report/comparison.ts";
import type { MemoryDocument } from "../../../src/core/memory-report/document.ts";
import { mebibyte, reportOf, summary, summaryUpload } from "./documents.ts";

const compare = (base: MemoryDocument, target: MemoryDocument) =>
  compareMemory(reportOf(base, 1), reportOf(target, 2), "https://tickmark.example");
const statuses = (base: MemoryDocument, target: MemoryDocument) =>
  Object.fromEntries(compare(base, target).owners.map(({ owner, status }) => [owner, status]));

describe("summaries whose classes are not all", () => {
  it("[OUR-MEM-13] where classes are missing, bytes did what they did at least and at most; how much is not told", () => {
    const of = (used: number | null, complete: boolean | null, bytes: number) =>
      summary({
        heap_used_bytes: used === null ? null : used * mebibyte,
        classes_complete: complete,
        classes: [
          { class_name: "a.A", owner: "Shop", plugin: true, objects: 1, bytes: bytes * mebibyte },
          { class_name: "byte[]", objects: 1, bytes: 100 * mebibyte },
        ],
      });
    const row = (base: MemoryDocument, target: MemoryDocument) => {
      const shop = compare(base, target).owners.find(({ owner }) => owner === "Shop");
      return [shop?.status, shop?.base_bytes, shop?.delta_bytes, shop?.delta_points];
    };
    const [mib, whole] = [mebibyte, of(150, true, 50)];
    expect(row(whole, of(190, true, 90))).toEqual(["up", 50 * mib, 40 * mib, 14.04]);
    expect(row(whole, of(999, null, 90))).toEqual(["up", 50 * mib, 40 * mib, -24.32]);
    expect(row(whole, of(200, false, 90))).toEqual(["up", 50 * mib, null, null]);
    expect(row(of(170, false, 50), of(200, false, 90))).toEqual(["up", 50 * mib, null, null]);
    expect(row(of(190, false, 50), of(200, false, 90))).toEqual(["unknown", 50 * mib, null, null]);
    expect(row(whole, of(200, false, 40))).toEqual(["unknown", 50 * mib, null, null]);
    expect(row(of(200, false, 90), whole)).toEqual(["down", 90 * mib, null, null]);
    expect(row(of(190.5, false, 90), of(190.25, false, 90))).toEqual(["stable", 90 * mib, null, null]);
    expect(row(whole, of(null, null, 90))).toEqual(["up", 50 * mib, null, null]);
    expect(row(of(null, null, 50), of(190, true, 90))).toEqual(["unknown", 50 * mib, null, null]);
    // Less than its classes, the heap says nothing of what is missing.
    expect(row(whole, of(100, false, 40))).toEqual(["unknown", 50 * mib, null, null]);
  });

  it("[OUR-MEM-19] [OUR-MEM-14] of a summary whose classes are not all, what is not listed is unknown", () => {
    const classes = summaryUpload.classes.filter(({ class_name }) => class_name === "example.shop.Visit");
    expect(statuses(summary(), summary({ classes }))).toMatchObject({ Maps: "disappeared" });
    expect(statuses(summary(), summary({ classes, classes_complete: true }))).toMatchObject({
      Maps: "disappeared",
    });
    const cut = [{ classes_complete: false }, { heap_used_bytes: null }];
    for (const changes of cut) {
      const told = compare(summary(), summary({ classes, ...changes }));
      expect(told.owners.find(({ owner }) => owner === "Maps")).toMatchObject({
        target_bytes: null,
        status: "unknown",
      });
      expect(told.comparability.issues.map(({ code }) => code)).toContain("owners-incomplete");
      const [grown] = compare(summary({ classes, ...changes }), summary()).classes;
      expect(grown).toMatchObject({ base_bytes: null, delta_bytes: null });
    }
    const complete = summary({ classes, classes_complete: true, heap_used_bytes: null });
    expect(statuses(summary(), complete)).toMatchObject({ Maps: "disappeared" });
  });
});
