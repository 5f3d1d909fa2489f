import { describe, expect, it } from "vitest";
import { compareMemory } from "../../../src/core/memory-report/comparison.ts";
import {
  maxClasses,
  maxGameObjects,
  maxOwners,
  type MemoryDocument,
} from "../../../src/core/memory-report/document.ts";
import { analysis, gameObjects, mebibyte, reportOf, summary, totals } from "./documents.ts";

type Upload = NonNullable<Parameters<typeof analysis>[0]>;
const compare = (base: MemoryDocument, target: MemoryDocument) =>
  compareMemory(reportOf(base, 1), reportOf(target, 2), "https://tickmark.example");
const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index));

describe("owners", () => {
  const of = (bytes: Readonly<Record<string, number>>, complete: boolean | null = true) =>
    analysis({
      owners: Object.entries(bytes).map(([owner, bytes]) => ({ owner, bytes, objects: 1 })),
      owners_complete: complete,
    });
  const statuses = (base: MemoryDocument, target: MemoryDocument) =>
    Object.fromEntries(compare(base, target).owners.map(({ owner, status }) => [owner, status]));

  it("[OUR-MEM-13] appear, disappear, go up or down from 1 MiB and 5 % of the base on, else are stable", () => {
    const least = 5 * mebibyte;
    const base = { gone: 5, up: 9, down: mebibyte + 1, a: 9, b: mebibyte, large: 100 * mebibyte, empty: 0 };
    const target = { come: 5, up: 9 + mebibyte, down: 1, a: 8 + mebibyte, b: 1, empty: 0 };
    expect(statuses(of(base), of({ ...target, large: 100 * mebibyte + least }))).toEqual({
      gone: "disappeared",
      come: "appeared",
      up: "up",
      down: "down",
      a: "stable",
      b: "stable",
      large: "up",
      empty: "stable",
    });
    const { large } = statuses(of(base), of({ ...target, large: 100 * mebibyte + least - 1 }));
    expect(large).toBe("stable");
    expect(statuses(of({ Shop: 100 * mebibyte }), of({ Shop: 95 * mebibyte }))).toEqual({ Shop: "down" });
  });

  it("[OUR-MEM-13] tells of an owner's bytes, whatever the heap around it did, or without one", () => {
    const at = (bytes: number, heap: number | null) =>
      analysis({
        owners: [{ owner: "Shop", plugin: true, bytes, objects: 1 }],
        totals: totals({ reachable_bytes: heap }),
      });
    const same = compare(at(100 * mebibyte, 500 * mebibyte), at(100 * mebibyte, 700 * mebibyte));
    expect(same.owners).toMatchObject([{ delta_bytes: 0, delta_points: -5.71, status: "stable" }]);
    const doubled = compare(at(100 * mebibyte, 500 * mebibyte), at(200 * mebibyte, 1500 * mebibyte));
    expect(doubled.owners).toMatchObject([{ delta_points: -6.67, status: "up" }]);
    const unknown = compare(at(100 * mebibyte, null), at(200 * mebibyte, 1500 * mebibyte));
    expect(unknown.owners).toMatchObject([{ delta_points: null, status: "up" }]);
  });

  it("[OUR-MEM-13] the biggest change comes first, and 25 are told", () => {
    const rows = (factor: number) =>
      Object.fromEntries(
        many(26, (index) => [`Owner ${index}`, 100 + factor * index * (index % 2 ? 1 : -1)]),
      );
    const told = compare(of(rows(0)), of(rows(1)));
    expect(told.owners.length).toBe(25);
    expect(told.owners_truncated).toBe(true);
    expect(told.owners.slice(0, 3).map(({ owner, delta_bytes }) => [owner, delta_bytes])).toEqual([
      ["Owner 25", 25],
      ["Owner 24", -24],
      ["Owner 23", 23],
    ]);
    expect(compare(of({ Shop: 1 }), of({ Shop: 2 })).owners_truncated).toBe(false);
  });

  it("[OUR-MEM-14] one that a cut list leaves out is unknown there, and may be the biggest change", () => {
    const told = compare(of({ Shop: 300, Maps: 10 }), of({ Maps: 50 }, false));
    expect(told.owners).toEqual([
      {
        owner: "Shop",
        plugin: false,
        base_bytes: 300,
        target_bytes: null,
        delta_bytes: null,
        base_pct: 30,
        target_pct: null,
        delta_points: null,
        status: "unknown",
      },
      expect.objectContaining({ owner: "Maps", delta_bytes: 40, status: "stable" }),
    ]);
    expect(statuses(of({ Shop: 300 }), of({}, null))).toEqual({ Shop: "unknown" });
    expect(statuses(of({}, null), of({ Shop: 300 }))).toEqual({ Shop: "unknown" });
  });

  it("[OUR-MEM-14] a targeted analysis tells nothing of the owners it leaves out", () => {
    const targeted = analysis({ mode: "retained", owners: [{ owner: "Shop", bytes: 360, objects: 1 }] });
    expect(statuses(analysis(), targeted)).toEqual({ server: "unknown", Maps: "unknown", Shop: "stable" });
  });

  it("[OUR-MEM-14] a histogram without owners has its plugins under other: no plugin went, other did not grow", () => {
    const classes = [
      { class_name: "example.shop.Visit", objects: 1, bytes: 600 },
      { class_name: "java.lang.String", objects: 1, bytes: 300 },
      { class_name: "example.Unknown", objects: 1, bytes: 100 },
    ];
    const told = classes.map((row, index) => ({
      ...row,
      ...(index === 0 && { owner: "Shop", plugin: true }),
    }));
    const histogram = summary({ classes });
    expect(statuses(summary({ classes: told }), histogram)).toEqual({
      Shop: "unknown",
      other: "unknown",
      jvm: "stable",
    });
    expect(statuses(histogram, summary({ classes: told }))).toEqual({
      Shop: "unknown",
      other: "unknown",
      jvm: "stable",
    });
    expect(statuses(histogram, histogram)).toEqual({ other: "stable", jvm: "stable" });
    expect(compare(histogram, summary({ classes: told })).classes).toEqual([]);
  });

  it("[OUR-MEM-14] a list as long as an upload may be counts as cut, whatever it says", () => {
    const owners = many(maxOwners, (index) => ({ owner: `Owner ${index}`, bytes: 0, objects: 1 }));
    expect(statuses(of({ Shop: 5 }), analysis({ owners }))).toMatchObject({ Shop: "unknown" });
    expect(statuses(of({ Shop: 5 }), analysis({ owners: owners.slice(1) }))).toMatchObject({
      Shop: "disappeared",
    });
  });

  it("[OUR-MEM-14] so does a summary's list of classes", () => {
    const classes = many(maxClasses, (index) => ({
      class_name: `a.A${index}`,
      owner: "Shop",
      objects: 1,
      bytes: 1,
    }));
    expect(statuses(summary(), summary({ classes }))).toMatchObject({ Maps: "unknown", Shop: "unknown" });
    expect(statuses(summary(), summary({ classes: classes.slice(1) }))).toMatchObject({
      Maps: "disappeared",
    });
  });
});

