import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { unnarrowed } from "../../../src/mcp/catalogue/narrowing.ts";
import { withoutServer } from "../../../src/mcp/catalogue/server-scope.ts";
import { mountLookups } from "../../../src/rest/lookups.ts";
import { resources } from "../../../resources/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { parityInputs } from "../../gates/parity-inputs.ts";
import { testConnector, toolNamed, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import type { Json } from "../../support/payload.ts";
import { talkTo, type Talk } from "../client.ts";

let at: TestApp;
let connector: TestConnector;
let faces: Faces;
let url: string;
let owner: Account;
let secret: string;
let own: ServerRecord;
let other: ServerRecord;
/** For every endpoint an input that finds what is of the other server. */
let inputs: Record<string, Json>;
/** What stands for the other server and what it has. */
let marks: string[];

beforeAll(async () => {
  at = testApp({ plans: roomy });
  connector = testConnector(at);
  faces = facesOf(at.app);
  mountLookups(faces.http, at.app);
  url = await faces.http.listen({ host: "127.0.0.1", port: 0 });
  owner = await at.account("pro");
  secret = (await at.token(owner)).secret;
  own = await at.server(owner, { name: "Lobby" });
  await at.verify(own);
  other = await at.server(owner, { name: "Survival" });
  inputs = await parityInputs(at, owner, other);
  const group = inputs["servers.set_group"]?.["group_id"];
  const ids = Object.values(inputs).flatMap((input) => Object.values(input).flat());
  marks = [
    ...new Set([
      other.name ?? "",
      ...ids.flatMap((id) => (typeof id === "string" && isId.test(id) && id !== group ? [id] : [])),
    ]),
  ];
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await faces.http.close();
  await at.close();
});

const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$|^[2-9a-hjkmnp-z]{12}$/;

/** One message, by whatever way a client takes. */
type Ask = (method: string, params: Json) => Promise<{ result: Json; error: unknown }>;

interface Way {
  readonly ask: Ask;
  readonly end: () => Promise<void>;
}

const overHttp =
  (modern: boolean) =>
  (server: string | null): Way => ({
    ask: (method, params) =>
      connector.rpc(secret, method, params, {
        modern,
        url: server === null ? "/mcp" : `/mcp?server=${encodeURIComponent(server)}`,
      }),
    end: async () => {},
  });

const overStdio =
  (modern: boolean) =>
  (server: string | null): Way => {
    const talk: Talk = talkTo(url, secret, { modern, narrowing: { ...unnarrowed, server } });
    return talk;
  };

const ways: Record<string, (server: string | null) => Way> = {
  "HTTP, 2025-11-25": overHttp(false),
  "HTTP, 2026-07-28": overHttp(true),
  "stdio, 2025-11-25": overStdio(false),
  "stdio, 2026-07-28": overStdio(true),
};

const inputOf = (id: string): Json => {
  const input = inputs[id];
  if (!input) throw new Error(`${id} has no input in parity-inputs.ts: add one.`);
  return input;
};

const marksIn = (answer: unknown): string[] => {
  const text = JSON.stringify(answer);
  return marks.filter((mark) => text.includes(mark));
};

/** What the account itself reads of the other server. */
async function stateOfOther(): Promise<unknown[]> {
  const state: unknown[] = [];
  for (const one of tools) {
    const { endpoint } = one.view;
    if (!one.definition.annotations.readOnlyHint || endpoint.id === "token.get") continue;
    const server = endpoint.fields.has("server_id") ? { server_id: other.id } : {};
    const { text } = await connector.tool(secret, one.definition.name, {
      ...inputOf(endpoint.id),
      ...server,
    });
    const rows = text["data"];
    const about = Array.isArray(rows) ? rows.filter((row) => JSON.stringify(row).includes(other.id)) : text;
    state.push({ tool: one.definition.name, about: endpoint.fields.has("server_id") ? text : about });
  }
  return state;
}

const textOf = (result: Json): Json => {
  const [block] = (result["content"] ?? []) as { text: string }[];
  return JSON.parse(block?.text ?? "{}") as Json;
};

describe.each(Object.entries(ways))("over %s", (label, open) => {
  it("[OUR-MCP-81] offers what takes a server, which is left out of its schema, and get_token_info", async () => {
    const way = open("Lobby");
    const { result } = await way.ask("tools/list", {});
    const listed = result["tools"] as { name: string; inputSchema: Json }[];
    const expected = tools.filter(
      ({ view, definition }) => view.endpoint.fields.has("server_id") || definition.name === "get_token_info",
    );
    expect(listed.map(({ name }) => name)).toEqual(expected.map(({ definition }) => definition.name));
    for (const { name, inputSchema } of listed) {
      const { properties, required = [], ...rest } = toolNamed(name).definition.inputSchema;
      const { server_id: _filledIn, ...left } = properties as Json;
      const needed = (required as string[]).filter((one) => one !== "server_id");
      expect(inputSchema).toEqual({
        ...rest,
        properties: left,
        ...(needed.length > 0 && { required: needed }),
      });
    }
    await way.end();
  });

  it("[OUR-MCP-82] reads and writes no other server of the account: every tool, by every name and id of it", async () => {
    const written = await at.server(owner, { name: "Written" });
    await at.verify(written);
    const before = await stateOfOther();
    expect(marksIn(before).length).toBeGreaterThan(marks.length / 2);
    const way = open(written.id);
    let calls = 0;
    let refusals = 0;
    for (const { definition, view } of tools) {
      const { server_id: _other, ...input } = inputOf(view.endpoint.id);
      const takesServer = view.endpoint.fields.has("server_id");
      for (const server_id of takesServer
        ? [undefined, other.id, other.name, "Nobody", 7, null, ""]
        : [undefined]) {
        const args = { ...input, ...(server_id !== undefined && { server_id }) };
        const { result, error } = await way.ask("tools/call", { name: definition.name, arguments: args });
        calls += 1;
        const answer = { tool: definition.name, server_id, marks: marksIn([result, error]) };
        expect(answer).toEqual({ ...answer, marks: [] });
        // null is the same as leaving it out.
        if (server_id === undefined || server_id === null) continue;
        refusals += 1;
        expect(textOf(result)).toMatchObject({ error: "validation_error", field: "server_id" });
      }
      if (takesServer || definition.name === "get_token_info") continue;
      const { error } = await way.ask("tools/call", { name: definition.name, arguments: input });
      expect(error).toEqual({ code: -32602, message: "Unknown tool" });
    }
    await way.end();
    expect(await stateOfOther()).toEqual(before);
    console.log(`${calls} calls, ${refusals} of them with another server's id or name, 0 answers of it`);
  });

  it("[OUR-MCP-81] fills the server in, whether it was set up by id or name; the same server may be sent", async () => {
    for (const server of [own.id, "LOBBY"]) {
      const way = open(server);
      for (const sent of [{}, { server_id: own.id }, { server_id: "lobby" }]) {
        const { result } = await way.ask("tools/call", { name: "get_server_status", arguments: sent });
        expect(textOf(result)["server_id"]).toBe(own.id);
      }
      const { result } = await way.ask("tools/call", {
        name: "get_server_status",
        arguments: { nothing: 1 },
      });
      expect(textOf(result)["message"]).not.toContain("server_id");
      await way.end();
    }
  });

  it("[OUR-MCP-81] a name of nobody is refused as in a call, and one of several without their ids", async () => {
    const [scoped, plain] = [open("Nobody's"), open(null)];
    for (const name of ["get_maintenance", "list_alerts"]) {
      const { result } = await scoped.ask("tools/call", { name, arguments: {} });
      const asCalled = await plain.ask("tools/call", { name, arguments: { server_id: "Nobody's" } });
      const [answer, called] = [textOf(result), textOf(asCalled.result)];
      expect([answer["error"], answer["message"]]).toEqual(["not_found", called["message"]]);
    }
    await Promise.all([scoped.end(), plain.end()]);
    const twins = [
      await at.server(owner, { name: `Twin ${label}` }),
      await at.server(owner, { name: `twin ${label}` }),
    ];
    const way = open(`Twin ${label}`);
    const { result } = await way.ask("tools/call", { name: "get_maintenance", arguments: {} });
    expect(textOf(result)).toMatchObject({ error: "validation_error", field: "server_id" });
    for (const { id } of twins) expect(JSON.stringify(result)).not.toContain(id);
    await way.end();
  });

  it("[OUR-MCP-82] reads no resource of another server, and none that belongs to no server but the token's and guides", async () => {
    const way = open("Lobby");
    const templates = (await way.ask("resources/templates/list", {})).result["resourceTemplates"] as Json[];
    expect(templates.length).toBe(6);
    for (const { uriTemplate } of templates)
      expect(uriTemplate).toMatch(/^tickmark:\/\/servers\/\{server_id\}\//);
    const listed = (await way.ask("resources/list", {})).result["resources"] as Json[];
    expect(listed.map(({ uri }) => uri)).toEqual(["tickmark://token", "tickmark://guides/errors"]);
    for (const one of resources) {
      const input = inputOf(one.view.endpoint.id);
      const uri = String(one.definition["uriTemplate"] ?? one.definition["uri"]);
      for (const server of [other.id, "Survival", own.id]) {
        const filled = uri.replaceAll(/\{(\w+)\}/g, (_all, field: string) =>
          field === "server_id" ? server : String(input[field]),
        );
        const { result, error } = await way.ask("resources/read", { uri: filled });
        // A resource that is not found is named as the client named it.
        const { uri: _asked, ...data } = ((error as Json | undefined)?.["data"] ?? {}) as Json;
        expect(marksIn([result, { ...(error as Json), data }]), filled).toEqual([]);
        const isOwn = filled.includes(own.id) && !/profiles|memory-reports/.test(filled);
        expect([filled, "contents" in result]).toEqual([filled, isOwn || filled === "tickmark://token"]);
      }
    }
    await way.end();
  });

  it("[OUR-MCP-83] prompts have the server filled in, and those that call what is gone are gone", async () => {
    const way = open("Lobby");
    const listed = (await way.ask("prompts/list", {})).result["prompts"] as {
      name: string;
      arguments: Json[];
    }[];
    expect(listed.map(({ name, arguments: taken }) => [name, taken.map((one) => one["name"])])).toEqual([
      ["health_check", []],
      ["explain_lag", ["period"]],
      ["did_my_change_help", ["change"]],
      ["choose_alert_rule", ["wish"]],
      ["did_benchmarks_improve", ["change"]],
    ]);
    const { result } = await way.ask("prompts/get", { name: "health_check" });
    const messages = result["messages"] as { content: { text: string } }[];
    expect(messages[0]?.content.text).toContain('Is the server "Lobby" healthy');
    expect(messages.at(-1)?.content.text).toContain("take no server_id");
    const taken = await way.ask("prompts/get", { name: "health_check", arguments: { server: other.id } });
    expect(taken.error).toMatchObject({ message: "This prompt has no such argument" });
    expect((await way.ask("prompts/get", { name: "weekly_review" })).error).toMatchObject({ code: -32602 });
    await way.end();
  });
});

it("[OUR-MCP-83] completes ids of the one server alone", async () => {
  const values = async (query: string, uri: string, name: string): Promise<unknown> => {
    const params = { ref: { type: "ref/resource", uri }, argument: { name, value: "" } };
    const { result } = await connector.rpc(secret, "completion/complete", params, { url: `/mcp${query}` });
    return (result["completion"] as Json)["values"];
  };
  const profile = "tickmark://servers/{server_id}/profiles/{profile_id}";
  expect(await values("", profile, "server_id")).toEqual(expect.arrayContaining([own.id, other.id]));
  expect(await values("?server=Lobby", profile, "server_id")).toEqual([own.id]);
  expect(await values("", profile, "profile_id")).not.toEqual([]);
  expect(await values("?server=Lobby", profile, "profile_id")).toEqual([]);
  expect(await values("?server=Survival", profile, "profile_id")).toEqual(
    await values("", profile, "profile_id"),
  );
  expect(await values("?server=Nobody", profile, "server_id")).toEqual([]);
});

it("[OUR-MCP-81] makes each tool's definition once, and narrows further by name and to reading", async () => {
  for (const one of tools) expect(withoutServer(one)).toBe(withoutServer(one));
  const names = async (query: string): Promise<unknown> => {
    const { result } = await connector.rpc(secret, "tools/list", {}, { url: `/mcp?server=Lobby&${query}` });
    return (result["tools"] as Json[]).map(({ name }) => name);
  };
  expect(await names("tools=get_report,get_server_status")).toEqual(["get_server_status"]);
  expect(await names("toolsets=account")).toEqual(["get_token_info"]);
  expect(await names("toolsets=alerts&read_only=true&exclude=list_alerts")).toEqual([
    "get_maintenance",
    "list_event_alert_rules",
    "list_alert_rules",
    "preview_alert_rule",
  ]);
});
