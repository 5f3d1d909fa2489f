import { describe, expect, it } from "vitest";
import { diagnoseMemory } from "../../../src/core/memory-report/diagnose.ts";
import { fallbackReasons } from "../../../src/core/memory-report/findings.ts";
import { tellsNoOwner } from "../../../src/core/memory-report/measured.ts";
import { MemoryDiagnosis } from "../../../src/core/memory-report/memory-diagnosis.ts";
import { analysis, gameObjects, point, summary, suspect, totals } from "./documents.ts";

const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index));

describe("shape", () => {
  it("[MEM-17] [MEM-18] [MEM-19] has the decided fields, in their order", () => {
    const { shape } = MemoryDiagnosis;
    expect(Object.keys(shape).join(" ")).toBe(
      "kind mode requested_mode measure denominator_bytes ran_quick_instead_of_full ran_quick_instead_of_retained " +
        "fallback storage totals owners owners_truncated classes classes_truncated suspects suspects_truncated " +
        "accumulation_points game_objects jvm_dominates",
    );
    expect(Object.keys(shape.fallback.unwrap().shape).join(" ")).toBe(
      "reason known full_heap_bytes budget_bytes disk_need_bytes disk_free_bytes",
    );
    expect(Object.keys(shape.totals.shape).join(" ")).toBe(
      "objects classes shallow_bytes reachable_bytes unreachable_bytes heap_used_bytes heap_max_bytes gc_roots",
    );
    expect(Object.keys(shape.owners.element.shape).join(" ")).toBe(
      "owner plugin bytes pct objects top_classes",
    );
    expect(Object.keys(shape.suspects.unwrap().element.shape).join(" ")).toBe(
      "key kind owner class_name instances shallow_bytes retained_bytes pct gc_root root_path root_path_omitted " +
        "dominator_chain accumulation_key",
    );
  });

  it("[MEM-17] a diagnosis is what its shape says", () => {
    const full = analysis({
      suspects: [suspect("s", 300)],
      accumulation_points: [point("p", 200)],
      game_objects: [gameObjects("Shop", 4)],
    });
    for (const document of [summary(), full, analysis({ mode: "quick", totals: null })]) {
      expect(MemoryDiagnosis.strict().parse(diagnoseMemory(document))).toEqual(diagnoseMemory(document));
    }
  });
});

describe("what ran", () => {
  const ran = (changes: Parameters<typeof analysis>[0]) => {
    const told = diagnoseMemory(analysis(changes));
    return [told.ran_quick_instead_of_full, told.ran_quick_instead_of_retained];
  };

  it("[MEM-17] a summary and a quick analysis measure objects by themselves, the others what they retain", () => {
    const measures = (["quick", "full", "retained"] as const).map(
      (mode) => diagnoseMemory(analysis({ mode })).measure,
    );
    expect(measures).toEqual(["shallow", "retained", "retained"]);
    expect(diagnoseMemory(summary())).toMatchObject({
      kind: "summary",
      measure: "shallow",
      requested_mode: null,
    });
  });

  it("[MEM-17] [OUR-MEM-05] a quick analysis is told apart from the one it stands in for", () => {
    const fallback = { reason: "memory" };
    expect(ran({ mode: "quick", requested_mode: "full" })).toEqual([true, false]);
    expect(ran({ mode: "quick", requested_mode: "retained" })).toEqual([false, true]);
    expect(ran({ mode: "quick", requested_mode: "auto", fallback })).toEqual([true, false]);
    expect(ran({ mode: "quick", requested_mode: "auto" })).toEqual([false, false]);
    expect(ran({ mode: "quick", requested_mode: "quick" })).toEqual([false, false]);
    expect(ran({ mode: "quick", requested_mode: null, fallback })).toEqual([false, false]);
    expect(ran({ mode: "full", requested_mode: "full", fallback })).toEqual([false, false]);
  });

  it("[MEM-18] [MEM-10] a fallback tells its reason, whether we know that, and the bytes it was about", () => {
    const fallback = { reason: "disk-space", disk_need_bytes: 900, disk_free_bytes: 100 };
    expect(diagnoseMemory(analysis({ mode: "quick", fallback })).fallback).toEqual({
      reason: "disk-space",
      known: true,
      full_heap_bytes: null,
      budget_bytes: null,
      disk_need_bytes: 900,
      disk_free_bytes: 100,
    });
    const unknown = diagnoseMemory(analysis({ mode: "quick", fallback: { reason: "moon" } })).fallback;
    expect(unknown).toMatchObject({ reason: "moon", known: false });
    expect([...fallbackReasons].join(" ")).toBe(
      "memory memory-unknown out-of-memory timeout too-large failed disk-space",
    );
  });

  it("[MEM-17] storage is told of a full analysis only", () => {
    const storage = (mode: "quick" | "full" | "retained") => diagnoseMemory(analysis({ mode })).storage;
    expect([storage("full"), storage("quick"), storage("retained")]).toEqual(["in-memory", null, null]);
  });
});

