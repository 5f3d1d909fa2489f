import { withBriefRows } from "../../src/mcp/result/brief-rows.ts";
import { updateTokenRevoked } from "../../src/store/access/tokens.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { scopes } from "../../src/core/access/scope.ts";
import type { ServerRecord } from "../../src/core/server/server.ts";
import type { Field } from "../../src/contract/endpoint/field.ts";
import { longestPreview } from "../../src/mcp/result/preview.ts";
import { tools } from "../../tools/registry.ts";
import { wording } from "../../tools/wording.ts";
import { talkTo } from "../mcp/client.ts";
import { roomy, testApp, type TestApp } from "../support/test-app.ts";
import { facesOf, type Faces, type ToolAnswer } from "../support/faces.ts";
import { overRest } from "../support/over-rest.ts";
import type { Json } from "../support/payload.ts";
import { usualAnswer } from "./auto-bench-inputs.ts";
import { parityInputs } from "./parity-inputs.ts";

let test: TestApp;
let faces: Faces;
let owner: Account;
let server: ServerRecord;
let inputs: Record<string, Json>;
/** A service whose plan has no call left. */
let tight: { readonly test: TestApp; readonly faces: Faces };

beforeAll(async () => {
  const without = testApp({ plans: { pro: { daily_calls: 0 } } });
  tight = { test: without, faces: facesOf(without.app) };
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  server = await test.server(owner, { name: "Lobby" });
  inputs = await parityInputs(test, owner, server);
});