describe("classes", () => {
  const of = (bytes: Readonly<Record<string, number>>) =>
    Object.entries(bytes).map(([class_name, bytes]) => ({ class_name, objects: bytes * 2, bytes }));

  it("[OUR-MEM-15] those that grew, most first, 25 of them", () => {
    const base = Object.fromEntries(many(30, (index) => [`a.A${index}`, 100]));
    const target = Object.fromEntries(many(30, (index) => [`a.A${index}`, 90 + index]));
    const { classes } = compare(summary({ classes: of(base) }), summary({ classes: of(target) }));
    expect(classes.map(({ class_name }) => class_name)).toEqual(many(19, (index) => `a.A${29 - index}`));
    expect(classes[0]).toMatchObject({ delta_bytes: 19, delta_objects: 38 });
    const all = compare(summary({ classes: [] }), summary({ classes: of(target) }));
    expect(all.classes.length).toBe(25);
    expect(all.classes[0]).toMatchObject({ base_bytes: 0, delta_bytes: 119, base_objects: 0 });
  });

  it("[OUR-MEM-15] one that a cut list leaves out has no known growth, but stands where all of it would", () => {
    const side = (bytes: Readonly<Record<string, number>>, count: number | null) =>
      analysis({ classes: of(bytes), totals: totals({ classes: count }) });
    const target = side({ "a.New": 50, "a.Old": 70 }, 2);
    expect(compare(side({ "a.Old": 60 }, 2), target).classes).toEqual([
      {
        class_name: "a.New",
        owner: "other",
        base_bytes: null,
        target_bytes: 50,
        delta_bytes: null,
        base_objects: null,
        target_objects: 100,
        delta_objects: null,
      },
      expect.objectContaining({ class_name: "a.Old", delta_bytes: 10 }),
    ]);
    expect(compare(side({ "a.Old": 60 }, 1), target).classes[0]).toMatchObject({ delta_bytes: 50 });
    expect(compare(side({ "a.Old": 60 }, null), target).classes[0]).toMatchObject({ delta_bytes: null });
  });

  it("[OUR-MEM-15] a class is one by its name, under the owner that has most of it", () => {
    const base = [{ class_name: "shaded.Json", owner: "Shop", objects: 1, bytes: 10 }];
    const target = [
      { class_name: "shaded.Json", owner: "Shop", objects: 1, bytes: 10 },
      { class_name: "shaded.Json", owner: "Maps", objects: 2, bytes: 30 },
      { class_name: "shaded.Json", owner: "Claims", objects: 1, bytes: 20 },
    ];
    expect(compare(summary({ classes: base }), summary({ classes: target })).classes).toEqual([
      expect.objectContaining({ owner: "Maps", base_bytes: 10, target_bytes: 60, delta_objects: 3 }),
    ]);
  });
});

