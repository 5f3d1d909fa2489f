import { afterAll, beforeAll, expect, it } from "vitest";
import { jsonSchemaOf } from "../../../src/contract/endpoint/json-schema.ts";
import { preview } from "../../../src/mcp/result/preview.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import { testConnector, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";

let at: TestApp;
let connector: TestConnector;
let secret: string;

beforeAll(async () => {
  at = testApp({ plans: { pro: { ...roomy.pro, monitored_servers: 100 } } });
  connector = testConnector(at);
  const owner = await at.account("pro");
  for (let index = 0; index < 29; index += 1) await at.server(owner, { name: `Server ${index}` });
  secret = (await at.token(owner)).secret;
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

const overview = (args: Json) => connector.tool(secret, "get_monitoring_overview", args);

it("[OUR-MCP-32] shows the first entries of a long list, says how many are not shown, and all that `top` asks for", async () => {
  const { structured, text } = await overview({});
  expect(text).toEqual(structured);
  expect(structured?.["data"]).toHaveLength(25);
  expect(structured?.["totals"]).toMatchObject({ servers: 29 });
  expect(structured?.["connector_notes"]).toEqual([wording.notes.headsShown(4)]);
  const three = await overview({ top: 3 });
  const shown = text["data"] as Json[];
  expect(three.structured?.["data"]).toEqual(shown.slice(0, 3));
  const all = await overview({ top: 29 });
  expect(all.structured?.["data"]).toHaveLength(29);
  expect(all.structured).not.toHaveProperty("connector_notes");
});

it("[OUR-MCP-32] takes `top` as a whole number alone, and only where it says so", async () => {
  for (const top of [0, 101, 2.5, "3"]) {
    const { isError, text } = await overview({ top });
    expect({ isError, ...text }).toEqual({
      isError: true,
      error: "validation_error",
      message: `top takes a whole number from 1 to 100.${top === "3" ? " Send it as a JSON number, not as a string." : ""}`,
      field: "top",
    });
  }
  const { text } = await connector.tool(secret, "list_servers", { top: 3 });
  expect(text).toMatchObject({ error: "validation_error", field: "top" });
  expect(
    tools.filter(({ previews: heads }) => heads !== null).map(({ definition }) => definition.name),
  ).toEqual(
    tools.flatMap(({ definition }) => {
      const { top } = definition.inputSchema["properties"] as Json;
      return top === undefined ? [] : [definition.name];
    }),
  );
});

it("[OUR-MCP-32] names only lists that the tool's answers have", () => {
  for (const { previews: heads, view, definition } of tools) {
    const said = JSON.stringify(jsonSchemaOf(view.endpoint.output, "output"));
    for (const name of Object.keys(heads ?? {}))
      expect([definition.name, said.includes(`"${name}":`)]).toEqual([definition.name, true]);
  }
});

/** The example of an answer, in which each named list has six entries that can be told apart. */
function lengthened(value: unknown, named: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => lengthened(entry, named));
  if (typeof value !== "object" || value === null) return value;
  const member = (name: string, of: unknown): unknown => {
    // A list may also leave entries out by itself.
    if (named.has(name.replace(/_omitted$|^omitted_/, "")) && !named.has(name)) return 5;
    if (!named.has(name) || (of !== null && !Array.isArray(of))) return lengthened(of, named);
    const first: unknown = of?.[0] ?? null;
    return Array.from({ length: 6 }, (_, place) => ({ place, entry: lengthened(first, named) }));
  };
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, member(name, of)]));
}

/** Every list of these names in a value, by the places of its entries. */
function placesIn(value: unknown, named: ReadonlySet<string>): number[][] {
  if (Array.isArray(value)) return value.flatMap((entry) => placesIn(entry, named));
  if (typeof value !== "object" || value === null) return [];
  const found: number[][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (named.has(name) && Array.isArray(member))
      found.push((member as { place: number }[]).map(({ place }) => place));
    found.push(...placesIn(member, named));
  }
  return found;
}

