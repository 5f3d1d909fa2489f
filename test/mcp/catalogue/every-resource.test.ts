import { withBriefRows } from "../../../src/mcp/result/brief-rows.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getMemoryReport } from "../../../src/endpoints/api/memory-report/get-memory-report.ts";
import { getTokenInfo } from "../../../src/endpoints/api/access/get-token-info.ts";
import { longestPreview } from "../../../src/mcp/result/preview.ts";
import { resource, type Resource } from "../../../src/mcp/catalogue/resource.ts";
import { resources } from "../../../resources/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { parityInputs } from "../../gates/parity-inputs.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import type { Json } from "../../support/payload.ts";
import { processorMs } from "../../support/processor-time.ts";
import { talkTo } from "../client.ts";

let test: TestApp;
let faces: Faces;
let inputs: Record<string, Json>;
let secret: string;
let url: string;

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  const owner = await test.account("pro");
  inputs = await parityInputs(test, owner, await test.server(owner, { name: "Lobby" }));
  secret = (await test.token(owner)).secret;
  url = await faces.http.listen({ host: "127.0.0.1", port: 0 });
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

const placeholder = /\{(\w+)\}/g;
const uriOf = ({ definition }: Resource): string => definition["uriTemplate"] ?? definition["uri"] ?? "";

/** What its placeholders take of the input that works for its endpoint. */
function filled(opened: Resource): { uri: string; args: Json } {
  const { id } = opened.view.endpoint;
  const input = inputs[id];
  if (!input) throw new Error(`${id} has no input in parity-inputs.ts: add one.`);
  const args = Object.fromEntries(
    [...uriOf(opened).matchAll(placeholder)].map(([, field = ""]) => [field, input[field]]),
  );
  return { args, uri: uriOf(opened).replaceAll(placeholder, (_, field: string) => String(args[field])) };
}

/** Counters move with every call. */
const withoutCounters = ({ limits: _limits, ...rest }: Json): Json => rest;

async function toolJson({ view: { endpoint } }: Resource, args: Json): Promise<Json> {
  const tool = tools.find(({ view }) => view.endpoint === endpoint);
  if (!tool) throw new Error(`No tool of ${endpoint.id}.`);
  const whole = tool.previews === null ? args : { ...args, top: longestPreview };
  // The first use of a token is itself news to the token's own description.
  await faces.tool(tool, whole, secret);
  const { text, isError } = await faces.tool(tool, whole, secret);
  expect(isError, JSON.stringify(text)).toBe(false);
  return withoutCounters(text);
}

/** The rows of a resource are whole, where its tool may show them in part. */
function expectSame(read: Json, shown: Json, { view: { endpoint } }: Resource): void {
  const brief = tools.find(({ view }) => view.endpoint === endpoint)?.view.brief;
  if (!brief) return expect(read).toEqual(shown);
  const { third_party_text: _paths, ...rest } = shown;
  if (brief.ofAnswer) return expect({ ...rest, ...withBriefRows(read, brief) }).toEqual(rest);
  expect(read).toMatchObject(rest);
}

/** The one document that a read answered with. */
function readJson(answer: Json, uri: string): Json {
  expect(answer["error"] ?? {}, uri).toEqual({});
  const { contents } = answer["result"] as { contents: { text: string }[] };
  expect(contents).toMatchObject([{ uri, mimeType: "application/json" }]);
  return withoutCounters(JSON.parse(contents[0]?.text ?? "null") as Json);
}

describe.each(resources.map((opened) => [uriOf(opened), opened] as const))("%s", (_, opened) => {
  it("[OUR-MCP-23] opens by a real id over HTTP, with the JSON of its tool", async () => {
    const { uri, args } = filled(opened);
    const asked = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } };
    const { body } = await faces.rpc(asked, secret);
    expectSame(readJson(JSON.parse(body) as Json, uri), await toolJson(opened, args), opened);
  });

  it("[OUR-MCP-23] [OUR-MCP-24] opens by a real id over stdio, with the JSON of its tool", async () => {
    const { uri, args } = filled(opened);
    for (const modern of [false, true]) {
      const client = talkTo(url, secret, { modern });
      const answer = await client.ask("resources/read", { uri });
      // No face of this test tells where people reach the service: it is where it is called.
      const read = JSON.stringify(answer).replaceAll(url, test.app.baseUrl);
      expectSame(readJson(JSON.parse(read) as Json, uri), await toolJson(opened, args), opened);
      await client.end();
      expect(client.reports).toEqual([]);
    }
  });
});

it("[OUR-MCP-23] takes each URI for one resource alone", () => {
  for (const opened of resources) {
    const { uri, args } = filled(opened);
    const takers = resources.filter(({ match }) => match(uri) !== null);
    expect(takers.map(uriOf)).toEqual([uriOf(opened)]);
    expect(opened.match(uri)).toEqual(args);
  }
});

const words = { name: "x", title: "X", description: "X.", ttlSeconds: 1 };
const two = resource(getMemoryReport, { uri: "tickmark://s/{server_id}/m/{report_id}", ...words });

it("[OUR-MCP-23] fills every placeholder with one segment, percent-escapes undone", () => {
  expect(two.match("tickmark://s/a/m/b")).toEqual({ server_id: "a", report_id: "b" });
  expect(two.match("tickmark://s/m/m/m")).toEqual({ server_id: "m", report_id: "m" });
  expect(two.match("tickmark://s/%61%2Fb/m/%C3%A9$&")).toEqual({ server_id: "a/b", report_id: "é$&" });
  expect(two.match("tickmark://s/__proto__/m/(.*)")).toEqual({ server_id: "__proto__", report_id: "(.*)" });
  for (const uri of [
    "tickmark://s/a/m/",
    "tickmark://s//m/b",
    "tickmark://s/a/m/b/",
    "tickmark://s/a/b/m/c",
    "tickmark://s/a/M/b",
    "tickmark://s/a/m",
    "tickmark://s/a/m/b?x=1",
    "tickmark://s/a#/m/b",
    "tickmark://s/%/m/b",
    "tickmark://s/%ff/m/b",
    "xtickmark://s/a/m/b",
    "",
  ]) {
    expect(two.match(uri), uri).toBeNull();
  }
});

it("[OUR-MCP-23] turns a URI of a million slashes or characters away at once", () => {
  const ms = processorMs(() => {
    for (let round = 0; round < 5; round += 1) {
      expect(two.match(`tickmark://s/${"/".repeat(1_000_000)}`)).toBeNull();
      expect(two.match(`tickmark://s/${"a".repeat(1_000_000)}/m`)).toBeNull();
      expect(two.match(`tickmark://s/${"%".repeat(1_000_000)}/m/b`)).toBeNull();
    }
  });
  // Work that grew with the square of the length would take an hour.
  expect(ms).toBeLessThan(2000);
});

it("[OUR-MCP-23] declares no template that could never be read", () => {
  const declared = (uri: string) => () => resource(getMemoryReport, { uri, ...words });
  expect(declared("tickmark://m/{report_id}")).toThrow("needs server_id");
  expect(declared("tickmark://s/{server_id}/m/{report_id}/{other}")).toThrow("no field other");
  expect(declared("tickmark://s/{server_id}/{server_id}/{report_id}")).toThrow("no field server_id");
  expect(declared("tickmark://s/{server_id}-{report_id}")).toThrow("a whole segment");
  expect(resource(getTokenInfo, { uri: "tickmark://t", ...words }).match("tickmark://t")).toEqual({});
});
