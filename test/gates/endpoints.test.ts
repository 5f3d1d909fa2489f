import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { scopes } from "../../src/core/access/scope.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { agentEndpoints } from "../../src/endpoints/agent/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { allActions } from "../support/actions.ts";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import { tools } from "../../tools/registry.ts";
import { filesBelow, read } from "./sources.ts";

const all: readonly Endpoint[] = [...apiEndpoints, ...pluginEndpoints, ...agentEndpoints];
const camel = (kebab: string): string =>
  kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const registered = (path: string): boolean =>
  !path.endsWith("registry.ts") && !/\/example-[\w-]+\.ts$/.test(path);

describe.each(all.map((endpoint) => [endpoint.id, endpoint] as const))("%s", (_, endpoint) => {
  it("[PAG-09] has an example that its schemas read, with every declared field", () => {
    expect(() => endpoint.input.parse(endpoint.example.input)).not.toThrow();
    expect(endpoint.output.parse(endpoint.example.output)).toEqual(endpoint.project(endpoint.example.output));
  });

  it("names each field once, in path, query or body", () => {
    const names = [...endpoint.fields.keys()];
    expect(new Set(names).size).toBe(names.length);
    expect([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()).toEqual(
      Object.keys(endpoint.params).toSorted(),
    );
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  });
});

it("[ACC-01] the documented routes of this version are these", () => {
  const documented = apiEndpoints.filter(({ isAddition }) => !isAddition);
  expect(documented.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /reports",
    "GET /reports/{id}",
    "GET /reports/compare",
    "GET /reports/{id}/diagnosis",
    "GET /reports/{id}/tuning",
    "GET /reports/before-after",
    "GET /unit-tests",
    "GET /unit-tests/{id}",
    "GET /offers",
    "GET /token",
    "GET /servers",
    "GET /servers/{id}/regression",
    "GET /server-groups",
    "GET /auto-bench/targets",
    "GET /auto-bench/jobs",
    "GET /servers/{id}/status",
    "GET /servers/{id}/metrics",
    "GET /servers/{id}/events",
    "GET /monitoring/profiles",
    "GET /servers/{id}/profiles/summaries",
    "GET /servers/{id}/profiles/{profileId}",
    "GET /servers/{id}/profiles/compare",
    "GET /monitoring/memory-reports",
    "GET /servers/{id}/memory-reports",
    "GET /servers/{id}/memory-reports/compare",
    "GET /servers/{id}/memory-reports/{reportId}",
    "GET /monitoring/overview",
    "GET /servers/{id}/maintenance",
    "GET /servers/{id}/event-alert-rules",
    "GET /servers/{id}/alert-rules",
    "GET /alert-events",
    "PATCH /servers/{id}",
    "POST /server-groups",
    "PATCH /server-groups/{id}",
    "PUT /servers/{id}/group",
    "POST /servers/link",
    "PATCH /reports/{id}",
    "POST /servers/{id}/alert-rules",
    "PATCH /alert-rules/{id}",
    "POST /alert-rules/{id}/test",
    "POST /alert-events/{id}/acknowledge",
    "POST /servers/{id}/maintenance",
    "POST /servers/{id}/maintenance/end",
    "POST /auto-bench/targets/{id}/run-now",
    "POST /auto-bench/jobs/{id}/cancel",
    "PATCH /auto-bench/targets/{id}",
  ]);
});

it("[OUR-HTTP-31] what stands beside the documented routes only reads, and the OpenAPI document marks it", () => {
  const additions = apiEndpoints.filter(({ isAddition }) => isAddition);
  expect(additions.map(({ method }) => method)).toEqual(additions.map(() => "GET"));
  const info = { title: "", description: "", version: "1", serverUrl: "https://t.example" };
  const { paths } = openApiDocument(info, apiEndpoints) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  const marked = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation["x-tickmark-addition"] === true ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
  expect(marked.toSorted()).toEqual(additions.map(({ method, path }) => `${method} ${path}`).toSorted());
});

it("[OUR-HTTP-32] endpoints beside the documented routes take times as people write them, documented ones do not", () => {
  const taken = new Set<string>();
  for (const { isAddition, fields } of apiEndpoints)
    for (const { schema, isInstant } of fields.values())
      if (isInstant)
        for (const text of ["-24h", "-7d", "now", "2026-11-22"])
          taken.add(`${isAddition ? "addition" : "documented"} ${schema.safeParse(text).success}`);
  expect([...taken].toSorted()).toEqual(["addition true", "documented false"]);
});