describe("the whole", () => {
  it("[MEM-17] [OUR-MEM-02] is heap used, reachable bytes, or shallow bytes of the dump", () => {
    expect(diagnoseMemory(summary({ heap_used_bytes: 2000 })).denominator_bytes).toBe(2000);
    expect(diagnoseMemory(analysis()).denominator_bytes).toBe(1000);
    expect(diagnoseMemory(analysis({ mode: "quick" })).denominator_bytes).toBe(1200);
    expect(diagnoseMemory(analysis({ mode: "retained" })).denominator_bytes).toBe(1200);
  });

  it("[OUR-MEM-02] is all classes together where heap used is not told, or less than they are", () => {
    expect(diagnoseMemory(summary({ heap_used_bytes: null })).denominator_bytes).toBe(1000);
    expect(diagnoseMemory(summary({ heap_used_bytes: 900 })).denominator_bytes).toBe(1000);
  });

  it("[OUR-MEM-02] is null when it is unknown or nothing, and so is every share", () => {
    expect(diagnoseMemory(summary({ heap_used_bytes: 0, classes: [] })).denominator_bytes).toBeNull();
    const told = diagnoseMemory(analysis({ totals: null, suspects: [suspect("s", 5)] }));
    expect(told.denominator_bytes).toBeNull();
    expect(told.owners.map(({ pct }) => pct)).toEqual([null, null, null]);
    expect(told.suspects?.[0]?.pct).toBeNull();
    expect(told.jvm_dominates).toBe(false);
  });

  it("[OUR-MEM-02] shares have two decimals and are 100 at most", () => {
    const owners = [
      { owner: "A", bytes: 1, objects: 1 },
      { owner: "B", bytes: 5000, objects: 1 },
    ];
    const told = diagnoseMemory(analysis({ owners, totals: totals({ reachable_bytes: 3 }) }));
    expect(told.owners.map(({ pct }) => pct)).toEqual([100, 33.33]);
  });

  it("[OUR-MEM-03] sums that only a forged document has stay exact integers", () => {
    const most = 1_000_000_000_000_000;
    const classes = many(20, (index) => ({ class_name: `a.A${index}`, objects: most, bytes: most }));
    const told = diagnoseMemory(summary({ classes }));
    expect(told.totals.shallow_bytes).toBe(Number.MAX_SAFE_INTEGER);
    expect(MemoryDiagnosis.safeParse(told).success).toBe(true);
  });
});

