import { readdirSync, readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { isJsonObject } from "../../../src/contract/endpoint/json-body.ts";
import { isRead } from "../../../src/contract/endpoint/endpoint.ts";
import { groupColors } from "../../../src/core/server/server-group.ts";
import type { LeanSchema } from "../../../src/mcp/catalogue/lean-schema.ts";
import { narrowedCatalogue } from "../../../src/mcp/catalogue/narrowed-catalogue.ts";
import { readNarrowing } from "../../../src/mcp/catalogue/narrowing.ts";
import { apiEndpoints } from "../../../src/endpoints/api/registry.ts";
import { resources } from "../../../resources/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import { wholeInstructions } from "../../support/connector.ts";
import type { Json } from "../../support/payload.ts";

const definitions = tools.map(({ definition }) => definition);
const besides = new Set(["argument-words.ts", "id-lists.ts", "registry.ts", "wording.ts"]);
const files = readdirSync("tools").filter((file) => file.endsWith(".ts") && !besides.has(file));
const camel = (kebab: string): string =>
  kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

it("[OUR-MCP-01] gives a tool's file and its name the same words, and one tool of each endpoint those of the endpoint", () => {
  expect(files.map((file) => file.replace(".ts", "").replaceAll("-", "_")).toSorted()).toEqual(
    definitions.map(({ name }) => name).toSorted(),
  );
  let named = 0;
  for (const file of files) {
    const source = readFileSync(`tools/${file}`, "utf8");
    const kebab = file.replace(".ts", "");
    const imports = new RegExp(`^import \\{ ${camel(kebab)} \\} from "[./\\w-]+/${kebab}\\.ts";$`, "m");
    if (imports.test(source)) named += 1;
    expect(source).toContain(`name: "${kebab.replaceAll("-", "_")}"`);
  }
  expect(named).toBe(apiEndpoints.length);
});

/** Every object and array of a value. */
function* nodes(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  yield value as Record<string, unknown>;
  for (const member of Object.values(value)) yield* nodes(member);
}

it("[OUR-MCP-02] takes one flat closed object of native types, without references, unions and patterns", () => {
  for (const { view, attaches, previews: heads, definition } of tools) {
    const { inputSchema } = definition;
    const properties = inputSchema["properties"] as Record<string, unknown>;
    expect(inputSchema["type"]).toBe("object");
    expect(inputSchema["additionalProperties"]).toBe(false);
    const own = [...(attaches === null ? [] : ["chart"]), ...(heads === null ? [] : ["top"])];
    // An endpoint may take `top` itself.
    expect(Object.keys(properties)).toEqual([...new Set([...view.endpoint.fields.keys(), ...own])]);
    for (const node of [...nodes(inputSchema), ...nodes(definition.outputSchema)]) {
      for (const keyword of ["$ref", "$schema", "$defs", "anyOf", "oneOf", "allOf", "pattern", "format"]) {
        expect(Object.keys(node)).not.toContain(keyword);
      }
    }
    for (const property of Object.values(properties)) expect(property).toHaveProperty("type");
  }
});

it("[OUR-MCP-03] derives the hints from the endpoint", () => {
  for (const { view, definition } of tools) {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = definition.annotations;
    expect(readOnlyHint).toBe(isRead(view.endpoint));
    expect([destructiveHint, idempotentHint]).toEqual(
      readOnlyHint ? [undefined, undefined] : [expect.any(Boolean), view.endpoint.idempotent],
    );
    expect(openWorldHint).toBe(view.thirdParty.paths.length > 0);
  }
  const hinted = (name: string) => definitions.find((definition) => definition.name === name)?.annotations;
  expect(hinted("update_server")).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  expect(hinted("create_server_group")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
});

it("[OUR-MCP-04] says everything in printable ASCII, and nothing as a command", () => {
  const { notes } = wording;
  const sentences = [
    ...definitions.flatMap(({ title, description }) => [title, description]),
    ...tools.flatMap(({ view }) => [
      view.whenEmpty ?? "",
      ...Object.values({ ...view.whenWidened, ...view.whenMissing, ...view.whenNone, ...view.examples }),
      ...Object.values(view.lists ?? {}).flat(),
    ]),
    ...resources.flatMap(({ definition }) => Object.values(definition)),
    wording.thirdPartyNotice,
    ...Object.values(notes).map((note) => (typeof note === "string" ? note : "")),
    notes.entriesLeftOut(1),
    notes.rowsLeftOut(1),
    notes.headsShown(1),
    notes.planLacks("monitoring"),
    notes.idsComeFrom(["list_servers"]),
  ];
  for (const sentence of sentences) expect(sentence).toMatch(/^[ -~]*$/);
  expect(wholeInstructions).toMatch(/^[\n -~]*$/);
  for (const { description } of definitions)
    expect(description).not.toMatch(/\b(?:must|always|never|you|ignore|important)\b/i);
});

it("[OUR-MCP-04] the resources and the instructions as a model sees them are a reviewed snapshot", async () => {
  const seen = {
    instructions: wording.instructions,
    resources: resources.map(({ definition }) => definition),
  };
  await expect(`${JSON.stringify(seen, null, 2)}\n`).toMatchFileSnapshot("../../surface/resources.json");
});

it("[OUR-MCP-04] names the group colours there are", () => {
  const description = definitions.find(({ name }) => name === "create_server_group")?.description ?? "";
  for (const color of groupColors) expect(description).toContain(color);
});

it("[OUR-MCP-04] each tool as a model sees it is a reviewed snapshot of its own", async () => {
  for (const definition of definitions)
    await expect(`${JSON.stringify(definition, null, 2)}\n`).toMatchFileSnapshot(
      `../../surface/tools/${definition.name}.json`,
    );
  const reviewed = new Set(definitions.map(({ name }) => `${name}.json`));
  expect(readdirSync("test/surface/tools").filter((file) => !reviewed.has(file))).toEqual([]);
});

/** Arguments whose name and type say what they do wherever they stand: ids, limits, ends of a span, lists of words. */
const selfExplaining = new Set(
  (
    "alert_id group_id job_id report_id rule_id server_id target_id from to since until limit name color metric " +
    "min_ram_gb enabled notify_chat notify_email notify_in_app"
  ).split(" "),
);

it("[OUR-MCP-04] an argument is described, or its name and type say it", () => {
  const bare = definitions.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema["properties"] as Record<string, LeanSchema>)
      .filter(
        ([argument, { description, enum: words }]) => !description && !words && !selfExplaining.has(argument),
      )
      .map(([argument]) => `${name} ${argument}`),
  );
  expect(bare).toEqual([]);
});