it("[ACC-18] [ACC-31] every write has one scope of its own kind, and nobody writes without a token", () => {
  for (const { id, method, access } of apiEndpoints) {
    if (access.face !== "api" || method === "GET") continue;
    expect(access.anonymous ?? false, id).toBe(false);
    expect(scopes, id).toContain(access.scope);
    expect(access.scope, id).toMatch(/:(write|link)$/);
  }
});

it("[ACC-19] the routes open without a token are those of reports, single tests and offers", () => {
  const open = apiEndpoints.filter(({ access }) => access.face === "api" && access.anonymous === true);
  expect(open.map(({ path }) => path)).toEqual([
    "/reports",
    "/reports/{id}",
    "/reports/compare",
    "/reports/{id}/diagnosis",
    "/reports/{id}/tuning",
    "/reports/before-after",
    "/unit-tests",
    "/unit-tests/{id}",
    "/offers",
  ]);
});

it("[ACC-06] [NEV-01] [NEV-02] [NEV-04] [NEV-05] [NEV-06] no documented route deletes, relinks, unlinks, or touches tokens, accounts and addresses", () => {
  for (const { id, method, path, bodyFields, fields } of apiEndpoints) {
    expect(["GET", "POST", "PATCH", "PUT"], id).toContain(method);
    if (method !== "GET")
      expect(path, id).not.toMatch(/token|account|billing|unlink|relink|delete|webhook|notification/);
    // A switch of a channel is no address.
    const texts = bodyFields.filter((name) => fields.get(name)?.json.type !== "boolean");
    expect(
      texts.filter((name) => /email|webhook|password|address$/.test(name)),
      id,
    ).toEqual([]);
  }
});

it("[NEV-03] no documented route and no tool creates an auto-bench target", async () => {
  const target = ({ path, method }: Endpoint) => method !== "GET" && path.includes("auto-bench/targets");
  // Those of the documentation are for targets that exist: each names one.
  expect(apiEndpoints.filter(target).map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /auto-bench/targets/{id}/run-now",
    "PATCH /auto-bench/targets/{id}",
  ]);
  expect(
    tools.map(({ definition }) => definition.name).filter((name) => /create.*(target|auto_bench)/.test(name)),
  ).toEqual([]);
  const creates = ({ id }: { readonly id: string }) => /create/i.test(id) && /target/i.test(id);
  expect(all.filter(creates)).toEqual([]);
  expect([...(await allActions()).values()].filter(creates).map(({ who }) => who)).toEqual(["person"]);
});

it("[SRV-13] [AUT-09] no answer declares a credential", () => {
  const { paths, components } = openApiDocument(
    { title: "", description: "", version: "1.0.0", serverUrl: "" },
    apiEndpoints,
  );
  // Alone, and in a list of channels, this word is the channel in a delivery, which has neither address nor secret.
  const isChannel = (value: unknown): boolean =>
    value === "webhook" || value === "Takes one of email, chat, in_app, webhook.";
  const declared = JSON.stringify(
    [paths, (components as Record<string, unknown>)["schemas"]],
    (key, value: unknown) => (key === "webhook" || isChannel(value) ? undefined : value),
  );
  for (const secret of [
    "nonce",
    "agent_id",
    "auth_token",
    "verification_code",
    "webhook",
    "password",
    "digest",
    "claim_secret",
  ])
    expect(declared).not.toContain(secret);
});

it("[REP-26] no answer declares private notes", () => {
  for (const { example } of apiEndpoints)
    expect(JSON.stringify(example.output)).not.toContain("private_notes");
});

it("[OUR-MCP-01] every file of an endpoint is its export in kebab-case, and is registered", () => {
  const files = filesBelow(["src/endpoints"], ".ts").filter(registered);
  const ids = new Set(all.map(({ id }) => id));
  for (const file of files) {
    const name = camel(/([\w-]+)\.ts$/.exec(file)?.[1] ?? "");
    if (!/defineEndpoint\(/.test(read(file))) continue;
    const declared = new RegExp(`^export const ${name} = defineEndpoint\\(\\{\\n  id: "([\\w.]+)"`, "m").exec(
      read(file),
    );
    expect(ids, `${file} is in no registry; a call of the API comes with its tool`).toContain(declared?.[1]);
  }
});

it("every action is exported by a file of its name, or beside one, and no two calls have one id", async () => {
  const actions = await allActions();
  const files = filesBelow(["src/actions"], ".ts").filter((file) => /\baction\(\{/.test(read(file)));
  for (const file of files) {
    const name = camel(/([\w-]+)\.ts$/.exec(file)?.[1] ?? "");
    expect(read(file), file).toContain(`export const ${name} = action({`);
    for (const [, exported = ""] of read(file).matchAll(/= action\(\{|export const (\w+) = action\(\{/g))
      expect(actions.has(exported), file).toBe(true);
  }
  const ids = [...all, ...actions.values()].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
