import { describe, expect, it } from "vitest";
import { compareMemory } from "../../../src/core/memory-report/comparison.ts";
import { maxAccumulationPoints } from "../../../src/core/memory-report/document.ts";
import { analysis, mebibyte, point, reportOf, suspect, totals } from "./documents.ts";

type Upload = Parameters<typeof analysis>[0];
const heap = 1000 * mebibyte;
const of = (changes: Upload) => analysis({ totals: totals({ reachable_bytes: heap }), ...changes });
const compare = (base: Upload, target: Upload) =>
  compareMemory(reportOf(of(base), 1), reportOf(of(target), 2), "https://tickmark.example");
const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index));

/** The keys of each list. */
const keys = (lists: Readonly<Record<string, readonly { key: string }[]>> | null) =>
  lists &&
  Object.fromEntries(Object.entries(lists).map(([list, rows]) => [list, rows.map(({ key }) => key)]));

describe("suspects", () => {
  it("[MEM-20] [OUR-MEM-16] are matched by key: appeared, grew, shrank, resolved or persisting", () => {
    const base = { gone: 200, more: 200, less: 300, same: 150 };
    const target = { come: 110, more: 260, less: 200, same: 151 };
    const rows = (bytes: Record<string, number>) =>
      Object.entries(bytes).map(([key, size]) => suspect(key, size * mebibyte));
    const { suspects } = compare({ suspects: rows(base) }, { suspects: rows(target) });
    expect(keys(suspects)).toEqual({
      appeared: ["come"],
      grew: ["more"],
      shrank: ["less"],
      resolved: ["gone"],
      persisting: ["same"],
    });
    expect(suspects?.grew[0]).toEqual({
      key: "more",
      kind: "single_object",
      owner: "Shop",
      class_name: "example.shop.Visits",
      base_retained_bytes: 200 * mebibyte,
      target_retained_bytes: 260 * mebibyte,
      delta_bytes: 60 * mebibyte,
      base_pct: 20,
      target_pct: 26,
    });
  });

  it("[OUR-MEM-16] what a side does not list retains too little for a suspect, not nothing", () => {
    const { suspects } = compare({}, { suspects: [suspect("come", 200 * mebibyte)] });
    expect(suspects?.appeared[0]).toMatchObject({
      base_retained_bytes: null,
      base_pct: null,
      delta_bytes: null,
    });
  });

  it("[OUR-MEM-16] one that was below a tenth appears with what it was, as it resolves with what it is", () => {
    const below = [suspect("s", 99 * mebibyte)];
    const above = [suspect("s", 101 * mebibyte)];
    const grown = compare({ suspects: below }, { suspects: above }).suspects;
    expect(keys(grown)).toMatchObject({ appeared: ["s"], grew: [] });
    expect(grown?.appeared[0]).toMatchObject({ delta_bytes: 2 * mebibyte, base_pct: 9.9 });
    expect(keys(compare({ suspects: above }, { suspects: below }).suspects)).toMatchObject({
      resolved: ["s"],
    });
    const neither = compare({ suspects: below }, { suspects: below }).suspects;
    expect(Object.values(neither ?? {}).flat()).toEqual([]);
  });

  it("[OUR-MEM-16] of two with one key the larger one counts", () => {
    const suspects = [suspect("s", 300 * mebibyte), suspect("s", 200 * mebibyte)];
    expect(compare({ suspects }, { suspects: suspects.toReversed() }).suspects?.persisting).toHaveLength(1);
  });

  it("[OUR-MEM-16] ten of each list are told, the largest change first", () => {
    const rows = (size: number) =>
      many(12, (index) => suspect(`s${index}`, (size + size * index) * mebibyte));
    const { suspects } = compare({ suspects: rows(100) }, { suspects: rows(200) });
    expect(keys(suspects)).toMatchObject({ grew: many(10, (index) => `s${11 - index}`) });
    const less = (size: number, index: number) => suspect(`s${index}`, size * mebibyte - index);
    const same = (sizes: readonly number[]) => ({ suspects: sizes.map(less) });
    const persisting = compare(same([200, 300, 400]), same([201, 300, 400])).suspects;
    expect(keys(persisting)).toMatchObject({ persisting: ["s2", "s1", "s0"] });
  });

  it("[MEM-20] [OUR-MEM-16] null unless both are full analyses that tell", () => {
    const suspects = [suspect("s", 200 * mebibyte)];
    expect(compare({ suspects: null }, { suspects }).suspects).toBeNull();
    expect(compare({ suspects, mode: "retained" }, { suspects, mode: "retained" }).suspects).toBeNull();
    expect(compare({ suspects }, { suspects, mode: "retained" }).suspects).toBeNull();
    expect(compare({ suspects, mode: "quick" }, { suspects, mode: "quick" }).suspects).toBeNull();
  });
});

describe("accumulation points", () => {
  const points = (bytes: number, elements = 1) => ({ accumulation_points: [point("p", bytes, elements)] });
  const list = (base: number, target: number) => {
    const { accumulation_points } = compare(points(base), points(target));
    return Object.entries(keys(accumulation_points) ?? {}).find(([, keys]) => keys.length > 0)?.[0];
  };

  it.each([
    [mebibyte, 2 * mebibyte, "grew"],
    [mebibyte, 2 * mebibyte - 1, "persisting"],
    [2 * mebibyte, mebibyte, "shrank"],
    [2 * mebibyte, mebibyte + 1, "persisting"],
    [100 * mebibyte, 105 * mebibyte, "grew"],
    [100 * mebibyte, 105 * mebibyte - 1, "persisting"],
    [100 * mebibyte, 95 * mebibyte, "shrank"],
    [100 * mebibyte, 95 * mebibyte + 1, "persisting"],
  ])(
    "[OUR-MEM-16] from 1 MiB and 5 %% of the base on it is a change: %s to %s %s",
    (base, target, expected) => {
      expect(list(base, target)).toBe(expected);
    },
  );

  it("[MEM-20] [OUR-MEM-16] tell where they are and how many elements they have", () => {
    const told = compare(points(2 * mebibyte, 10), points(9 * mebibyte, 70)).accumulation_points;
    expect(told?.grew).toEqual([
      {
        key: "p",
        class_name: "java.util.HashMap",
        owner: "Shop",
        holder_class: "example.shop.Visits",
        holder_field: "byPlayer",
        base_elements: 10,
        target_elements: 70,
        base_retained_bytes: 2 * mebibyte,
        target_retained_bytes: 9 * mebibyte,
        delta_bytes: 7 * mebibyte,
        base_pct: 0.2,
        target_pct: 0.9,
      },
    ]);
  });

  it("[OUR-MEM-14] [OUR-MEM-16] of what a cut list leaves out nothing is said", () => {
    const cut = many(maxAccumulationPoints, (index) => point(`q${index}`, 5));
    const told = compare(points(9 * mebibyte), { accumulation_points: cut }).accumulation_points;
    expect(told?.resolved).toEqual([]);
    const earlier = compare({ accumulation_points: cut }, points(9 * mebibyte)).accumulation_points;
    expect(earlier?.appeared).toEqual([]);
    const full = compare(points(9 * mebibyte), { accumulation_points: cut.slice(1) }).accumulation_points;
    expect(keys(full)).toMatchObject({ resolved: ["p"] });
  });
});
