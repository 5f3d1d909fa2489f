import { withBriefRows } from "../../../src/mcp/result/brief-rows.ts";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Answered } from "../../../src/contract/call/backend.ts";
import { diagnoseMemory } from "../../../src/core/memory-report/diagnose.ts";
import { MemoryDocument } from "../../../src/core/memory-report/document.ts";
import { detailOf } from "../../../src/core/profile/detail.ts";
import { ProfileDocument } from "../../../src/core/profile/document.ts";
import { truncateLists } from "../../../src/mcp/result/truncate-lists.ts";
import { longestResult } from "../../../src/mcp/result/shrink-to-limit.ts";
import { shown } from "../../../src/mcp/result/result.ts";
import type { Tool } from "../../../src/mcp/catalogue/tool.ts";
import { leanOutput } from "../../../src/mcp/catalogue/lean-schema.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import { memoryPayload, profilePayload } from "../../support/captures.ts";
import { toolNamed } from "../../support/connector.ts";
import { dice } from "../../support/dice.ts";
import { isLong } from "../../support/long.ts";
import type { Json } from "../../support/payload.ts";
import { inflated, isCut, isTableCut, listsOf, omittedOf, type Shortened } from "./inflated.ts";
import { processorMs, undisturbedMs } from "../../support/processor-time.ts";

const { notes } = wording;

const textOf = ({ view }: Tool, value: unknown): string => {
  const answer: Answered = { ok: true, status: 200, value, windows: null, counted: true };
  return shown(view, {}, answer, wording);
};

const sizeOf = (list: readonly unknown[]): number => JSON.stringify(list).length;
const hasRoom = ({ after }: Shortened): boolean => after.length > 1;

/** What holds of every list of a result, however it was shortened. */
function expectTrue(list: Shortened): void {
  const { name, before, after, from, to } = list;
  const flag = `${name}_truncated`;
  if (typeof from[flag] === "boolean") expect(to[flag], flag).toBe(isCut(list) || from[flag]);
  const omitted = omittedOf(from, name);
  if (omitted === null) return;
  expect((omittedOf(to, name) ?? 0) + after.length, name).toBe(omitted + before.length);
}

/** Rows go last, and of the lists of one depth the longest lose entries. */
function expectLongestCut(lists: readonly Shortened[]): void {
  const cut = lists.filter(isCut);
  if (cut.some(({ after }) => after.length === 0)) expect(lists.filter(hasRoom)).toEqual([]);
  for (const depth of new Set(cut.map((list) => list.depth))) {
    const inner = lists.filter((list) => list.depth > depth && hasRoom(list));
    for (const { after } of inner) expect(sizeOf(after)).toBeLessThanOrEqual(210);
    const shortestCut = Math.min(
      ...cut.filter((list) => list.depth === depth).map((list) => sizeOf(list.before)),
    );
    const whole = lists.filter((list) => list.depth === depth && !isCut(list) && hasRoom(list));
    for (const { after } of whole) expect(sizeOf(after)).toBeLessThanOrEqual(shortestCut);
  }
}

const tally = { results: 0, inner: 0, outer: 0 };
afterAll(() => {
  console.log(`results ${tally.results}, lists cut inside rows ${tally.inner}, others ${tally.outer}`);
  expect(Math.min(tally.inner, tally.outer)).toBeGreaterThan(50);
});

