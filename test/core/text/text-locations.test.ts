import { describe, expect, it } from "vitest";
import { z } from "zod";
import { thirdPartyJson } from "../../../src/core/text/third-party-json.ts";
import { callerName, plainText, thirdPartyText } from "../../../src/core/text/third-party-text.ts";
import { escapePlanOf } from "../../../src/core/text/text-locations.ts";
import { hiddenIn } from "../../support/corpus.ts";
import { processorMs } from "../../support/processor-time.ts";

const zwsp = "\u200b";
const seen = "\\u{200B}";

const event = z.looseObject({
  id: z.string(),
  title: thirdPartyText(500),
  description: thirdPartyText(4000).nullable(),
  metadata: thirdPartyJson({ maxBytes: 16_384, maxDepth: 8 }).nullable(),
});
const list = z.object({ data: z.array(event), next_cursor: z.string().nullable() });

const server = z.object({
  id: z.string(),
  name: callerName(80).nullable(),
  current: z
    .object({
      tps: z.number(),
      worlds_top: z.array(z.object({ name: thirdPartyText(120), mspt: z.number() })),
    })
    .nullable(),
  detail: z
    .object({
      owner: thirdPartyText(500).optional(),
      paths: z.array(z.object({ frames: z.array(thirdPartyText(500).nullable()) })),
    })
    .optional(),
  labels: z.record(thirdPartyText(64), thirdPartyText(200)),
});

describe("where third-party text stands", () => {
  it("[TXT-01] names every marked field once, in field order, and no other", () => {
    expect(escapePlanOf(server).paths).toEqual([
      "name",
      "current.worlds_top[].name",
      "detail.owner",
      "detail.paths[].frames[]",
      "labels.{key}",
      "labels.*",
    ]);
    expect(escapePlanOf(list).paths).toEqual(["data[].title", "data[].description", "data[].metadata"]);
    expect(escapePlanOf(z.object({ code: plainText(64), total: z.number() })).paths).toEqual([]);
  });

  it("finds marks behind every wrapper, refinement, description and alternative", () => {
    const marked = thirdPartyText(100);
    const schema = z.object({
      a: marked.describe("text").default(""),
      b: z.lazy(() => marked.readonly()),
      c: z.union([z.number(), marked.nullable()]),
      d: z.intersection(z.object({ x: marked }), z.object({ y: z.array(marked) })),
      e: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("one"), note: marked }),
        z.object({ kind: z.literal("two"), note: marked, other: marked.catch("") }),
      ]),
      f: marked.refine((text) => text !== "x").optional(),
      g: z.object({ id: z.number() }).catchall(marked),
    });
    const plan = escapePlanOf(schema);
    expect(plan.paths).toEqual(["a", "b", "c", "d.x", "d.y[]", "e.note", "e.other", "f", "g.*"]);
    const value = {
      a: zwsp,
      b: zwsp,
      c: zwsp,
      d: { x: zwsp, y: [zwsp] },
      e: { kind: "two", note: "\\u{", other: zwsp },
      f: zwsp,
      g: { id: 1, more: zwsp },
    };
    expect(plan.apply(value)).toEqual({
      value: {
        a: seen,
        b: seen,
        c: seen,
        d: { x: seen, y: [seen] },
        e: { kind: "two", note: "\\u{5C}u{", other: seen },
        f: seen,
        g: { id: 1, more: seen },
      },
      escaped: 9,
      truncated: 0,
    });
  });

  it("refuses, when compiled, a schema it could not look through", () => {
    expect(() => escapePlanOf(z.object({ pair: z.tuple([thirdPartyText(5)]) }))).toThrow(TypeError);
    expect(() => escapePlanOf(z.object({ late: thirdPartyText(5).transform((text) => text) }))).toThrow(
      TypeError,
    );
    const tree: z.ZodType = z.object({
      get children() {
        return z.array(tree);
      },
    });
    expect(() => escapePlanOf(tree)).toThrow(TypeError);
  });
});

