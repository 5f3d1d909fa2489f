import { describe, expect, it } from "vitest";
import type { SummaryBody } from "../../../src/core/profile/profile.ts";
import { compared, later, line, ownerOf, sideOf, summaryOf } from "./compared-profiles.ts";
import { profileComparisonOf } from "../../../src/core/profile/compare.ts";

const ownersOf = (base: Partial<SummaryBody>, target: Partial<SummaryBody>, ticks = [1000, 1000]) =>
  compared(base, target, ticks).owners;

describe("changes", () => {
  const base = {
    owners: [
      ownerOf("server", 60, 100, false),
      ownerOf("ShopGUI", 12, 20),
      ownerOf("jvm", 8, 30, false),
      ownerOf("Old", 2),
    ],
  };
  const target = {
    owners: [
      ownerOf("server", 50, 99.5, false),
      ownerOf("ShopGUI", 20, 30),
      ownerOf("jvm", 8.05, 31, false),
      ownerOf("New", 0.5, 0.6),
    ],
  };

  it("[PCM-12] [PCM-14] [PCM-15] [PCM-16] [OUR-PCM-05] tells what was worked out by hand, biggest change first", () => {
    const rows = ownersOf(base, target, [1000, 500]);
    // noise of the server's share: 200·√(0.6·0.4/1000 + 0.5·0.5/500) = 5.4406
    expect(rows.map(line)).toEqual([
      "server false 60 50 null null -10 null null 5.44 true down 100 99.5",
      "ShopGUI true 12 20 null null 8 null null 4.13 true up 20 30",
      "Old true 2 0 null null -2 null null 0.89 true disappeared 2 0",
      "New true 0 0.5 null null 0.5 null null 0.63 false appeared 0 0.6",
      "jvm false 8 8.05 null null 0.05 null null 2.98 false stable 30 31",
    ]);
  });

  it.each([
    [10, 10.09, "stable"],
    [10, 10.1, "up"],
    [10.1, 10, "down"],
    [0, 0.1, "appeared"],
    [0.1, 0, "disappeared"],
    [0, 0.09, "stable"],
    [0.09, 0, "stable"],
    [0, 0, "stable"],
    [100, 100, "stable"],
  ])("[PCM-16] [OUR-PCM-05] from %s to %s percent is %s", (from, to, status) => {
    const [row] = ownersOf({ owners: [ownerOf("A", from)] }, { owners: [ownerOf("A", to)] });
    expect(row?.status).toBe(status);
  });

  it.each([
    [10, 12.83, 2.83, false],
    [10, 12.84, 2.84, false],
    [10, 12.85, 2.85, true],
    [0, 0, 0, false],
  ])(
    "[PCM-15] [OUR-PCM-04] of 1000 and 1000 samples, %s to %s percent changes by %s, beyond noise: %s",
    (...given) => {
      const [from, to, delta, beyond] = given;
      const [row] = ownersOf({ owners: [ownerOf("A", from)] }, { owners: [ownerOf("A", to)] });
      // 200·√(0.1·0.9/1000 + 0.1284·0.8716/1000) = 2.8419
      expect(row).toMatchObject({ delta_points: delta, beyond_noise: beyond });
    },
  );

  it("[OUR-PCM-04] without a number of samples there is a change and no noise", () => {
    const one = sideOf(summaryOf({ owners: [ownerOf("A", 10)] }, null));
    const [row] = profileComparisonOf(one, later(summaryOf({ owners: [ownerOf("A", 30)] }))).owners;
    expect(row).toMatchObject({ delta_points: 20, noise_points: null, beyond_noise: null, status: "up" });
  });

  it("[OUR-PCM-02] shares that come with more digits are told with two, and the change is theirs", () => {
    const [row] = ownersOf({ owners: [ownerOf("A", 10.004)] }, { owners: [ownerOf("A", 10.1049)] });
    expect(row).toMatchObject({ base_pct: 10, target_pct: 10.1, delta_points: 0.1, status: "up" });
  });

  it("[OUR-PCM-03] an owner is the one of that name, a plugin as the newer profile says", () => {
    const [row, ...more] = ownersOf(
      { owners: [ownerOf("spark", 1, 1, false)] },
      { owners: [ownerOf("spark", 1, 1, true)] },
    );
    expect([row?.plugin, more]).toEqual([true, []]);
  });
});

