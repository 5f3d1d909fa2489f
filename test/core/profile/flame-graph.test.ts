import * as fc from "fast-check";
import { expect, it } from "vitest";
import { maxFrames, maxNodes, type ProfileDocument } from "../../../src/core/profile/document.ts";
import { flameFrames, flameGraphOf, leastDrawnPct } from "../../../src/core/profile/flame-graph.ts";
import { anyDocument, get, market, shop, stacksDocument, tick } from "./any-profile.ts";
import { randomCases } from "../../support/long.ts";

const rows = (document: ProfileDocument) =>
  flameGraphOf(document).frames.map(({ depth, name, merged, total_samples, self_samples }) =>
    [depth, merged > 0 ? `+${merged}` : name, total_samples, self_samples].join(" "),
  );

const bare = (name: string): string => name.replace(/^\w+:/, "");

it("[OUR-PPG-02] draws each frame below its caller, the heaviest first", () => {
  expect(rows(stacksDocument(market))).toEqual([
    `1 ${tick} 100 10`,
    `2 ${bare(shop)} 50 20`,
    `3 ${get} 30 30`,
    "2 net.other.Menu.open 35 0",
    `3 ${bare(shop)} 35 0`,
    `4 ${get} 35 35`,
    `2 ${get} 5 5`,
  ]);
});

it("[OUR-PPG-03] merges what is below 0.1 % where it stands, and tells how many frames that are", () => {
  const graph = flameGraphOf(
    stacksDocument([
      ["a.A.a", 10_000],
      ["a.A.a b.B.b", 9],
      ["a.A.a b.B.b c.C.c", 1],
      ["a.A.a d.D.d e.E.e", 4],
      ["f.F.f", 3],
    ]),
  );
  expect(
    graph.frames.map(({ depth, name, merged, total_samples }) => [depth, name, merged, total_samples]),
  ).toEqual([
    [1, "a.A.a", 0, 10_014],
    [2, null, 4, 14],
    [1, null, 1, 3],
  ]);
  expect(graph.merged_frames).toBe(5);
});

it("[OUR-PPG-02] [OUR-PPG-03] of any tree no sample is lost and nothing is wider than its caller", () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const { frames, drawn_samples, tick_samples } = flameGraphOf(document);
      const path: { total: number; self: number; called: number }[] = [];
      const close = (depth: number): void => {
        while (path.length > depth) {
          const { total, self, called } = path.pop() ?? { total: 0, self: 0, called: 0 };
          expect(self + called).toBe(total);
        }
      };
      let roots = 0;
      for (const { depth, total_samples: total, self_samples, merged } of frames) {
        close(depth - 1);
        expect(path.length).toBe(depth - 1);
        const caller = path.at(-1);
        if (caller) caller.called += total;
        else roots += total;
        if (merged === 0) expect(total * 100).toBeGreaterThanOrEqual(leastDrawnPct * tick_samples);
        path.push({ total, self: merged > 0 ? total : self_samples, called: 0 });
      }
      close(0);
      expect(roots).toBe(drawn_samples);
    }),
    { numRuns: randomCases(300) },
  );
});

it("[OUR-PPG-03] of the largest and deepest trees draws no more than a page has room for", () => {
  const frames = Array.from({ length: maxFrames }, (_, index) => ({
    frame: `net.example.C${index}.m`,
    owner: null,
    plugin: false,
  }));
  const documentOf = (parentOf: (node: number) => number): ProfileDocument => ({
    ...stacksDocument([]),
    frames,
    nodes: Array.from({ length: maxNodes }, (_, node) => ({
      parent: parentOf(node),
      frame: node % maxFrames,
      samples: 1,
    })),
  });
  for (const [shape, parentOf] of [
    ["a chain", (node: number) => node - 1],
    ["a star", () => -1],
    ["a bush", (node: number) => Math.floor((node - 1) / 3)],
  ] as const) {
    const document = documentOf((node) => (node === 0 ? -1 : parentOf(node)));
    const start = performance.now();
    const graph = flameGraphOf(document);
    console.log(`${shape}: ${graph.frames.length} rows in ${Math.round(performance.now() - start)} ms`);
    expect(graph.frames.filter(({ merged }) => merged === 0).length).toBeLessThanOrEqual(flameFrames);
    expect(graph.frames.length).toBeLessThanOrEqual(2 * flameFrames + 1);
    expect(
      graph.frames.length - graph.frames.filter(({ merged }) => merged > 0).length + graph.merged_frames,
    ).toBe(shape === "a star" ? maxFrames : maxNodes);
  }
});
