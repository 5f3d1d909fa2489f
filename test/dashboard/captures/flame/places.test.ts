import { expect, it } from "vitest";
import { showsIn, writeShows, type Shows } from "../../../../src/dashboard/scripts/flame/address.ts";
import { at } from "../../../../src/dashboard/scripts/flame/frame-tree.ts";
import { sandwich } from "../../../../src/dashboard/scripts/flame/grow.ts";
import { eachDrawn, layoutOf, nodeAt, spanOf } from "../../../../src/dashboard/scripts/flame/layout.ts";
import { movedBy } from "../../../../src/dashboard/scripts/flame/move.ts";
import { splitName } from "../../../../src/dashboard/scripts/flame/names.ts";
import { fillOf, ownerColors, samplesByOwner } from "../../../../src/dashboard/scripts/flame/owner-colors.ts";
import { market, stacksDocument } from "../../../core/profile/any-profile.ts";
import { readTree } from "./sent-tree.ts";

const { tree, names } = readTree(stacksDocument(market));
const layout = layoutOf(tree);

it("[OUR-PPG-02] frames are side by side below their caller, and a pointer finds them", () => {
  expect(Array.from(layout.start)).toEqual([0, 0, 0, 0, 50, 50, 50, 85]);
  expect(Array.from(layout.row)).toEqual([0, 1, 2, 3, 2, 3, 4, 2]);
  expect(spanOf(tree, layout, 4)).toEqual({ from: 50, to: 85 });
  expect([0, 49, 50, 86, 95].map((place) => nodeAt(tree, layout, 2, place))).toEqual([2, 2, 4, 7, null]);
  expect(nodeAt(tree, layout, 9, 0)).toBeNull();
  const drawn: number[] = [];
  eachDrawn(tree, layout, 2, { from: 60, to: 100 }, 400, ({ node, left, right }) =>
    drawn.push(node, left, right),
  );
  expect(drawn).toEqual([4, -1, 250, 7, 250, 300]);
});

it("[OUR-PPG-16] of frames narrower than a pixel one for each pixel is drawn", () => {
  const wide = readTree(
    stacksDocument(Array.from({ length: 5000 }, (_, index) => [`a.A.a b.B.m${index}`, 1])),
  );
  let count = 0;
  const place = layoutOf(wide.tree);
  eachDrawn(wide.tree, place, 2, { from: 0, to: 5000 }, 250, () => (count += 1));
  expect(count).toBeGreaterThan(220);
  expect(count).toBeLessThanOrEqual(251);
});

it("[OUR-PPG-14] in the view of one method callers stand above it", () => {
  const view = sandwich(tree, names.methods.indexOf("java.util.HashMap.get"));
  const { row } = layoutOf(view);
  expect(at(row, 0)).toBe(3);
  for (let node = view.firstCaller; node < view.size; node += 1)
    expect(at(row, node)).toBe(3 - at(view.depth, node));
});

it("[OUR-PPG-06] arrow keys lead to the frame that stands there", () => {
  const move = (key: string, node: number) => movedBy(key, tree, layout, node);
  expect([move("ArrowDown", 1), move("ArrowUp", 2), move("ArrowRight", 2), move("ArrowLeft", 7)]).toEqual([
    2, 1, 4, 4,
  ]);
  expect([move("ArrowUp", 0), move("ArrowRight", 7), move("Home", 7), move("a", 1)]).toEqual([
    null,
    null,
    0,
    null,
  ]);
  const view = sandwich(tree, names.methods.indexOf("net.example.Shop.run"));
  const up = movedBy("ArrowUp", view, layoutOf(view), 0);
  expect(up).toBe(view.firstCaller);
  expect(movedBy("ArrowDown", view, layoutOf(view), up ?? 0)).toBe(0);
});

it("[OUR-PPG-15] an address holds what is shown, and nonsense in it is as nothing", () => {
  const shows: Shows = {
    view: "method",
    method: "net.example.Shop.run & more",
    frame: 12,
    span: { from: 0.25, to: 0.5 },
    find: "shop",
    shown: "both",
    toggled: [3, 20],
  };
  const query = new URLSearchParams("owner=Shop");
  writeShows(shows, query);
  expect(showsIn(new URLSearchParams(query.toString()))).toEqual(shows);
  expect(query.get("owner")).toBe("Shop");
  const usual = showsIn(new URLSearchParams());
  writeShows(usual, query);
  expect(query.toString()).toBe("owner=Shop");
  for (const text of [
    "view=x&frame=-1&span=1-0&show=no&toggled=a.b",
    "view=method",
    "span=0.9-0.1&frame=1e3",
  ])
    expect(showsIn(new URLSearchParams(text))).toEqual(usual);
});

it("[OUR-PPG-16] a name is split into method, class and package", () => {
  expect(splitName("net.example.Shop$1.tick(int, a.B)")).toEqual({
    method: "tick",
    className: "Shop$1",
    packageName: "net.example",
  });
  for (const name of ["libc.so.6", "malloc", "(", ".", "a."])
    expect(splitName(name)).toEqual({ method: name, className: "", packageName: "" });
});

it("[OUR-PPG-16] plugins have colours by their share, in which text is readable", () => {
  const shares = samplesByOwner(tree, names);
  expect(shares.map(({ owner, samples }) => [names.owners[owner], samples])).toEqual([
    ["jvm", 70],
    ["Shop", 20],
    ["server", 10],
    ["Menu", 0],
  ]);
  const colors = ownerColors(shares, names);
  expect(names.owners.map((name, owner) => [name, colors[owner]])).toEqual(
    expect.arrayContaining([
      ["server", "server"],
      ["jvm", "java"],
      ["Shop", 205],
      ["Menu", 35],
    ]),
  );
  for (const color of colors) expect(fillOf(color, true, false)).not.toBe(fillOf(color, false, false));
});