describe("applying a plan", () => {
  const plain = {
    id: "srv_1",
    name: "Hub",
    current: {
      tps: 20,
      worlds_top: [
        { name: "world", mspt: 3 },
        { name: "世界", mspt: 1 },
      ],
    },
    detail: { owner: "Essentials", paths: [{ frames: ["a.b.C.d()", null] }] },
    labels: { region: "eu" },
  };

  it("returns the very same object when nothing has to change", () => {
    const { value, ...counts } = escapePlanOf(server).apply(plain);
    expect(value).toBe(plain);
    expect(counts).toEqual({ escaped: 0, truncated: 0 });
    const page = {
      data: [{ id: "e", title: "Ban", description: null, metadata: { by: "x", list: [1, [true, null]] } }],
      next_cursor: null,
    };
    expect(escapePlanOf(list).apply(page).value).toBe(page);
  });

  it("copies only what leads to a changed text and leaves the original alone", () => {
    const before = structuredClone(plain);
    before.current.worlds_top[1] = { name: `n${zwsp}`, mspt: 1 };
    const kept = structuredClone(before);
    const { value, escaped } = escapePlanOf(server).apply(before);
    expect(before).toEqual(kept);
    expect(escaped).toBe(1);
    expect(value.current.worlds_top[1]).toEqual({ name: `n${seen}`, mspt: 1 });
    expect(value.current.worlds_top[0]).toBe(before.current.worlds_top[0]);
    expect(value.detail).toBe(before.detail);
    expect(Object.keys(value)).toEqual(Object.keys(before));
  });

  it("leaves unmarked text alone, whatever it holds", () => {
    const value = { ...plain, id: `![${zwsp}` };
    expect(escapePlanOf(server).apply(value).value).toBe(value);
  });

  it("[OUR-TXT-22] cuts names and titles at 200, other text at 4,000, and at 500 in list rows", () => {
    const schema = z.object({
      name: thirdPartyText(9000),
      rule_name: thirdPartyText(9000),
      description: thirdPartyText(9000),
      owner: thirdPartyText(9000),
    });
    const long = "x".repeat(5000);
    const one = { name: long, rule_name: long, description: long, owner: long };
    const cutTo = (cap: number): string => `${"x".repeat(cap)}…[+${5000 - cap} characters]`;
    expect(escapePlanOf(schema).apply(one)).toEqual({
      value: { name: cutTo(200), rule_name: cutTo(200), description: cutTo(4000), owner: cutTo(4000) },
      escaped: 0,
      truncated: 4,
    });
    const rows = escapePlanOf(z.object({ note: thirdPartyText(9000), data: z.array(schema) }));
    const page = { note: long, data: [one] };
    expect(rows.apply(page).value).toEqual({
      note: cutTo(4000),
      data: [{ name: cutTo(200), rule_name: cutTo(200), description: cutTo(500), owner: cutTo(500) }],
    });
    expect(rows.apply(page, { row: 120 }).value).toEqual({
      note: cutTo(4000),
      data: [{ name: cutTo(120), rule_name: cutTo(120), description: cutTo(120), owner: cutTo(120) }],
    });
  });

  it("[OUR-TXT-22] lowers the cap of single items and of rows apart, names included", () => {
    const text = z.object({ name: thirdPartyText(9000), note: thirdPartyText(9000) });
    const { apply } = escapePlanOf(text.extend({ data: z.array(text) }));
    const long = "x".repeat(5000);
    const both = { name: long, note: long };
    const cutTo = (cap: number): string => `${"x".repeat(cap)}…[+${5000 - cap} characters]`;
    expect(apply({ ...both, data: [both] }, { item: 100 })).toEqual({
      value: { name: cutTo(100), note: cutTo(100), data: [{ name: cutTo(200), note: cutTo(500) }] },
      escaped: 0,
      truncated: 4,
    });
    expect(apply({ ...both, data: [both] }, { item: 1000, row: 120 }).value).toEqual({
      name: cutTo(200),
      note: cutTo(1000),
      data: [{ name: cutTo(120), note: cutTo(120) }],
    });
  });

  it("neutralises the keys of a record and never loses a member by it", () => {
    const labels = Object.fromEntries(
      [`k${zwsp}`, "__proto__", `${"a".repeat(200)}1`, `${"a".repeat(200)}2`].map((key) => [key, "v"]),
    );
    const { value } = escapePlanOf(server).apply({ ...plain, labels });
    const long = `${"a".repeat(200)}…[+1 characters]`;
    expect(Object.keys(value.labels)).toEqual([`k${seen}`, "__proto__", long, `${long}…`]);
  });

  it("[OUR-TXT-06] costs a page of 25 plain rows a few microseconds", () => {
    const plan = escapePlanOf(list);
    const row = {
      id: "evt_1",
      title: "Player banned",
      description: "by console",
      metadata: { player: "Steve", reason: "xray", minutes: 60 },
    };
    const page = { data: Array.from({ length: 25 }, () => ({ ...row })), next_cursor: null };
    for (let round = 0; round < 2000; round += 1) plan.apply(page);
    const ms = processorMs(() => {
      for (let round = 0; round < 2000; round += 1) plan.apply(page);
    });
    const microseconds = ms / 2;
    console.log(`plan.apply, 25 plain events with metadata: ${microseconds.toFixed(1)} µs`);
    expect(microseconds).toBeLessThan(2000);
  });
});