/** The samples that the tree has, percent. */
const held = (pct: number): Partial<SummaryBody> => ({ categories: [{ category: "plugin", pct }] });

describe("lists that were cut", () => {
  const crowd = (count: number) => Array.from({ length: count }, (_, index) => ownerOf(`Crowd${index}`, 6));
  /** Ten owners of a whole tree that has more: these, and as many as there is room for besides. */
  const cut = (...owners: SummaryBody["owners"]) => ({
    owners: [...crowd(10 - owners.length), ...owners],
    owners_complete: false,
    categories: [{ category: "plugin" as const, pct: 100 }],
  });
  const cutStacks = (...owners: SummaryBody["owners"]) => ({ ...cut(...owners), warnings: ["stacks-cut"] });
  const notCrowd = ({ owner }: { owner: string }): boolean => !owner.startsWith("Crowd");
  const methodsOf = (count: number, pct: number) =>
    Array.from({ length: count }, (_, index) => ({ method: `m${index}`, owner: "A", pct }));

  it("[PCM-13] [PCM-14] [OUR-PCM-03] [OUR-PCM-05] an owner outside one weighs the smallest listed share at most", () => {
    const rows = ownersOf(
      { owners: [...crowd(8), ownerOf("Clear", 4.2, 9), ownerOf("Perhaps", 1.2), ownerOf("Just", 1.5)] },
      cut(ownerOf("New", 3), ownerOf("Least", 1.5)),
    ).filter(notCrowd);
    expect(rows.map(line)).toEqual([
      "Clear true 4.2 null null 1.5 null -4.2 -2.7 null null down 9 null",
      "New true 0 3 null null 3 null null 1.08 true appeared 0 3",
      "Just true 1.5 null null 1.5 null -1.5 0 null null unknown 1.5 null",
      "Least true 0 1.5 null null 1.5 null null 0.77 true appeared 0 1.5",
      "Perhaps true 1.2 null null 1.5 null -1.2 0.3 null null unknown 1.2 null",
    ]);
  });

  it("[PCM-14] [OUR-PCM-05] a newcomer to a base that was cut went up, where it was not there or not", () => {
    const [row] = ownersOf(cut(ownerOf("Least", 1.5)), {
      owners: [...crowd(9), ownerOf("New", 5), ownerOf("Least", 1.5)],
    });
    expect(line(row)).toBe("New true null 5 1.5 null null 3.5 5 null null up null 5");
  });

  it.each<[string, Partial<SummaryBody>, number | null]>([
    ["nothing is", { owners: [ownerOf("A", 85)], categories: [{ category: "items", pct: 85 }] }, null],
    [
      "15.01 % are missing from the tree",
      {
        owners: [ownerOf("A", 84.99)],
        categories: [{ category: "items", pct: 84.99 }],
        owners_complete: false,
      },
      15.01,
    ],
    [
      "2 % are missing and what ends in cut stacks is among the 6 % of other",
      {
        owners: [ownerOf("A", 92), ownerOf("other", 6, 6, false)],
        categories: [{ category: "items", pct: 98 }],
        owners_complete: false,
        warnings: ["stacks-cut"],
      },
      8,
    ],
    [
      "2 % are missing and no stack was cut, whatever other has",
      {
        owners: [ownerOf("A", 62), ownerOf("other", 36, 36, false)],
        categories: [{ category: "items", pct: 98 }],
        owners_complete: false,
      },
      2,
    ],
    [
      "1 % is missing, and cut stacks are among the rest",
      { ...cutStacks(ownerOf("Least", 4)), ...held(99) },
      5,
    ],
    [
      "7 % are missing, and cut stacks are among the rest",
      { ...cutStacks(ownerOf("Least", 4)), ...held(93) },
      11,
    ],
    [
      "7 % are missing and other has no share",
      { ...cutStacks(ownerOf("other", 0, 3, false)), ...held(93) },
      7,
    ],
  ])(
    "[PCM-13] [OUR-PCM-03] where %s, an owner and a method of fewer than ten weigh so much at most",
    (...given) => {
      const [, target, most] = given;
      const from = { owners: [ownerOf("X", 14)], methods: [{ method: "x", owner: "X", pct: 14 }] };
      const { owners, methods } = compared(from, { ...target, methods: methodsOf(9, 0.5) });
      for (const row of [
        owners.find(({ owner }) => owner === "X"),
        methods.find(({ owner }) => owner === "X"),
      ]) {
        expect([row?.target_pct, row?.target_at_most]).toEqual(most === null ? [0, null] : [null, most]);
        const maybe = most !== null && most >= 14 ? "unknown" : "down";
        expect(row?.status).toBe(most === null ? "disappeared" : maybe);
      }
    },
  );

  it.each([
    [6.5, 6.5],
    [0.5, 3],
  ])(
    "[PCM-13] [OUR-PCM-03] ten methods of %s percent at the least, with 3 percent lost: %s at most",
    (...given) => {
      const [least, most] = given;
      const target = {
        owners: [ownerOf("A", 97)],
        categories: [{ category: "items" as const, pct: 97 }],
        owners_complete: false,
        methods: methodsOf(10, least),
      };
      const { methods } = compared({ methods: [{ method: "x", owner: "X", pct: 5 }] }, target);
      expect(methods.find(({ owner }) => owner === "X")).toMatchObject({
        target_pct: null,
        target_at_most: most,
      });
    },
  );

  it("[OUR-PCM-03] outside an empty list that was cut there may be everything", () => {
    const [row] = ownersOf({ owners_complete: false }, { owners: [ownerOf("New", 5)] });
    expect(row).toMatchObject({ base_pct: null, base_at_most: 100, delta_min: -95, delta_max: 5 });
  });

  it.each([
    [9, { base_pct: 0, base_at_most: null, status: "appeared" }],
    [10, { base_pct: null, base_at_most: 2, status: "up" }],
  ])("[OUR-PCM-03] a list of %s methods tells so of one it lacks", (count, expected) => {
    const { methods: rows } = compared(
      { methods: methodsOf(count, 2) },
      { methods: [{ method: "new", owner: "A", pct: 5 }] },
    );
    expect(rows.find(({ method }) => method === "new")).toMatchObject(expected);
  });

  it("[PCM-12] a method is told from one of the same name by its owner", () => {
    const { methods } = compared(
      { methods: [{ method: "Shaded.run", owner: "A", pct: 5 }] },
      { methods: [{ method: "Shaded.run", owner: "B", pct: 5 }] },
    );
    expect(methods.map(({ owner, status }) => `${owner} ${status}`)).toEqual(["A disappeared", "B appeared"]);
  });

  it("[PCM-10] [OUR-PCM-03] categories are all there are: one that a side lacks weighed 0", () => {
    const { categories } = compared(
      {
        categories: [
          { category: "entities", pct: 40 },
          { category: "chunks", pct: 30 },
        ],
        owners_complete: false,
      },
      {
        categories: [
          { category: "lighting", pct: 5 },
          { category: "entities", pct: 41 },
        ],
      },
    );
    expect(
      categories.map(({ category, base_pct, target_pct, status }) =>
        [category, base_pct, target_pct, status].join(" "),
      ),
    ).toEqual(["chunks 30 0 disappeared", "lighting 0 5 appeared", "entities 40 41 up"]);
  });
});

