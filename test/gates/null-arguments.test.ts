import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { tools } from "../../tools/registry.ts";
import { facesOf, type Faces, type ToolAnswer } from "../support/faces.ts";
import type { Json } from "../support/payload.ts";
import { roomy, testApp, type TestApp } from "../support/test-app.ts";
import { usualAnswer } from "./auto-bench-inputs.ts";
import { parityInputs } from "./parity-inputs.ts";

// Clients in strict mode have to send every argument of a tool, and can say "none" by null alone.

let test: TestApp;
let faces: Faces;
let owner: Account;
let inputs: Record<string, Json>;
let secret: string;

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  inputs = await parityInputs(test, owner, await test.server(owner, { name: "Lobby" }));
  ({ secret } = await test.token(owner));
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

const argumentsOf = ({ definition }: (typeof tools)[number]): string[] =>
  Object.keys(definition.inputSchema["properties"] as Json);

/** Fields for which null is a value, which a client sends that means it. */
const cleared: Readonly<Record<string, readonly string[]>> = {
  update_report: ["description", "private_notes"],
  create_server_group: ["color"],
  update_server_group: ["color"],
  set_server_group: ["group_id"],
  update_auto_bench_target: ["schedule_cron", "notes"],
};

/** Counters and times move with every call. */
const steady = ({ structured, text }: ToolAnswer): Json => {
  const { limits: _limits, connector_notes: _notes, ...rest } = structured ?? text;
  return rest;
};

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  const { endpoint } = tool.view;
  const given = (): Json => inputs[endpoint.id] ?? {};
  const ask = (input: Json) => faces.tool(tool, input, secret);

  it("[OUR-MCP-131] takes null for every argument that can be left out", async () => {
    const values = cleared[name] ?? [];
    const left = argumentsOf(tool).filter((argument) => !(argument in given()) && !values.includes(argument));
    const nulls = Object.fromEntries(left.map((argument) => [argument, null]));
    const isRead = endpoint.method === "GET";
    const plain = isRead ? await ask(given()) : null;
    const answer = await ask({ ...given(), ...nulls });
    const said = answer.isError ? answer.text["error"] : "ok";
    expect(["ok", usualAnswer(endpoint.id)]).toContain(said);
    if (plain !== null) expect(steady(answer)).toEqual(steady(plain));
  });

  it("[OUR-MCP-131] refuses null for an argument that is needed as if it were missing", async () => {
    for (const required of (tool.definition.inputSchema["required"] ?? []) as string[]) {
      if (cleared[name]?.includes(required)) continue;
      const { [required]: _left, ...without } = given();
      const [missing, nulled] = [await ask(without), await ask({ ...without, [required]: null })];
      expect(missing.isError).toBe(true);
      expect(nulled.text).toEqual(missing.text);
    }
  });

  it("[OUR-MCP-131] still refuses null under a name that it does not take", async () => {
    expect((await ask({ ...given(), misspelt: null })).text["error"]).toMatch(
      /^(?:validation_error|field_not_allowed)$/,
    );
  });
});

it("[OUR-MCP-131] null is kept where it is a value, and only there", () => {
  const kept = tools.flatMap(({ name, view }) => {
    const fields = [...view.endpoint.fields.values()].filter(({ hasOwnNull }) => hasOwnNull);
    return fields.length === 0 ? [] : [[name, fields.map((field) => field.name)]];
  });
  expect(Object.fromEntries(kept)).toEqual(cleared);
});

it("[OUR-MCP-131] null in place of all arguments is none, for a tool and for a prompt", async () => {
  const call = async (method: string, params: Json): Promise<Json> => {
    const message = { jsonrpc: "2.0", id: 1, method, params };
    return JSON.parse((await faces.rpc(message, secret)).body) as Json;
  };
  const listed = await call("tools/call", { name: "list_servers", arguments: null });
  expect((listed["result"] as Json)["isError"]).not.toBe(true);
  const begun = await call("prompts/get", { name: "health_check", arguments: null });
  expect(begun["error"] ?? null).toEqual(
    (await call("prompts/get", { name: "health_check" }))["error"] ?? null,
  );
  const wrong = await call("tools/call", { name: "list_servers", arguments: [] });
  expect(wrong["error"]).toMatchObject({ code: -32602 });
});