describe.each(tools.map((tool) => [tool.definition.name, tool] as const))("%s", (_, tool) => {
  const validate = new AjvJsonSchemaValidator().getValidator<Json>(
    tool.definition.outputSchema ?? leanOutput(tool.view.endpoint),
  );
  const { output } = tool.view.endpoint;

  it("[OUR-MCP-12] [OUR-MCP-28] fits whatever it holds, as its schema says, and tells no cut list as whole", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const value = inflated(tool.view, dice(seed));
        const text = textOf(tool, value);
        expect(text.length).toBeLessThanOrEqual(longestResult);
        const result = JSON.parse(text) as Json;
        expect(validate(result)).toMatchObject({ valid: true });
        const said = (result["connector_notes"] ?? []) as string[];
        const isWhole = !tool.view.brief && !said.includes(notes.detailsLeftOut);
        if (isWhole && output.safeParse(value).success)
          expect(output.safeParse(result).error).toBeUndefined();
        // Of a brief answer the lists as they are before any is cut.
        const { brief } = tool.view;
        const before = brief?.ofAnswer ? withBriefRows(value, brief) : value;
        const lists = [...listsOf(before, result)];
        tally.results += 1;
        for (const { depth } of lists.filter(isCut)) tally[depth === 0 ? "outer" : "inner"] += 1;
        lists.forEach(expectTrue);
        expectLongestCut(lists);
        expect(said.some((note) => /^\d+ (?:entries|rows) at the end/.test(note))).toBe(
          lists.some(isCut) || isTableCut(before, result),
        );
      }),
      { numRuns: isLong ? 30 : 12, examples: Array.from({ length: 10 }, (_, seed) => [seed]) },
    );
  });
});

const suspectOf = (pathNodes: number, name: string, at: number): Json => ({
  key: `suspect-${at}`,
  kind: "single_object",
  owner: "Shop",
  class_name: `${name}.Visits`,
  instances: 1,
  shallow_bytes: 48,
  retained_bytes: 1_290_000_000 - at,
  gc_root: { type: "system_class", description: "class example.Shop" },
  root_path: Array.from({ length: pathNodes }, (_, node) => ({
    class_name: `${name}.Node${node}`,
    field: `field${node}`,
    owner: "Shop",
    retained_bytes: 1_290_000_000,
  })),
  dominator_chain: Array.from({ length: 10 }, (_, node) => ({
    class_name: `${name}.Dominator${node}`,
    owner: "Shop",
    shallow_bytes: 48,
    retained_bytes: 1_290_000_000,
  })),
});

/** The REST answer on a report with ten suspects at the end of long paths, beside many owners and classes. */
function memoryReport(name: string): Json {
  const many = <T>(length: number, of: (at: number) => T): T[] => Array.from({ length }, (_, at) => of(at));
  const amounts = { bytes: 1_000_000, objects: 1000 };
  const document = MemoryDocument.parse(
    memoryPayload({
      owners: many(30, (at) => ({
        owner: `Plugin${at}`,
        plugin: true,
        ...amounts,
        top_classes: many(5, (of) => ({ class_name: `${name}.Class${of}`, ...amounts })),
      })),
      classes: many(30, (at) => ({ class_name: `${name}.Class${at}`, owner: "Shop", ...amounts })),
      suspects: many(10, (at) => suspectOf(60, name, at)),
      game_objects: many(20, (at) => ({
        owner: `Plugin${at}`,
        kind: "player",
        class_name: `${name}.CraftPlayer`,
        held: 4,
        stale: 3,
      })),
    }),
  );
  const whole = toolNamed("get_memory_report").view.endpoint.example.output as Json;
  return { ...whole, ...diagnoseMemory(document), suspects_truncated: false };
}

interface Suspect {
  readonly root_path: { class_name: string }[];
  readonly root_path_omitted: number;
}

it.each(["example.shop", `example.${"long".repeat(90)}`])(
  "[OUR-MCP-28] keeps all ten suspects of a long memory report, and the ends of what holds them (%#)",
  (name) => {
    const value = memoryReport(name);
    const text = textOf(toolNamed("get_memory_report"), value);
    const result = JSON.parse(text) as Json & { suspects: Suspect[] };
    const lengths = ["owners", "classes", "suspects", "game_objects"].map(
      (list) => (result[list] as unknown[]).length,
    );
    const paths = result.suspects.map(({ root_path: path }) => path.length);
    console.log(
      `memory report of ${JSON.stringify(value).length} characters: ${text.length} shown, lists of ${lengths.join(", ")}, paths of ${paths.join(", ")}`,
    );
    expect(text.length).toBeGreaterThan(0.8 * longestResult);
    expect(lengths).toEqual([30, 30, 10, 20]);
    for (const flag of ["owners", "classes", "suspects"])
      expect(result[`${flag}_truncated`]).toBe(value[`${flag}_truncated`]);
    for (const { root_path: path, root_path_omitted: omitted } of result.suspects) {
      expect(path.length + omitted).toBe(60);
      expect(path.length).toBeLessThan(30);
      expect(path.at(-1)?.class_name.startsWith("example.")).toBe(true);
    }
  },
);

