import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callTree, type CallTree } from "../../../src/core/profile/call-tree.ts";
import { detailOf } from "../../../src/core/profile/detail.ts";
import { maxNodes, type ProfileDocument } from "../../../src/core/profile/document.ts";
import { summarise } from "../../../src/core/profile/summary.ts";
import {
  anyDocument,
  documentOf,
  slowCategories,
  slowStacks,
  slowWeights,
  stacksDocument,
  type SlowWeight,
} from "./any-profile.ts";
import { randomCases } from "../../support/long.ts";

type Weights = CallTree["byOwner"];

const named = (names: readonly (string | null)[], { self, total }: Weights): Map<string, SlowWeight> => {
  const rows = names.map((name, index) => ({ name, self: self[index] ?? 0, total: total[index] ?? 0 }));
  return new Map(
    rows.flatMap(({ name, self, total }) => (name === null || total === 0 ? [] : [[name, { self, total }]])),
  );
};

const owners = (tree: CallTree) =>
  named(
    tree.owners.map(({ name }) => name),
    tree.byOwner,
  );
const methods = (tree: CallTree) =>
  named(
    tree.methods.map(({ name, owner }) => methodOf(name, tree.owners[owner]?.name ?? "")),
    tree.byMethod,
  );
const methodOf = (name: string | null, owner: string) => (name === null ? null : `${name} of ${owner}`);
const sorted = <Value>(map: ReadonlyMap<string, Value>) =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1));

describe("by hand", () => {
  const tree = callTree(
    stacksDocument([
      ["net.minecraft.A.tick Shop:net.example.C.d java.util.HashMap.get", 5],
      ["net.minecraft.A.tick Shop:net.example.C.d", 3],
      ["net.minecraft.A.tick Shop:net.example.C.d net.minecraft.A.tick Shop:net.example.C.e", 2],
      ["net.minecraft.A.tick libc.so.6.malloc", 4],
    ]),
  );

  it("[PRO-12] [OUR-PRO-03] an owner has what ends in it, and once what it is anywhere on the stack of", () => {
    expect(sorted(owners(tree))).toEqual([
      ["Shop", { self: 5, total: 10 }],
      ["jvm", { self: 5, total: 5 }],
      ["server", { self: 4, total: 14 }],
    ]);
  });

  it("[PRO-14] [OUR-PRO-03] so does a method, recursion counted once", () => {
    expect(sorted(methods(tree))).toEqual([
      ["java.util.HashMap.get of jvm", { self: 5, total: 5 }],
      ["libc.so.6.malloc of server", { self: 4, total: 4 }],
      ["net.example.C.d of Shop", { self: 3, total: 10 }],
      ["net.example.C.e of Shop", { self: 2, total: 2 }],
      ["net.minecraft.A.tick of server", { self: 0, total: 14 }],
    ]);
  });

  it("[OUR-PRO-04] a stack that is sent twice is one", () => {
    const twice = callTree(
      stacksDocument([
        ["a.A.a b.B.b", 2],
        ["a.A.a b.B.b", 3],
        ["a.A.a", 1],
      ]),
    );
    expect([...twice.parent]).toEqual([-1, 0]);
    expect([...twice.ends]).toEqual([1, 5]);
    expect([...twice.depth]).toEqual([1, 2]);
  });

  it("[OUR-PRO-05] a method is its first told owner's, in all its frames", () => {
    const told = callTree(
      stacksDocument([
        ["net.minecraft.A.tick", 1],
        ["Shop:net.minecraft.A.tick", 2],
        ["Menu:net.minecraft.A.tick", 4],
      ]),
    );
    expect(sorted(owners(told))).toEqual([["Shop", { self: 7, total: 7 }]]);
  });

  it("[OUR-PRO-05] the place of cut stacks is nobody's, whoever is told for it, and a callee's below it is its own", () => {
    const tree = callTree(
      stacksDocument([
        ["net.minecraft.A.tick Shop:!", 2],
        ["net.minecraft.A.tick !", 1],
        ["net.minecraft.A.tick ! Shop:net.example.C.d", 4],
      ]),
    );
    expect(sorted(owners(tree))).toEqual([
      ["Shop", { self: 4, total: 4 }],
      ["other", { self: 3, total: 7 }],
      ["server", { self: 0, total: 7 }],
    ]);
    expect([tree.cut, tree.held]).toEqual([3, 7]);
  });

  it("[OUR-PRO-05] an empty owner is none, and the names of the built-in ones are no plugins", () => {
    const frames = [
      { frame: "java.lang.A.a", owner: "", plugin: true },
      { frame: "net.example.B.b", owner: "other", plugin: true },
      { frame: "net.example.C.c", owner: "Other", plugin: true },
      { frame: "net.example.D.d", owner: "Other" },
    ];
    const nodes = frames.map((_, frame) => ({ parent: -1, frame, samples: 1 }));
    expect(callTree(documentOf({ frames, nodes })).owners).toEqual([
      { name: "jvm", plugin: false },
      { name: "other", plugin: false },
      { name: "Other", plugin: true },
    ]);
  });

  it("[OUR-PRO-06] shares are of the samples the sender counted, or of those it sent if they are more", () => {
    const ticks = (tick: number | null) =>
      callTree(stacksDocument([["a.A.a", 10]], { samples: { tick } })).ticks;
    expect([null, 0, 9, 10, 11].map(ticks)).toEqual([10, 10, 10, 10, 11]);
  });
});