afterAll(async () => {
  await tight.faces.http.close();
  await tight.test.close();
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

/** What the connector adds to every result. */
const withoutFrame = ({ structured }: ToolAnswer): Json => {
  const { third_party_text: _text, connector_notes: _notes, urls: _urls, ...rest } = structured ?? {};
  return rest;
};

/** Counters move with every call, so the token's own description differs in them alone. */
const withoutCounters = (body: Json): Json => {
  const { limits: _limits, ...rest } = body;
  return rest;
};

const inputOf = (id: string): Json => {
  const input = inputs[id];
  if (!input) throw new Error(`${id} has no input in this gate: add one.`);
  return input;
};

/** Asks both faces the same question and wants the same answer. */
async function sameAnswer(
  tool: (typeof tools)[number],
  input: Json,
  secret: string | null,
  words = (rest: string): string => rest,
): Promise<string> {
  const { endpoint } = tool.view;
  // The first use of a token is itself news to the token's own description.
  await faces.rest(endpoint, input, secret);
  const rest = await faces.rest(endpoint, input, secret);
  const told = await faces.tool(
    tool,
    tool.previews === null ? input : { ...input, top: longestPreview },
    secret,
  );
  if (rest.status < 300) {
    expect(told.isError, JSON.stringify(told.text)).toBe(false);
    const shown = withoutCounters(withoutFrame(told));
    // Brief rows show some of a row's members; what they show is what REST says.
    if (tool.view.brief?.ofAnswer)
      expect(shown).toEqual(withoutCounters(withBriefRows(rest.body, tool.view.brief)));
    else if (tool.view.brief) expect(withoutCounters(rest.body)).toMatchObject(shown);
    else expect(shown).toEqual(withoutCounters(rest.body));
    expect(told.text).toEqual(told.structured);
    return "ok";
  }
  const code = rest.body["error"];
  expect(told.isError).toBe(true);
  expect(told.text["error"]).toBe(code);
  const { connector_notes: _notes, ...body } = told.text;
  expect(body).toEqual({ ...rest.body, message: words(String(rest.body["message"])) });
  if (rest.status === 401) expect(told.status).toBe(401);
  return String(code);
}

/** What a tool says of an argument it does not know: all that it takes itself, where REST names places of a request. */
const unknownTo = ({ definition }: (typeof tools)[number]): string =>
  wording.argumentErrors.unknown("misspelt", Object.keys(definition.inputSchema["properties"] as Json));

/** An error's message is the tool's own where the argument is; code and details never are. */
const withoutMessage = (body: Json): Json => ({ ...body, message: null });

describe.each(tools.map((tool) => [tool.definition.name, tool] as const))("%s", (_, tool) => {
  const { endpoint } = tool.view;
  const scope = endpoint.access.face === "api" ? endpoint.access.scope : null;
  const ask = (secret: string | null) => sameAnswer(tool, inputOf(endpoint.id), secret);

  it("[OUR-PAR-01] [ACC-32] gives REST and MCP the same data for its owner", async () => {
    expect(await ask((await test.token(owner)).secret)).toBe(usualAnswer(endpoint.id));
  });

  it("[OUR-PAR-02] [ERR-12] [ACC-11] refuses a token that lacks the scope in the same words", async () => {
    if (scope === null) return;
    const others = scopes.filter((other) => other !== scope);
    expect(await ask((await test.token(owner, others)).secret)).toBe("missing_scope");
  });

  it("[OUR-PAR-02] answers a suspended account the same", async () => {
    const suspended = await test.account("pro", "suspended");
    expect(await ask((await test.token(suspended)).secret)).toBe(scope === null ? "ok" : "missing_scope");
  });

  it("[OUR-PAR-02] answers another account, an admin and a Free account the same", async () => {
    for (const other of [
      await test.account("pro"),
      await test.account("enterprise", "admin"),
      await test.account("free"),
    ]) {
      await ask((await test.token(other)).secret);
    }
  });

  it("[OUR-PAR-02] [ERR-11] [ERR-10] [ERR-09] refuses expired, revoked, unknown and malformed tokens the same", async () => {
    const expired = await test.token(owner, scopes, -1);
    const revoked = await test.token(owner);
    await test.app.db.write(updateTokenRevoked, revoked.id, test.clock.now);
    expect(await ask(expired.secret)).toBe("token_expired");
    expect(await ask(revoked.secret)).toBe("token_revoked");
    test.clock.advance(61_000);
    expect(await ask(test.app.secrets.newSecret("api"))).toBe("invalid_token");
    expect(await ask("tkm_nonsense")).toBe("invalid_token");
    test.clock.advance(61_000);
  });

  it("[OUR-PAR-02] refuses arguments it does not know the same, and a write names the fields it takes", async () => {
    const { secret } = await test.token(owner);
    const code = await sameAnswer(tool, { ...inputOf(endpoint.id), misspelt: "x" }, secret, () =>
      unknownTo(tool),
    );
    expect(code).toBe(endpoint.method === "GET" ? "validation_error" : "field_not_allowed");
    if (endpoint.method === "GET") return;
    const { text } = await faces.tool(tool, { ...inputOf(endpoint.id), misspelt: "x" }, secret);
    expect(text["allowed_fields"]).toEqual(endpoint.bodyFields);
  });

  it("[OUR-PAR-02] [PAG-06] refuses each missing or invalid argument the same", async () => {
    const { secret } = await test.token(owner);
    for (const field of endpoint.fields.values()) {
      const input = inputOf(endpoint.id);
      if (field.place !== "path" && field.required) {
        const { [field.name]: _missing, ...rest } = input;
        expect(await sameAnswer(tool, rest, secret)).toBe("validation_error");
      }
      const nothing = Array.isArray(input[field.name]) ? ["no-such-id"] : "no-such-id";
      if (field.resource)
        expect(await sameAnswer(tool, { ...input, [field.name]: nothing }, secret)).toBe("not_found");
    }
  });

  it("[OUR-PAR-03] refuses a caller over its quota the same, and counts neither face", async () => {
    const poor = await tight.test.account("pro");
    const { secret } = await tight.test.token(poor);
    const rest = await tight.faces.rest(endpoint, endpoint.example.input as Json, secret);
    const told = await tight.faces.tool(tool, endpoint.example.input as Json, secret);
    if (scope === null) expect(rest.status).toBe(200);
    else {
      expect(rest.body["error"]).toBe("daily_quota_exceeded");
      expect(told.text["error"]).toBe("daily_quota_exceeded");
      expect(rest.headers["retry-after"]).toBeDefined();
    }
  });
});

it("[ACC-02] [ACC-21] a caller without a token gets the public routes over REST, and is turned away at the connector's door", async () => {
  for (const tool of tools) {
    const rest = await faces.rest(tool.view.endpoint, inputOf(tool.view.endpoint.id), null);
    const open = tool.view.endpoint.access.face === "api" && tool.view.endpoint.access.anonymous === true;
    if (!open) expect(rest.body["error"], tool.definition.name).toBe("unauthorized");
    else expect(["not_found", undefined], tool.definition.name).toContain(rest.body["error"]);
    expect((await faces.tool(tool, {}, null)).status).toBe(401);
  }
});

describe("over stdio, through the REST client", () => {
  let url = "";
  beforeAll(async () => {
    url = await faces.http.listen({ host: "127.0.0.1", port: 0 });
  });

  const asked = async (
    token: string | null,
    tool: (typeof tools)[number],
    input = inputOf(tool.view.endpoint.id),
  ) => {
    const client = overRest({ url, token, report: () => {} });
    const told = await client.call(tool.view.endpoint, input, "r");
    await client.close();
    return told;
  };

  it("[OUR-PAR-01] every tool gives its owner what REST gives", async () => {
    // Test messages have a window of their own, which the calls before have used.
    test.clock.advance(600_000);
    const { secret } = await test.token(owner);
    for (const tool of tools) {
      const { endpoint } = tool.view;
      await faces.rest(endpoint, inputOf(endpoint.id), secret);
      const rest = await faces.rest(endpoint, inputOf(endpoint.id), secret);
      const told = await asked(secret, tool);
      if (usualAnswer(endpoint.id) !== "ok") continue;
      if (!told.ok) throw new Error(`${endpoint.id}: ${told.body.error}`);
      expect(withoutCounters(told.value as Json), endpoint.id).toEqual(withoutCounters(rest.body));
      expect(told.windows?.day.limit, endpoint.id).toBe(roomy.pro?.daily_calls);
    }
  });

  it("[OUR-PAR-02] [ACC-21] without a token it refuses in the words of REST, and opens what is public", async () => {
    for (const tool of tools) {
      const { endpoint } = tool.view;
      const rest = await faces.rest(endpoint, inputOf(endpoint.id), null);
      const told = await asked(null, tool);
      expect(told.status, endpoint.id).toBe(rest.status);
      expect(told.ok ? told.value : told.body, endpoint.id).toEqual(rest.body);
    }
  });

  /** A value that is none of the field's, though a query or path would show no difference. */
  const mistyped = ({ json }: Field): unknown => {
    const types = new Set(
      [json, ...(json.anyOf ?? [])].flatMap((each) => (typeof each === "object" ? (each.type ?? []) : [])),
    );
    if (types.has("integer") || types.has("number")) return "5";
    return types.has("boolean") ? "true" : 5;
  };

  /** The input that works with one thing wrong in it: each field's type in turn, and a name nobody declared. */
  const badInputs = ({ view: { endpoint } }: (typeof tools)[number]): Json[] =>
    [
      ...[...endpoint.fields.values()].map((field): [string, unknown] => [field.name, mistyped(field)]),
      ["misspelt", {}] as const,
    ].map(([name, value]) => Object.fromEntries([...Object.entries(inputOf(endpoint.id)), [name, value]]));

  it("[OUR-PAR-02] [OUR-MCP-24] refuses a bad input where REST does: behind credential and scope", async () => {
    const expired = await test.token(owner, scopes, -1);
    const unknown = test.app.secrets.newSecret("api");
    const powerless = await test.token(owner, []);
    for (const tool of tools) {
      const { endpoint } = tool.view;
      const access = endpoint.access.face === "api" ? endpoint.access : null;
      for (const input of badInputs(tool)) {
        test.clock.advance(61_000);
        const codes = new Map<string | null, string>([[unknown, "invalid_token"]]);
        codes.set(expired.secret, "token_expired");
        if (access?.anonymous !== true) codes.set(null, "unauthorized");
        if (access?.scope) codes.set(powerless.secret, "missing_scope");
        for (const [secret, code] of codes) {
          const rest = await faces.rest(endpoint, inputOf(endpoint.id), secret);
          const told = await asked(secret, tool, input);
          expect(rest.body["error"], endpoint.id).toBe(code);
          expect(told, endpoint.id).toMatchObject({ ok: false, status: rest.status, body: rest.body });
        }
      }
    }
  });

  it("[OUR-PAR-02] [OUR-MCP-08] refuses a bad input of an accepted caller as the connector over HTTP does, in its words, and counts it like it", async () => {
    const { secret } = await test.token(owner);
    const client = talkTo(url, secret);
    await client.ask("tools/list");
    for (const tool of tools) {
      for (const input of badInputs(tool)) {
        const http = await faces.tool(tool, input, secret);
        const told = await asked(secret, tool, input);
        expect(told, tool.definition.name).toMatchObject({ ok: false, status: 400, counted: true });
        const { connector_notes: _notes, ...text } = http.text;
        expect(withoutMessage((told.ok ? told.value : told.body) as Json)).toEqual(withoutMessage(text));
        const { day, hour } = http.meta["tickmark/quota"] as { [name: string]: { remaining: number } };
        const spent = tool.view.endpoint.id === "token.get" ? 0 : 1;
        expect(told.windows?.day.remaining).toBe((day?.remaining ?? 0) - spent);
        expect(told.windows?.hour?.remaining).toBe((hour?.remaining ?? 0) - 1);
        const desk = await client.tool(tool.definition.name, input);
        expect(desk).toMatchObject({ text: http.text, quota: { cost: spent } });
      }
    }
    await client.end();
  });
});