describe("order and bounds", () => {
  it("[PCM-09] [OUR-PCM-08] the biggest change first, an unknown one by what it could be; then the heaviest, then by name", () => {
    const rows = ownersOf(
      {
        owners: ["b", "a", "c"]
          .map((name) => ownerOf(name, 3))
          .concat(ownerOf("heavy", 30), ownerOf("gone", 4)),
      },
      {
        owners: ["b", "a", "c"].map((name) => ownerOf(name, 5)).concat(ownerOf("heavy", 32)),
        owners_complete: false,
      },
    );
    expect(rows.map(({ owner }) => owner)).toEqual(["gone", "heavy", "a", "b", "c"]);
  });

  it.each([
    [25, false],
    [26, true],
  ])("[PCM-09] of %s owners and methods at most 25 are told, cut: %s", (count, truncated) => {
    const of = (offset: number) => {
      const names = Array.from({ length: 13 }, (_, index) => `P${Math.min(index + offset, count - 1)}`);
      return {
        owners: [...new Set(names)].map((name) => ownerOf(name, 1)),
        methods: [...new Set(names)].map((method) => ({ method, owner: "A", pct: 1 })),
      };
    };
    const comparison = compared(of(0), of(13));
    expect([comparison.owners.length, comparison.methods.length]).toEqual([25, 25]);
    expect([comparison.owners_truncated, comparison.methods_truncated]).toEqual([truncated, truncated]);
  });
});