describe("any tree", () => {
  it("[PRO-12] [PRO-14] [OUR-PRO-03] weighs as the list of its stacks does", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const tree = callTree(document);
        const stacks = slowStacks(document);
        const held = stacks.reduce((sum, { samples }) => sum + samples, 0);
        expect(sorted(owners(tree))).toEqual(sorted(slowWeights(stacks, ({ owner }) => owner)));
        expect(sorted(methods(tree))).toEqual(
          sorted(slowWeights(stacks, ({ name, owner }) => methodOf(name, owner))),
        );
        expect(sorted(tree.categories)).toEqual(sorted(slowCategories(stacks)));
        expect(tree.held).toBe(held);
        expect([...tree.byOwner.self].reduce((sum, self) => sum + self, 0)).toBe(held);
        expect([...tree.categories.values()].reduce((sum, samples) => sum + samples, 0)).toBe(held);
        expect(tree.owners.filter(({ plugin }) => plugin).map(({ name }) => name)).toEqual(
          tree.owners
            .map(({ name }) => name)
            .filter((name) =>
              document.frames.some(
                ({ owner, plugin }) => owner === name && plugin && !["server", "other"].includes(name),
              ),
            ),
        );
      }),
      { numRuns: randomCases(500) },
    );
  });

  it("[OUR-PRO-04] has every sampled stack once, callers first", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const { parent, depth, ends } = callTree(document);
        expect(ends.filter((samples) => samples > 0)).toHaveLength(slowStacks(document).length);
        for (const [stack, caller] of parent.entries()) {
          expect(caller).toBeLessThan(stack);
          expect(depth[stack]).toBe(caller < 0 ? 1 : (depth[caller] ?? 0) + 1);
        }
      }),
    );
  });
});

describe("the largest trees", () => {
  const frames = [
    { frame: "net.minecraft.A.a" },
    { frame: "net.example.B.b", owner: "Shop", plugin: true },
    { frame: "java.util.HashMap.get" },
  ];
  const large = (parentOf: (node: number) => number): ProfileDocument => ({
    ...documentOf({ frames }),
    nodes: Array.from({ length: maxNodes }, (_, node) => ({
      parent: parentOf(node),
      frame: node % 3,
      samples: 1,
    })),
  });

  it("[OUR-PRO-07] are read however deep they are", () => {
    const document = large((node) => node - 1);
    const rows = new Map(summarise(document).owners.map((row) => [row.owner, row]));
    expect(rows.get("Shop")).toEqual({ owner: "Shop", plugin: true, self_pct: 33.33, total_pct: 100 });
    expect(rows.get("server")?.total_pct).toBe(100);
    const { paths } = detailOf(document, "shop");
    expect(paths[0]).toMatchObject({ depth: 2, owner_entry_depth: 2 });
    expect(callTree(document).depth.at(-1)).toBe(maxNodes);
  });

  it("[OUR-PRO-07] are read however wide they are, and whatever repeats", () => {
    expect(callTree(large((node) => (node === 0 ? -1 : 0))).parent).toHaveLength(4);
    const halves = callTree(large((node) => (node < 3 ? -1 : node >> 1)));
    expect(halves.held).toBe(maxNodes);
    expect(halves.byOwner.self.reduce((sum, self) => sum + self, 0)).toBe(maxNodes);
  });
});