describe("third-party JSON", () => {
  const plan = escapePlanOf(event);
  const shown = (metadata: unknown, rowCap?: number) => {
    const holder = rowCap === undefined ? plan : escapePlanOf(list);
    const row = { id: "e", title: "t", description: null, metadata };
    if (rowCap === undefined) {
      const { value, ...counts } = holder.apply(row);
      return { metadata: value.metadata, ...counts };
    }
    const { value, ...counts } = holder.apply({ data: [row] }, { row: rowCap });
    return { metadata: value.data[0]?.metadata, ...counts };
  };

  it("[OUR-TXT-23] neutralises every key and string at any level", () => {
    const metadata = JSON.parse(`{"a${zwsp}":[{"![":"\\u202e"}],"__proto__":"${zwsp}","n":1}`);
    const result = shown(metadata);
    expect(JSON.stringify(result.metadata)).toBe(
      JSON.stringify(
        JSON.parse(String.raw`{"a\\u{200B}":[{"\\u{21}[":"\\u{202E}"}],"__proto__":"\\u{200B}","n":1}`),
      ),
    );
    expect(result.escaped).toBe(4);
    expect(shown(`top ${zwsp}`).metadata).toBe(`top ${seen}`);
  });

  it("[OUR-TXT-23] shows eight levels and counts what lies deeper", () => {
    let deep: unknown = { end: 1, other: 2 };
    for (let level = 0; level < 8; level += 1) deep = { deep };
    let shallow: unknown = { end: 1, other: 2 };
    for (let level = 0; level < 7; level += 1) shallow = { deep: shallow };
    expect(shown(shallow).metadata).toBe(shallow);
    expect(JSON.stringify(shown(deep).metadata)).toContain('{"deep":"…[+2 members]"}');
    expect(shown(deep).truncated).toBe(1);
  });

  it("[OUR-TXT-23] shows at most 16 KiB and counts the members left out", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`key${index}`, zwsp.repeat(8)]),
    );
    const result = shown(wide);
    const json = JSON.stringify(result.metadata);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(16_384);
    expect(Buffer.byteLength(json)).toBeGreaterThan(16_000);
    expect(json).toMatch(/"…\[\+\d+ members\]":null\}$/);
    expect(result.truncated).toBe(1);
    const nested = shown({ first: [Array.from({ length: 9000 }, () => zwsp)], last: 1 });
    expect(Buffer.byteLength(JSON.stringify(nested.metadata))).toBeLessThanOrEqual(16_384);
    expect(JSON.stringify(nested.metadata)).toMatch(/"…\[\+\d+ members\]"\]\],"…\[\+1 members\]":null\}$/);
    expect(hiddenIn(json)).toEqual([]);
  });

  it("[OUR-TXT-23] leaves less of it where rows or a single item have to be shortened further", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`key${index}`, "x".repeat(300)]),
    );
    const row = { id: "e", title: "t", description: null, metadata: wide };
    const bytes = (metadata: unknown): number => Buffer.byteLength(JSON.stringify(metadata));
    expect(bytes(shown(wide, 250).metadata)).toBeLessThanOrEqual(2000);
    expect(bytes(shown(wide, 120).metadata)).toBeLessThanOrEqual(960);
    expect(bytes(plan.apply(row, { row: 120 }).value.metadata)).toBeGreaterThan(16_000);
    expect(bytes(plan.apply(row, { item: 250 }).value.metadata)).toBeLessThanOrEqual(2000);
  });

  it("[OUR-TXT-24] takes any JSON up to its size, at any depth, and nothing larger", () => {
    const schema = thirdPartyJson({ maxBytes: 20, maxDepth: 2 });
    for (const value of [null, 0, "", [], [[[[[[]]]]]], { a: zwsp }])
      expect(schema.safeParse(value).data).toBe(value);
    expect(schema.safeParse("x".repeat(18)).success).toBe(true);
    expect(schema.safeParse("x".repeat(19)).success).toBe(false);
    expect(schema.safeParse("é".repeat(10)).success).toBe(false);
    expect(schema.safeParse(undefined).success).toBe(false);
    expect(z.toJSONSchema(schema)).not.toHaveProperty("maxBytes");
  });
});
