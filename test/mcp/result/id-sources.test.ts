import { afterAll, beforeAll, expect, it } from "vitest";
import type { Scope } from "../../../src/core/access/scope.ts";
import { resources } from "../../../resources/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { testConnector, toolNamed, type TestConnector } from "../../support/connector.ts";
import { testApp, type TestApp } from "../../support/test-app.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import type { Json } from "../../support/payload.ts";
import { talkTo } from "../client.ts";

let at: TestApp;
let connector: TestConnector;
let service: TestService;

beforeAll(async () => {
  at = testApp();
  connector = testConnector(at);
  service = await startTestService();
});
afterAll(async () => {
  expect([at.defects, service.defects]).toEqual([[], []]);
  await Promise.all([at.close(), service.close()]);
});

const from = (source: string) => [`Get existing ids from ${source}.`];
const overview = "get_monitoring_overview with include_unmonitored=true";
const nobodys = "01a1f7f8-3000-7244-a176-3236e41f0f8c";

/** The notes of a refused call, by a new token with these scopes. */
async function noted(scopes: readonly Scope[], name: string, args: Json, url = "/mcp"): Promise<unknown> {
  const { secret } = await at.token(await at.account("pro"), scopes);
  const { result } = await connector.rpc(secret, "tools/call", { name, arguments: args }, { url });
  expect(result["isError"]).toBe(true);
  const [{ text }] = result["content"] as [{ text: string }];
  return (JSON.parse(text) as Json)["connector_notes"];
}

it("[OUR-MCP-55] names the first tool with ids that the caller may call, and none where there is none", async () => {
  const status = ["get_server_status", { server_id: nobodys }] as const;
  expect(await noted(["monitoring:read", "servers:read"], ...status)).toEqual(from("list_servers"));
  expect(await noted(["monitoring:read"], ...status)).toEqual(from(overview));
  expect(await noted(["monitoring:read"], "list_alerts", { server_id: "Lobby" })).toEqual(from(overview));
  expect(await noted(["servers:write"], "update_server", { server_id: nobodys, name: "x" })).toBeUndefined();
  expect(await noted(["reports:read"], "list_reports", { server_id: "Lobby" })).toBeUndefined();
  expect(
    await noted(
      ["reports:read", "servers:read"],
      "list_reports",
      { server_id: "x" },
      "/mcp?toolsets=benchmarks",
    ),
  ).toBeUndefined();
  const { secret } = await at.token(await at.account("pro"), ["monitoring:read"]);
  const { error } = await connector.rpc(secret, "resources/read", {
    uri: `tickmark://servers/${nobodys}/status`,
  });
  expect(error.data?.["connector_notes"]).toEqual(from(overview));
});

it("[OUR-MCP-55] of several ids tells of the one that was refused", async () => {
  const owner = await at.account("pro");
  const { secret } = await at.token(owner);
  const { id } = await at.server(owner);
  const notesOf = async (name: string, args: Json): Promise<unknown> =>
    (await connector.tool(secret, name, args)).text["connector_notes"];
  const [base, target] = [nobodys, nobodys.replace("8c", "8d")];
  for (const [name, source] of [
    ["compare_profiles", "list_profile_summaries"],
    ["compare_memory_reports", "list_memory_reports"],
  ] as const) {
    expect(await notesOf(name, { server_id: nobodys, base, target })).toEqual(from("list_servers"));
    expect(await notesOf(name, { server_id: id, base, target })).toEqual(from(source));
  }
  expect(await notesOf("set_server_group", { server_id: id, group_id: nobodys })).toEqual(
    from("list_server_groups"),
  );
  const { whenMissing = {} } = toolNamed("get_profile").view;
  expect(await notesOf("get_profile", { server_id: nobodys, profile_id: nobodys })).toEqual(
    from("list_servers"),
  );
  expect(await notesOf("get_profile", { server_id: id, profile_id: nobodys })).toEqual([
    ...from("list_profile_summaries"),
    whenMissing["profile_id"],
  ]);
});

it("[OUR-MCP-55] over stdio asks nobody for it: before a list it names what the call itself proved", async () => {
  const secret = await service.token(await service.account("pro"), ["monitoring:read", "servers:read"]);
  const client = talkTo(service.service.baseUrl, secret);
  await client.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} });
  const status = () => client.tool("get_server_status", { server_id: nobodys });
  const hourLeft = ({ quota }: { quota: Json }): number => Number((quota["hour"] as Json)["remaining"]);
  const [first, second] = [await status(), await status()];
  expect([first.text["connector_notes"], hourLeft(first) - hourLeft(second)]).toEqual([from(overview), 1]);
  await client.ask("tools/list");
  const [third, fourth] = [await status(), await status()];
  expect([third.text["connector_notes"], hourLeft(third) - hourLeft(fourth)]).toEqual([
    from("list_servers"),
    1,
  ]);
  await client.end();
});

it("[OUR-MCP-55] knows for every id a read that lists such ids, and that takes what is said of it", () => {
  for (const { view } of [...tools, ...resources]) {
    const { lists = {}, endpoint, idFilters, whenMissing = {} } = view;
    const ids = [...endpoint.fields.values()].filter(
      ({ name, resource }) => resource !== null || idFilters.includes(name),
    );
    expect([endpoint.id, Object.keys(lists).toSorted()]).toEqual([
      endpoint.id,
      ids.map(({ name }) => name).toSorted(),
    ]);
    for (const name of Object.keys(whenMissing)) expect(Object.keys(lists)).toContain(name);
    for (const source of Object.values(lists).flat()) {
      const { name = "", argument } =
        /^(?<name>\w+)(?: with (?<argument>\w+)=true)?$/.exec(source)?.groups ?? {};
      const listing = toolNamed(name);
      expect(listing.definition.annotations.readOnlyHint).toBe(true);
      expect(listing.view.endpoint.id).not.toBe(endpoint.id);
      if (argument !== undefined) expect(listing.view.endpoint.fields.has(argument)).toBe(true);
    }
  }
});
