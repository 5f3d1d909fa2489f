import * as fc from "fast-check";
import { expect, it } from "vitest";
import { flameTreeOf, flameTreeStacks } from "../../../../src/core/profile/flame-tree.ts";
import { at, childrenOf, treeOf } from "../../../../src/dashboard/scripts/flame/frame-tree.ts";
import { inverted, sandwich } from "../../../../src/dashboard/scripts/flame/grow.ts";
import { search, nextFound } from "../../../../src/dashboard/scripts/flame/search.ts";
import { openedFor, shownChildren, tableRows } from "../../../../src/dashboard/scripts/flame/table-rows.ts";
import {
  anyDocument,
  documentOf,
  get,
  market,
  stacksDocument,
  tick,
} from "../../../core/profile/any-profile.ts";
import { linesOf, readTree } from "./sent-tree.ts";
import { randomCases } from "../../../support/long.ts";

const shop = "net.example.Shop.run";

it("[OUR-PPG-02] the script gets every call with its samples, each below its caller, the heaviest first", () => {
  const { tree, names } = readTree(stacksDocument(market));
  expect(linesOf(tree, names)).toEqual([
    "0 All tick samples 100 0",
    "1 tickServer 100 10",
    "2 run 50 20",
    "3 get 30 30",
    "2 open 35 0",
    "3 run 35 0",
    "4 get 35 35",
    "2 get 5 5",
  ]);
});

it("[OUR-PPG-14] hot methods come first, each above its callers", () => {
  const { tree, names } = readTree(stacksDocument(market));
  expect(linesOf(inverted(tree), names)).toEqual([
    "0 All tick samples 100 0",
    "1 get 70 70",
    "2 run 65 0",
    "3 open 35 0",
    "4 tickServer 35 0",
    "3 tickServer 30 0",
    "2 tickServer 5 0",
    "1 run 20 20",
    "2 tickServer 20 0",
    "1 tickServer 10 10",
  ]);
});

it("[OUR-PPG-14] the view of one method has its callees and its callers, a recursion once", () => {
  const { tree, names } = readTree(
    stacksDocument([
      [tick, 5],
      [`${tick} Shop:${shop} ${get}`, 10],
      [`${tick} Shop:${shop} Shop:${shop} ${get}`, 4],
      [`Shop:${shop}`, 1],
    ]),
  );
  expect(linesOf(sandwich(tree, names.methods.indexOf(shop)), names)).toEqual([
    "0 run 15 1",
    "1 get 10 10",
    "1 run 4 0",
    "2 get 4 4",
    "^1 tickServer 14 0",
  ]);
});

it("[OUR-PPG-14] of any tree no view loses or invents a sample", () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const { tree } = readTree(document);
      const hot = inverted(tree);
      const first = childrenOf(hot, 0);
      expect(first.reduce((sum, node) => sum + at(hot.total, node), 0)).toBe(at(tree.total, 0));
      for (const view of [tree, hot])
        for (let node = 0; node < view.size; node += 1) {
          const called = childrenOf(view, node).reduce((sum, child) => sum + at(view.total, child), 0);
          expect(called).toBeLessThanOrEqual(at(view.total, node));
        }
      for (const node of first) {
        const method = at(hot.method, node);
        if (method < 0) continue;
        const both = sandwich(tree, method);
        const callees = childrenOf(both, 0).filter((child) => child < both.firstCaller);
        const called = callees.reduce((sum, child) => sum + at(both.total, child), 0);
        expect(called + at(both.self, 0)).toBe(at(both.total, 0));
      }
    }),
    { numRuns: randomCases(200) },
  );
});

it("[OUR-PPG-03] of the largest and deepest trees the script gets 100,000 nodes and some that hold the rest", () => {
  const count = flameTreeStacks + 20_000;
  for (const [shape, parentOf] of [
    ["a chain", (node: number) => node - 1],
    ["a bush", (node: number) => Math.floor((node - 1) / 3)],
  ] as const) {
    const frames = Array.from({ length: 500 }, (_, index) => ({ frame: `net.example.C${index}.m` }));
    const nodes = Array.from({ length: count }, (_, node) => ({
      parent: node === 0 ? -1 : parentOf(node),
      frame: node % 500,
      samples: 1,
    }));
    const sent = flameTreeOf({ ...documentOf({ frames }), nodes });
    const start = performance.now();
    const tree = treeOf(sent);
    const hot = inverted(tree);
    console.log(
      `${shape}: ${tree.size} nodes, ${hot.size} inverted, ${Math.round(performance.now() - start)} ms`,
    );
    const held = [...tree.mergedNodes.values()].reduce((sum, count) => sum + count, 0);
    expect(tree.size - 1 - tree.mergedNodes.size).toBe(flameTreeStacks);
    expect(tree.size - 1 - tree.mergedNodes.size + held).toBe(count);
    expect(at(tree.total, 0)).toBe(count);
    expect(at(hot.total, 0)).toBe(count);
    expect(hot.size).toBeLessThanOrEqual(flameTreeStacks + 1000);
  }
});

it("[OUR-PPG-03] names of more than 4,000,000 bytes are not all sent", () => {
  const frames = Array.from({ length: 10_000 }, (_, index) => ({ frame: `${"ж".repeat(490)}.C${index}` }));
  const nodes = frames.map((_, frame) => ({ parent: -1, frame, samples: 1 }));
  const sent = flameTreeOf(documentOf({ frames, nodes }));
  expect(Buffer.byteLength(JSON.stringify([...sent.methods, ...sent.owners]))).toBeLessThan(4_100_000);
  expect(at(treeOf(sent).total, 0)).toBe(10_000);
  expect(sent.methods[0]).toMatch(/^ж{200,}\.C\d+$/);
});

it("[OUR-PPG-15] a search counts methods, frames, and samples with one on their stack once", () => {
  const { tree, names } = readTree(stacksDocument(market));
  expect(search(tree, names, " ")).toBeNull();
  const found = search(tree, names, "SHOP");
  expect(found).toMatchObject({ methodCount: 1, frames: 2, samples: 85 });
  expect(search(tree, names, "menu")).toMatchObject({ methodCount: 1, frames: 1, samples: 35 });
  expect(search(tree, names, "nothing")).toMatchObject({ methodCount: 0, frames: 0, samples: 0 });
  expect(found && nextFound(tree, found, 0)).toBe(2);
  expect(found && nextFound(tree, found, 2)).toBe(5);
  expect(found && nextFound(tree, found, 5)).toBe(2);
});

it("[OUR-PPG-06] the table has a row for each open frame, and says how many are not listed", () => {
  const wide = stacksDocument(
    Array.from({ length: 100 }, (_, index) => [`a.A.a b.B.m${index}`, 200 - index]),
  );
  const { tree } = readTree(wide);
  const rows = tableRows(tree, new Set([0, 1]), 90);
  expect(rows).toHaveLength(2 + shownChildren + 1);
  expect(rows.at(-1)).toMatchObject({ node: 90, level: 3, siblings: 100, hidden: 100 - shownChildren - 1 });
  expect(tableRows(tree, new Set(), 0)).toHaveLength(1);
  const { tree: stacks } = readTree(stacksDocument(market));
  expect(openedFor(stacks, 0)).toEqual([0, 1, 2, 3]);
});