describe("game objects", () => {
  const compared = (base: Upload, target: Upload) => compare(analysis(base), analysis(target)).game_objects;

  it("[MEM-20] [OUR-MEM-17] whatever changed in number or in stale ones, most gained first", () => {
    const base = [gameObjects("Shop", 5), gameObjects("Maps", 9, 9), gameObjects("Same", 3, 1)];
    const target = [gameObjects("New", 2), gameObjects("Shop", 5, 4), gameObjects("Same", 3, 1)];
    expect(compared({ game_objects: base }, { game_objects: target })).toEqual([
      { owner: "New", kind: "chunk", base_held: 0, target_held: 2, delta: 2, stale_delta: 0 },
      { owner: "Shop", kind: "chunk", base_held: 5, target_held: 5, delta: 0, stale_delta: 4 },
      { owner: "Maps", kind: "chunk", base_held: 9, target_held: 0, delta: -9, stale_delta: -9 },
    ]);
  });

  it("[OUR-MEM-17] the classes of one kind are one", () => {
    const parts = [gameObjects("Shop", 2), { ...gameObjects("Shop", 3, 1), class_name: "b.Chunk" }];
    expect(compared({ game_objects: [] }, { game_objects: parts })).toEqual([
      { owner: "Shop", kind: "chunk", base_held: 0, target_held: 5, delta: 5, stale_delta: 1 },
    ]);
    expect(
      compared(
        { game_objects: [] },
        { game_objects: [...parts, { ...gameObjects("Shop", 1), kind: "nbt" }] },
      ),
    ).toHaveLength(2);
  });

  it("[OUR-MEM-17] fifty are told", () => {
    const game_objects = many(51, (index) => gameObjects(`Owner ${index}`, 1 + index));
    const told = compared({ game_objects: [] }, { game_objects });
    expect([told?.length, told?.[0]?.owner]).toEqual([50, "Owner 50"]);
  });

  it("[OUR-MEM-17] null where a side does not look for them or does not tell", () => {
    expect(compared({ game_objects: null }, {})).toBeNull();
    expect(compared({ mode: "quick" }, { mode: "quick" })).toBeNull();
    expect(compare(summary(), summary()).game_objects).toBeNull();
  });

  it("[OUR-MEM-17] [OUR-MEM-14] a targeted analysis tells of its plugin only, a cut list of what it lists", () => {
    const held = [gameObjects("Shop", 4), gameObjects("Maps", 6)];
    const targeted = { mode: "retained", targeted_owner: "Shop", game_objects: [] } satisfies Upload;
    expect(compared({ game_objects: held }, targeted)).toEqual([
      { owner: "Shop", kind: "chunk", base_held: 4, target_held: 0, delta: -4, stale_delta: 0 },
      { owner: "Maps", kind: "chunk", base_held: 6, target_held: null, delta: null, stale_delta: null },
    ]);
    const cut = many(maxGameObjects, (index) => gameObjects(`Owner ${index}`, 1));
    const all = [...cut.slice(2), gameObjects("Shop", 4)];
    expect(compared({ game_objects: all }, { game_objects: cut })).toContainEqual(
      expect.objectContaining({ owner: "Shop", base_held: 4, target_held: null, delta: null }),
    );
    expect(compared({ game_objects: all }, { game_objects: cut.slice(2) })).toEqual([
      expect.objectContaining({ owner: "Shop", base_held: 4, target_held: 0, delta: -4 }),
    ]);
  });
});