it("[OUR-MCP-32] of every list of every tool `top` shows the first entries, but of ways through calls and objects", () => {
  const headed = tools.flatMap((tool) =>
    tool.previews === null ? [] : [{ ...tool, previews: tool.previews }],
  );
  expect(headed.length).toBeGreaterThan(5);
  let lists = 0;
  for (const { previews, view, name } of headed) {
    const named = new Set(Object.keys(previews).filter((list) => list !== "frames" && list !== "root_path"));
    const whole = lengthened(view.endpoint.example.output, named);
    for (let top = 1; top <= 6; top += 1) {
      const shown = placesIn(preview(whole, previews, top).value, named);
      lists += shown.length;
      for (const places of shown)
        expect([name, top, places]).toEqual([name, top, Array.from({ length: top }, (_, place) => place)]);
    }
  }
  expect(lists).toBeGreaterThan(60);
});

it("[OUR-MCP-32] a description that says how many `top` sets says it of every list that it sets", () => {
  const telling = tools.filter(({ definition }) => /top: [^;]*\(\d+\)/.test(definition.description));
  expect(telling.map(({ definition }) => definition.name)).toEqual(["get_monitoring_overview"]);
  for (const { definition, previews: heads } of telling) {
    const said = [...definition.description.matchAll(/\((\d+)\)/g)].map(([, count]) => Number(count));
    expect(said.toSorted()).toEqual(Object.values(heads ?? {}).toSorted());
  }
});

it("[OUR-MCP-32] keeps true what an object says of a list that was cut, and changes nothing it does not cut", () => {
  const answer = {
    owners: [{ top_methods: [1, 2, 3] }, { top_methods: [4] }, { top_methods: [] }],
    owners_truncated: false,
    frames: [1, 2, 3, 4, 5, 6],
    omitted_frames: 2,
    other: [1, 2, 3, 4, 5, 6, 7],
  };
  const before = structuredClone(answer);
  const { value, gone } = preview(answer, { owners: 2, top_methods: 2, frames: 4 }, null);
  expect(value).toEqual({
    owners: [{ top_methods: [1, 2] }, { top_methods: [4] }],
    owners_truncated: true,
    frames: [1, 4, 5, 6],
    omitted_frames: 4,
    other: [1, 2, 3, 4, 5, 6, 7],
  });
  expect(gone).toBe(4);
  expect(answer).toEqual(before);
  expect(preview(answer, { owners: 3, other: 1 }, 7)).toEqual({ value: answer, gone: 0 });
  expect(preview(answer, { owners: 3 }, null).value).toBe(answer);
});

it("[OUR-MCP-130] a list keeps every entry up to the last one with a given member, whatever `top` is", () => {
  const evidence = (...thresholds: (number | null)[]) =>
    thresholds.map((threshold, place) => ({ place, threshold }));
  const findings = [
    { evidence: evidence(1, null, null, null) },
    { evidence: evidence(null, 1, null, 1, null) },
    { evidence: evidence(null, null, null) },
  ];
  const previews = { evidence: { entries: 2, through: "threshold" } };
  const kept = (top: number | null) =>
    (preview({ findings }, previews, top).value as { findings: typeof findings }).findings.map((of) =>
      of.evidence.map(({ place }) => place),
    );
  expect(kept(null)).toEqual([
    [0, 1],
    [0, 1, 2, 3],
    [0, 1],
  ]);
  expect(kept(1)).toEqual([[0], [0, 1, 2, 3], [0]]);
  expect(kept(5)).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
    [0, 1, 2],
  ]);
});

it("[OUR-PRO-66] with a least value the entries up to the last one that reaches it are shown", () => {
  const owners = [1, 2, 40, 3, 5, 4].map((total_pct) => ({ total_pct }));
  const shown = (entries: number, least: number) => {
    const { value } = preview({ owners }, { owners: { entries, through: "total_pct", least } }, null);
    return (value as { owners: unknown[] }).owners.length;
  };
  expect([shown(1, 5), shown(1, 41), shown(6, 5), shown(1, 40)]).toEqual([5, 1, 6, 3]);
});