describe("who holds it", () => {
  it("[MEM-19] [OUR-MEM-04] owners of a summary are told by its classes, or by their names", () => {
    const { owners } = diagnoseMemory(summary());
    expect(
      owners.map(({ owner, plugin, bytes, pct, objects }) => [owner, plugin, bytes, pct, objects]),
    ).toEqual([
      ["jvm", false, 400, 40, 20],
      ["server", false, 250, 25, 5],
      ["Shop", true, 200, 20, 10],
      ["Maps", true, 90, 9, 3],
      ["library", false, 60, 6, 1],
    ]);
    expect(owners[2]?.top_classes).toEqual([{ class_name: "example.shop.Visit", bytes: 200, objects: 10 }]);
  });

  it("[OUR-MEM-04] a class that several loaders have is one of its owner, and one of each owner", () => {
    const told = diagnoseMemory(
      summary({
        classes: [
          { class_name: "shaded.Json", owner: "Shop", objects: 1, bytes: 30 },
          { class_name: "shaded.Json", owner: "Maps", plugin: true, objects: 1, bytes: 20 },
          { class_name: "shaded.Json", owner: "Shop", plugin: true, objects: 2, bytes: 10 },
        ],
      }),
    );
    expect(told.classes.map(({ owner, bytes, objects }) => [owner, bytes, objects])).toEqual([
      ["Shop", 40, 3],
      ["Maps", 20, 1],
    ]);
    expect(told.owners[0]).toMatchObject({ owner: "Shop", plugin: true, bytes: 40 });
    expect(told.totals.classes).toBe(3);
  });

  it("[OUR-MEM-04] owners of an analysis are those it tells, each once, largest first", () => {
    const owners = [
      { owner: "A", bytes: 10, objects: 1, top_classes: [{ class_name: "a.Small", bytes: 1, objects: 1 }] },
      { owner: "B", bytes: 15, objects: 1 },
      {
        owner: "A",
        plugin: true,
        bytes: 10,
        objects: 2,
        top_classes: [{ class_name: "a.Large", bytes: 9, objects: 1 }],
      },
    ];
    const [first, second] = diagnoseMemory(analysis({ owners })).owners;
    expect(first).toMatchObject({ owner: "A", plugin: true, bytes: 20, objects: 3 });
    expect(first?.top_classes.map(({ class_name }) => class_name)).toEqual(["a.Large", "a.Small"]);
    expect(second).toMatchObject({ owner: "B", plugin: false });
  });

  it("[OUR-MEM-04] an owner without a name is not told, and the built-in ones are no plugins", () => {
    const rows = ["", "server", "Shop"].map((owner) => ({ owner, plugin: true, objects: 1, bytes: 10 }));
    const classes = rows.map((row) => Object.assign({}, row, { class_name: "java.lang.String" }));
    const plugins = (document: ReturnType<typeof summary>) =>
      diagnoseMemory(document).owners.map(({ owner, plugin }) => [owner, plugin]);
    const told = [
      ["Shop", true],
      ["server", false],
    ];
    expect(plugins(summary({ classes })).toSorted()).toEqual([...told, ["jvm", false]].toSorted());
    expect(plugins(analysis({ owners: rows })).toSorted()).toEqual([...told, ["other", false]].toSorted());
    const found = diagnoseMemory(
      analysis({ suspects: [{ ...suspect("s", 500), owner: "", class_name: "net.minecraft.server.Main" }] }),
    );
    expect(found.suspects?.[0]?.owner).toBe("server");
    const unnamed = summary({ classes: [{ class_name: "a.A", owner: "", objects: 1, bytes: 1 }] });
    expect([tellsNoOwner(unnamed), tellsNoOwner(summary())]).toEqual([true, false]);
  });

  it("[MEM-19] totals are the dump's, or those of a summary's classes", () => {
    expect(diagnoseMemory(analysis()).totals).toMatchObject({ gc_roots: 7, reachable_bytes: 1000 });
    expect(diagnoseMemory(summary()).totals).toEqual({
      objects: 39,
      classes: 5,
      shallow_bytes: 1000,
      reachable_bytes: null,
      unreachable_bytes: null,
      heap_used_bytes: 1000,
      heap_max_bytes: 4000,
      gc_roots: null,
    });
  });

  it.each([
    [[300, 250, 250], true],
    [[300, 250, 249], false],
  ])("[MEM-19] [OUR-MEM-08] server, JVM and libraries of %j in 1,000 dominate: %s", (bytes, dominates) => {
    const owners = ["server", "jvm", "library"].map((owner, index) => ({
      owner,
      bytes: bytes[index] ?? 0,
      objects: 1,
    }));
    const rest = ["spark", "other", "Shop"].map((owner) => ({ owner, bytes: 60, objects: 1 }));
    expect(diagnoseMemory(analysis({ owners: [...owners, ...rest] })).jvm_dominates).toBe(dominates);
  });

  it("[OUR-MEM-07] thirty owners and classes are told, five classes of an owner", () => {
    const classes = many(31, (index) => ({
      class_name: `a.A${String(index).padStart(2, "0")}`,
      owner: `Owner ${String(index).padStart(2, "0")}`,
      objects: 1,
      bytes: 10,
    }));
    const cut = diagnoseMemory(summary({ classes }));
    expect([cut.owners.length, cut.classes.length]).toEqual([30, 30]);
    expect([cut.owners_truncated, cut.classes_truncated]).toEqual([true, true]);
    expect([cut.owners[0]?.owner, cut.owners[29]?.owner]).toEqual(["Owner 00", "Owner 29"]);
    const all = diagnoseMemory(summary({ classes: classes.slice(0, 30) }));
    expect([all.owners_truncated, all.classes_truncated]).toEqual([false, false]);
    const one = diagnoseMemory(
      summary({ classes: classes.map((row) => Object.assign({}, row, { owner: "Shop" })) }),
    );
    expect([one.owners.length, one.owners[0]?.top_classes.length, one.owners[0]?.bytes]).toEqual([1, 5, 310]);
  });

  it("[OUR-MEM-07] lists that the sender cut are told as cut", () => {
    expect(diagnoseMemory(analysis())).toMatchObject({ owners_truncated: false, classes_truncated: false });
    expect(diagnoseMemory(analysis({ owners_complete: false })).owners_truncated).toBe(true);
    expect(diagnoseMemory(analysis({ owners_complete: null })).owners_truncated).toBe(false);
    expect(diagnoseMemory(analysis({ totals: totals({ classes: 3 }) })).classes_truncated).toBe(true);
  });

  it("[OUR-MEM-07] [OUR-MEM-02] a summary whose classes are not all is told as cut, without totals of them", () => {
    const unknown = { objects: null, classes: null, shallow_bytes: null };
    for (const changes of [{ classes_complete: false }, { heap_used_bytes: null }]) {
      const told = diagnoseMemory(summary(changes));
      expect(told).toMatchObject({ owners_truncated: true, classes_truncated: true, totals: unknown });
    }
    for (const changes of [{}, { classes_complete: true }, { classes_complete: true, heap_used_bytes: null }])
      expect(diagnoseMemory(summary(changes))).toMatchObject({
        owners_truncated: false,
        classes_truncated: false,
        totals: { objects: 39, classes: 5, shallow_bytes: 1000 },
      });
  });

  it("[OUR-MEM-08] of a heap that is not told nothing is said to dominate, of a told one what is listed may", () => {
    const classes = [{ class_name: "byte[]", objects: 1, bytes: 800 }];
    const dominates = (heap_used_bytes: number | null) =>
      diagnoseMemory(summary({ classes, heap_used_bytes, classes_complete: false })).jvm_dominates;
    expect([dominates(null), dominates(1000), dominates(1001)]).toEqual([false, true, false]);
  });
});
