import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ComparedReport } from "../../../src/core/memory-report/comparability.ts";
import { compareMemory, MemoryComparison } from "../../../src/core/memory-report/comparison.ts";
import { diagnoseMemory } from "../../../src/core/memory-report/diagnose.ts";
import { gameObjectKinds, type MemoryDocument } from "../../../src/core/memory-report/document.ts";
import { bytesLeftOut } from "../../../src/core/memory-report/measured.ts";
import { MemoryDiagnosis } from "../../../src/core/memory-report/memory-diagnosis.ts";
import { analysis, analysisUpload, mebibyte, point, reportOf, summary, suspect } from "./documents.ts";

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 });
const bytes = fc.oneof(fc.constantFrom(0, 1, mebibyte), fc.integer({ min: 0, max: 2000 * mebibyte }));
const owner = fc.constantFrom("", "server", "jvm", "library", "spark", "other", "Shop", "Maps", "Claims");
const className = fc.constantFrom("java.lang.String", "byte[]", "example.shop.Visit", "example.maps.Tile");
const key = fc.constantFrom("a", "b", "c", "d");
const heap = fc.oneof(fc.constantFrom(0, 1000 * mebibyte), bytes);

const anySummary = fc
  .record({
    mode: some(fc.constantFrom("live" as const, "all" as const)),
    heap_used_bytes: some(heap),
    classes_complete: some(fc.boolean()),
    classes: fc.uniqueArray(
      fc.record({
        class_name: className,
        owner: some(owner),
        plugin: fc.boolean(),
        objects: fc.nat(1000),
        bytes,
      }),
      { selector: (row) => `${row.owner} ${row.class_name}`, maxLength: 12 },
    ),
  })
  .map((changes) => summary(changes));

const anyAnalysis = fc
  .record({
    mode: fc.constantFrom("quick" as const, "full" as const, "full" as const, "retained" as const),
    requested_mode: some(fc.constantFrom("quick" as const, "full" as const, "auto" as const)),
    targeted_owner: some(owner),
    fallback: some(fc.record({ reason: fc.constantFrom("memory", "moon") })),
    reachable: some(heap),
    shallow: some(heap),
    owners: fc.uniqueArray(fc.record({ owner, plugin: fc.boolean(), bytes, objects: fc.nat(1000) }), {
      selector: (row) => row.owner,
    }),
    owners_complete: some(fc.boolean()),
    classes: fc.uniqueArray(fc.record({ class_name: className, objects: fc.nat(1000), bytes }), {
      selector: (row) => row.class_name,
    }),
    counted: some(fc.nat(4)),
    suspects: some(
      fc.uniqueArray(
        fc.tuple(key, bytes).map((args) => suspect(...args)),
        { selector: (row) => row.key },
      ),
    ),
    accumulation_points: some(
      fc.uniqueArray(
        fc.tuple(key, bytes).map((args) => point(...args)),
        { selector: (row) => row.key },
      ),
    ),
    game_objects: some(
      fc.uniqueArray(
        fc
          .record({ owner, kind: fc.constantFrom(...gameObjectKinds), fresh: fc.nat(9), stale: fc.nat(9) })
          .map(({ fresh, ...row }) => Object.assign(row, { held: fresh + row.stale })),
        { selector: (row) => `${row.owner} ${row.kind}` },
      ),
    ),
  })
  .map(({ reachable, shallow, counted, ...changes }) => {
    const totals = { reachable_bytes: reachable, shallow_bytes: shallow, classes: counted };
    return analysis({ ...changes, totals: { ...analysisUpload.totals, ...totals } });
  });

const anyDocument = fc.oneof(anySummary, anyAnalysis);
/** Two documents that are likely to compare. */
const anyPair = fc.oneof(fc.tuple(anySummary, anySummary), fc.tuple(anyAnalysis, anyAnalysis));

const compare = (base: ComparedReport, target: ComparedReport) =>
  compareMemory(base, target, "https://t.example");
const compareDocuments = (base: MemoryDocument, target: MemoryDocument) =>
  compare(reportOf(base, 1), reportOf(target, 2));