const tokensOf = ({ name, description, inputSchema }: (typeof definitions)[number]): number =>
  countTokens(`${name} ${description} ${JSON.stringify(inputSchema)}`);

it("[OUR-MCP-05] keeps tools and instructions within the token budget", async () => {
  const each = Object.fromEntries(
    definitions.map((definition) => [
      definition.name,
      {
        tokens: tokensOf(definition),
        output_schema: definition.outputSchema ? countTokens(JSON.stringify(definition.outputSchema)) : 0,
      },
    ]),
  );
  const sum = (key: "tokens" | "output_schema"): number =>
    Object.values(each).reduce((total, counts) => total + counts[key], 0);
  const reading = tools.filter(({ view: { endpoint } }) => {
    const { access } = endpoint;
    return (
      access.face === "api" &&
      (access.scope === null || ["monitoring:read", "servers:read"].includes(access.scope))
    );
  });
  const budget = {
    instructions: countTokens(wholeInstructions),
    all: sum("tokens"),
    all_output_schemas: sum("output_schema"),
    monitoring_and_servers_read: reading.reduce((total, { definition }) => total + tokensOf(definition), 0),
    tools: each,
  };
  expect(budget.instructions).toBeLessThanOrEqual(400);
  expect(budget.all + budget.all_output_schemas).toBeLessThanOrEqual(12_000);
  const bytes = Buffer.byteLength(JSON.stringify(definitions));
  console.log(`tools/list: ${budget.all + budget.all_output_schemas} tokens, ${bytes} bytes`);
  expect(bytes).toBeLessThanOrEqual(52_500);
  // So much for the documented endpoints, and 210 tokens for each one beside them: all of those only read.
  const beside = 210 * tools.filter(({ view }) => view.endpoint.isAddition).length;
  expect(budget.all).toBeLessThanOrEqual(6000 + beside);
  expect(budget.monitoring_and_servers_read).toBeLessThanOrEqual(2600 + beside);
  await expect(`${JSON.stringify(budget, null, 2)}\n`).toMatchFileSnapshot("../../surface/tools.json");
});

it("[OUR-MCP-133] the essentials are few, and their list fits a small context", () => {
  const catalogue = { tools, resources: [], prompts: [], guides: [], wording };
  const chosen = readNarrowing(new URLSearchParams("toolsets=essentials"), tools);
  if (typeof chosen === "string") throw new Error(chosen);
  const listed = narrowedCatalogue(catalogue, chosen).tools.map(({ definition }) => definition);
  const tokens = listed.reduce((sum, definition) => sum + tokensOf(definition), 0);
  expect(listed.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  console.log(`essentials: ${listed.length} tools, ${tokens} tokens`);
  expect(listed.length).toBeLessThanOrEqual(12);
  expect(tokens).toBeLessThanOrEqual(1800);
  // Beside other toolsets they are listed as there.
  const beside = readNarrowing(new URLSearchParams("toolsets=essentials,account"), tools);
  if (typeof beside === "string") throw new Error(beside);
  const [first] = narrowedCatalogue(catalogue, beside).tools;
  expect(first?.definition).toBe(tools.find(({ name }) => name === first?.name)?.definition);
});

it("[OUR-MCP-02] describes an answer openly: the endpoint's example fits, and so would more members", () => {
  for (const { view, definition, attaches } of tools) {
    expect([definition.name, definition.outputSchema === undefined]).toEqual([
      definition.name,
      attaches !== null,
    ]);
    if (definition.outputSchema === undefined) continue;
    const described = definition.outputSchema["properties"] as Record<string, Json>;
    const example = view.endpoint.example.output as Json;
    for (const name of Object.keys(example)) {
      // A brief answer has some of the members.
      if (view.brief?.ofAnswer && !(name in described)) continue;
      expect(described).toHaveProperty([name]);
    }
    const [row] = Array.isArray(example["data"]) ? (example["data"] as unknown[]) : [];
    if (!isJsonObject(row) || view.brief) continue;
    const { items } = described["data"] as { items: { properties: Json } };
    expect(Object.keys(items.properties)).toEqual(expect.arrayContaining(Object.keys(row)));
    for (const node of nodes(definition.outputSchema)) {
      expect(node).not.toHaveProperty("additionalProperties");
      expect(node).not.toHaveProperty("required");
    }
  }
});
