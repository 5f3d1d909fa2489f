import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { canBeId } from "../../src/core/id-form.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { requestOf } from "../../src/outbound/upstream-request.ts";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { talkTo, type Talk } from "../mcp/client.ts";
import { roomy, testApp, type TestApp } from "../support/test-app.ts";
import { facesOf, type Faces } from "../support/faces.ts";
import { someOf } from "../support/long.ts";
import type { Json } from "../support/payload.ts";
import { anyCharacter } from "../support/any-character.ts";

/** Every word that is a segment of a route, and what leads out of a path or ends one. */
const segments = apiEndpoints.flatMap(({ path }) => path.split("/").filter((part) => /^[a-z]/.test(part)));
const others = ["", ".", "..", "../token", "%2e%2e", "a/b", "a?b=c", "a#b", "-", "\u200b", "x".repeat(200)];
const words = [...new Set([...segments, ...others])];

/** Ways to put one of those words where an id belongs. */
const misnamed = (endpoint: Endpoint, named: readonly string[] = words): Json[] =>
  Object.values(endpoint.params).flatMap((name) =>
    named.map((word) => ({ ...(endpoint.example.input as Json), [name]: word })),
  );

/** The endpoints that a request would reach, by the routes' own rule: a literal segment before a placeholder. */
function reached(method: string, path: string): string[] {
  const asked = path.split("?", 1)[0] ?? "";
  const matching = apiEndpoints.filter(
    (endpoint) =>
      endpoint.method === method &&
      new RegExp(`^/api/v1${endpoint.path.replaceAll(/\{\w+\}/g, "[^/]*")}$`).test(asked),
  );
  const fewest = Math.min(...matching.map(({ params }) => Object.keys(params).length));
  return matching.filter(({ params }) => Object.keys(params).length === fewest).map(({ id }) => id);
}

let test: TestApp;
let faces: Faces;
let secret: string;
let client: Talk;

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  secret = (await test.token(await test.account("pro"))).secret;
  client = talkTo(await faces.http.listen({ host: "127.0.0.1", port: 0 }), secret);
  await client.ask("tools/list");
});

afterAll(async () => {
  await client.end();
  await faces.http.close();
  await test.close();
});

it("[OUR-MCP-48] no word of a route can be an id, and every id of a path has a form", () => {
  expect(words.length).toBeGreaterThan(30);
  expect(words.filter((word) => canBeId(word, "full_or_short"))).toEqual([]);
  for (const endpoint of apiEndpoints)
    for (const name of Object.values(endpoint.params))
      expect(endpoint.fields.get(name)?.resource, `${endpoint.id} ${name}`).not.toBeNull();
});

it("[OUR-MCP-48] a request reaches the route of its own endpoint, whatever stands for an id", () => {
  for (const endpoint of apiEndpoints) {
    for (const input of misnamed(endpoint)) {
      const { method, path } = requestOf(endpoint, input);
      expect(reached(method, path), `${endpoint.id} ${path}`).toEqual([endpoint.id]);
    }
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const names = Object.values(endpoint.params).map((name) => [name, text] as const);
        const { method, path } = requestOf(endpoint, {
          ...(endpoint.example.input as Json),
          ...Object.fromEntries(names),
        });
        expect(reached(method, path)).toEqual([endpoint.id]);
      }),
      { numRuns: 50 },
    );
  }
});

it("[OUR-MCP-48] [OUR-MCP-11] an id that is a word of a route names nothing over stdio as over HTTP, and costs the same", async () => {
  let asked = 0;
  for (const [place, tool] of tools.entries()) {
    const same = async (input: Json): Promise<void> => {
      const http = await faces.tool(tool, input, secret);
      const told = await client.tool(tool.definition.name, input);
      const about = `${tool.definition.name} ${JSON.stringify(input)}`;
      expect(told.text, about).toEqual(http.text);
      expect(told.text, about).toMatchObject({
        error: "not_found",
        connector_notes: expect.arrayContaining([expect.stringContaining("list_")]),
      });
      expect([told.quota["cost"], (http.meta["tickmark/quota"] as Json)["cost"]], about).toEqual([1, 1]);
      asked += 1;
    };
    for (const input of misnamed(tool.view.endpoint, someOf(words, place))) await same(input);
  }
  console.log(`words for ids: ${asked} calls over each transport, answers of another route: 0`);
});

it("[OUR-MCP-48] nor does a resource's URI lead to another route", async () => {
  for (const { definition, view } of resources) {
    const template = definition["uriTemplate"];
    if (template === undefined) continue;
    for (const word of words.filter((each) => each !== "")) {
      const uri = template.replaceAll(/\{\w+\}/g, encodeURIComponent(word));
      const { error } = await client.ask("resources/read", { uri });
      expect(error["data"], `${view.endpoint.id} ${uri}`).toMatchObject({ error: "not_found" });
    }
  }
});