const difference = (base: number | null, target: number | null) =>
  base === null || target === null ? null : target - base;

type Lists = MemoryComparison["suspects"] | MemoryComparison["accumulation_points"];
const rowsOf = (lists: Lists) =>
  lists === null
    ? []
    : [...lists.appeared, ...lists.grew, ...lists.shrank, ...lists.resolved, ...lists.persisting];

/** What the document itself lists of an owner. */
function listsOwner(document: MemoryDocument, owner: string): boolean {
  return diagnoseMemory(document).owners.some((row) => row.owner === owner);
}

/** The same document with its lists the other way round. */
function turned(document: MemoryDocument): MemoryDocument {
  if (document.schema === "service-heap-summary/1")
    return { ...document, classes: document.classes.toReversed() };
  return {
    ...document,
    classes: document.classes.toReversed(),
    owners: document.owners.toReversed(),
    suspects: document.suspects?.toReversed() ?? null,
    accumulation_points: document.accumulation_points?.toReversed() ?? null,
    game_objects: document.game_objects?.toReversed() ?? null,
  };
}

describe("a diagnosis", () => {
  it("[MEM-17] [OUR-MEM-02] [OUR-MEM-07] of any document has its shape, shares of 0 to 100 and bounded lists", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const told = diagnoseMemory(document);
        expect(MemoryDiagnosis.strict().safeParse(told).success).toBe(true);
        const shares = [...told.owners, ...told.classes, ...(told.suspects ?? [])].map(({ pct }) => pct);
        expect(shares.every((pct) => (pct === null) === (told.denominator_bytes === null))).toBe(true);
        expect(shares.every((pct) => pct === null || (pct >= 0 && pct <= 100))).toBe(true);
        expect(told.suspects?.every(({ pct }) => told.mode !== "full" || pct === null || pct >= 10)).not.toBe(
          false,
        );
      }),
    );
  });

  it("[OUR-MEM-04] does not depend on the order of what was uploaded", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(diagnoseMemory(turned(document))).toEqual(diagnoseMemory(document));
      }),
    );
  });

  it("[MEM-12] tells of the row's top owner what the row tells", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const { topOwner, topOwnerPct } = reportOf(document, 1).record.head;
        const row = diagnoseMemory(document).owners.find(({ owner }) => owner === topOwner);
        expect([row?.owner ?? null, row?.pct ?? null]).toEqual([topOwner, topOwnerPct]);
        expect(row?.plugin).not.toBe(false);
      }),
    );
  });
});