it("[OUR-MCP-28] leaves the method a stack ends in, whose shares are told, and the frames that lead to it", () => {
  const depth = 80;
  const name = "x".repeat(150);
  const document = ProfileDocument.parse(
    profilePayload({
      frames: Array.from({ length: depth * 10 }, (_, at) => ({
        frame: `${name}.m${at}`,
        owner: `O${at % 40}`,
      })),
      nodes: Array.from({ length: depth * 10 }, (_, at) => ({
        parent: at % depth === 0 ? -1 : at - 1,
        frame: at,
        samples: at % depth === depth - 1 ? 100 : 0,
      })),
      warnings: Array.from({ length: 15 }, () => ({ code: "w", params: { text: "y".repeat(1900) } })),
    }),
  );
  const whole = toolNamed("get_profile").view.endpoint.example.output as Json;
  const value = { ...whole, ...detailOf(document, null) };
  const text = textOf(toolNamed("get_profile"), value);
  const result = JSON.parse(text) as Json & {
    paths: { frames: { frame: string }[]; omitted_frames: number }[];
  };
  expect(text.length).toBeGreaterThan(0.8 * longestResult);
  expect(result.paths).toHaveLength(10);
  expect(result).toMatchObject({ paths_truncated: false, owners_truncated: true });
  for (const [at, { frames, omitted_frames: omitted }] of result.paths.entries()) {
    expect(frames.length + omitted).toBe(depth);
    expect(frames.length).toBeLessThan(30);
    expect(frames.at(-1)?.frame).toMatch(new RegExp(`m${at * depth + depth - 1}$`));
    if (frames.length >= 4) expect(frames[0]?.frame).toMatch(new RegExp(`m${at * depth}$`));
  }
});

it("[OUR-MCP-28] cuts the list that is longest, and sets its flag alone", () => {
  const value = {
    short: Array.from({ length: 10 }, (_, at) => at),
    short_truncated: false,
    long: Array.from({ length: 100 }, () => ({ pair: [1, 2], text: "a".repeat(50) })),
    long_truncated: false,
    middle_truncated: "no flag",
    middle: Array.from({ length: 40 }, (_, at) => ({ at, text: "a".repeat(60) })),
  };
  expect(truncateLists(value, 4000)).toEqual({ rows: 0, others: 100 - value.long.length });
  expect(value.short).toHaveLength(10);
  expect(value.middle).toHaveLength(40);
  expect(value.long.length).toBeGreaterThan(40);
  expect(value.long[0]?.pair).toEqual([1, 2]);
  expect(value).toMatchObject({ short_truncated: false, long_truncated: true, middle_truncated: "no flag" });
  truncateLists(value, 1_000_000);
  expect([value.short, value.long, value.middle]).toEqual([[], [], []]);
  expect(value).toMatchObject({ short_truncated: true, middle_truncated: "no flag" });
});

/** Rows of a hundred lists each. */
const rows = isLong ? 1000 : 200;

it(`[OUR-MCP-28] shortens ${rows * 100} lists in rows at once`, () => {
  const mostMs = 5 * rows;
  const ms = undisturbedMs(mostMs, () => {
    const data = Array.from({ length: rows }, () => ({
      inner: Array.from({ length: 100 }, () => ({ deep: ["a".repeat(150), "b".repeat(150)] })),
    }));
    return processorMs(() => truncateLists({ data }, 40_000 * rows));
  });
  expect(ms).toBeLessThanOrEqual(mostMs);
});