describe("a comparison", () => {
  it("[OUR-MEM-13] with a copy of itself finds no change", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const told = compareDocuments(document, document);
        expect(told.total.delta_bytes ?? 0).toBe(0);
        const isExact = bytesLeftOut(document) === 0;
        for (const { status, delta_bytes } of told.owners)
          expect([status, delta_bytes]).toEqual(isExact ? ["stable", 0] : [expect.any(String), null]);
        expect(told.classes).toEqual([]);
        for (const lists of [told.suspects, told.accumulation_points])
          expect(rowsOf(lists)).toHaveLength(lists?.persisting.length ?? 0);
        expect(told.game_objects ?? []).toEqual([]);
      }),
    );
  });

  it("[MEM-21] is the same whichever is named first", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, fc.boolean(), (one, other, sameTime) => {
        const [left, right] = [reportOf(one, 1), reportOf(other, sameTime ? 1 : 2)];
        const twin = { ...right, record: { ...right.record, id: "b" } };
        expect(compare(twin, left)).toEqual(compare(left, twin));
      }),
    );
  });

  it("[MEM-20] [OUR-MEM-13] tells deltas as target - base, null where a side is unknown", () => {
    fc.assert(
      fc.property(anyPair, ([base, target]) => {
        const told = compareDocuments(base, target);
        expect(told.total.delta_bytes).toBe(difference(told.total.base_bytes, told.total.target_bytes));
        const isExact = bytesLeftOut(base) === 0 && bytesLeftOut(target) === 0;
        for (const row of told.owners) {
          const change = difference(row.base_bytes, row.target_bytes);
          expect(row.delta_bytes).toBe(isExact ? change : null);
          const points = isExact ? difference(row.base_pct, row.target_pct) : null;
          expect(row.delta_points === null).toBe(points === null);
          expect(Math.abs((row.delta_points ?? 0) - (points ?? 0))).toBeLessThan(0.0151);
          if (change === null) expect(row.status).toBe("unknown");
          else if (isExact) expect(row.status).not.toBe("unknown");
        }
        for (const row of told.classes) {
          expect(row.delta_bytes).toBe(difference(row.base_bytes, row.target_bytes));
          expect(row.delta_objects).toBe(difference(row.base_objects, row.target_objects));
          expect(row.delta_bytes ?? row.target_bytes).toBeGreaterThan(0);
        }
        for (const row of told.game_objects ?? [])
          expect(row.delta).toBe(difference(row.base_held, row.target_held));
        for (const lists of [told.suspects, told.accumulation_points])
          for (const row of rowsOf(lists))
            expect(row.delta_bytes).toBe(difference(row.base_retained_bytes, row.target_retained_bytes));
      }),
    );
  });

  it("[MEM-20] of any two documents, or without them, has its shape and bounded lists", () => {
    const maybe = some(anyDocument);
    fc.assert(
      fc.property(anyDocument, anyDocument, maybe, maybe, (one, other, base, target) => {
        const left = { ...reportOf(base ?? one, 1), document: base };
        const right = { ...reportOf(target ?? other, 2), document: target };
        const told = compare(left, right);
        expect(MemoryComparison.strict().parse(told)).toEqual(told);
        const lists = [told.suspects, told.accumulation_points].flatMap((found) =>
          Object.values(found ?? {}),
        );
        expect(Math.max(told.owners.length, told.classes.length)).toBeLessThanOrEqual(25);
        expect(told.game_objects?.length ?? 0).toBeLessThanOrEqual(50);
        expect(Math.max(0, ...lists.map((rows) => rows.length))).toBeLessThanOrEqual(10);
        const blocked = base === null || target === null || told.base.kind !== told.target.kind;
        if (blocked)
          expect(told).toMatchObject({ owners: [], classes: [], comparability: { level: "not-comparable" } });
      }),
    );
  });

  it("[OUR-MEM-13] says of an owner's bytes what they did, whatever is missing and whatever the heap did", () => {
    const gone: Readonly<Record<string, number>> = {
      appeared: 1,
      up: 1,
      stable: 0,
      down: -1,
      disappeared: -1,
    };
    fc.assert(
      fc.property(anyPair, fc.nat(50 * mebibyte), ([base, target], missing) => {
        for (const row of compareDocuments(base, target).owners) {
          const direction = gone[row.status];
          if (direction === undefined || row.base_bytes === null || row.target_bytes === null) continue;
          const ways = [bytesLeftOut(base), bytesLeftOut(target)].map((most) => Math.min(most, missing));
          const change = row.target_bytes + (ways[1] ?? 0) - row.base_bytes - (ways[0] ?? 0);
          expect(direction * change).toBeGreaterThanOrEqual(0);
          if (direction === 0)
            expect(Math.abs(change)).toBeLessThan(
              Math.max(mebibyte, (row.base_bytes + (ways[0] ?? 0)) * 0.05),
            );
        }
      }),
    );
  });

  it("[OUR-MEM-14] says of no owner that it went or came where that side may have left it out", () => {
    fc.assert(
      fc.property(fc.tuple(anyAnalysis, anyAnalysis), ([base, target]) => {
        const complete = (document: MemoryDocument) =>
          document.schema === "service-heap-analysis/1" &&
          document.mode !== "retained" &&
          document.owners_complete === true;
        for (const { owner, status } of compareDocuments(base, target).owners) {
          if (!complete(target) && !listsOwner(target, owner)) expect(status).toBe("unknown");
          if (!complete(base) && !listsOwner(base, owner)) expect(status).toBe("unknown");
          if (status === "disappeared") expect(complete(target) || listsOwner(target, owner)).toBe(true);
        }
      }),
    );
  });
});
