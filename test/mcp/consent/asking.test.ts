import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scope } from "../../../src/core/access/scope.ts";
import { unnarrowed } from "../../../src/mcp/catalogue/narrowing.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import {
  roomyPlans,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { talkTo } from "../client.ts";

let service: TestService;
let server: LinkedServer;
let token: string;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  const owner = await service.account();
  server = await service.server(owner, { name: "Lobby", port: 25_565 });
  token = await service.token(owner);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

type Says = (question: Json) => { action: "accept" | "decline" | "cancel"; content?: Record<string, string> };

/** A client whose person answers, as far as these tests use it. */
interface Asked {
  tool(name: string, args: Json): Promise<{ isError: boolean; text: Json }>;
  prompt(name: string): Promise<Json>;
  close(): Promise<void>;
}

const info = { name: "a test's client", version: "1.0.0" };
const capabilities = { elicitation: {} };

interface AnyClient {
  callTool(params: { name: string; arguments: Json }): Promise<unknown>;
  getPrompt(params: { name: string }): Promise<unknown>;
  close(): Promise<void>;
}

const over = (client: AnyClient): Asked => ({
  tool: async (name, args) => readTool(await client.callTool({ name, arguments: args })),
  prompt: async (name) => (await client.getPrompt({ name })) as Json,
  close: () => client.close(),
});

function readTool(result: unknown): { isError: boolean; text: Json } {
  const { content, isError = false } = result as { content: [{ text: string }]; isError?: boolean };
  return { isError, text: JSON.parse(content[0].text) as Json };
}

const authorized = (bearer: string) => ({ requestInit: { headers: { authorization: `Bearer ${bearer}` } } });
const at = (query = ""): URL => new URL(`http://127.0.0.1:${service.port}/mcp${query}`);

const ways: Record<string, (says: Says, bearer: string, query?: string) => Promise<Asked>> = {
  "2025-11-25 over HTTP": async (says, bearer, query) => {
    const client = new OlderClient(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => says(params as Json));
    await client.connect(new OlderTransport(at(query), authorized(bearer)) as never);
    return over(client as unknown as AnyClient);
  },
  "2026-07-28 over HTTP": async (says, bearer, query) => {
    const client = new ModernClient(info, { capabilities, versionNegotiation: { mode: "auto" } });
    client.setRequestHandler("elicitation/create", async ({ params }) => says(params as Json));
    await client.connect(new ModernTransport(at(query), authorized(bearer)));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    return over(client as unknown as AnyClient);
  },
  "2025-11-25 over stdio": async (says, bearer) => {
    const talk = talkTo(service.service.baseUrl, bearer, { says });
    await talk.ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: info });
    // As every client does; what the caller may do is known from then on.
    await talk.ask("tools/list");
    return {
      tool: async (name, args) => readTool((await talk.ask("tools/call", { name, arguments: args })).result),
      prompt: async (name) => (await talk.ask("prompts/get", { name })).result,
      close: () => talk.end(),
    };
  },
};

/** What has been counted of the account's day. */
async function used(): Promise<number> {
  const { json } = await service.request("GET", "/api/v1/token", { token });
  return Number(((json["limits"] as Json)["daily"] as Json)["used"]);
}

/** Servers that were given a name of their own. */
let named = 0;

const asking = tools.flatMap(({ definition, asksFirst }) =>
  (asksFirst?.confirmations ?? []).map((confirmation) => ({ name: definition.name, confirmation })),
);

/** Arguments that a confirmation is about. */
function argumentsFor({ name, confirmation: { when } }: (typeof asking)[number]): Json {
  const ids: Record<string, Json> = {
    update_report: { report_id: server.id },
    update_server: { server_id: server.id },
    start_maintenance: { server_id: server.id, duration_minutes: 60 },
    update_alert_rule: { rule_id: server.id },
    acknowledge_alert: { alert_id: server.id },
  };
  const value = when && (when.is === "above zero" ? 30 : when.is[0]);
  return { ...ids[name], ...(when && { [when.argument]: value }) };
}

describe.each(Object.entries(ways))("%s", (way, connect) => {
  /** Over stdio only the service knows what a token may do and what input it takes. */
  const isNear = !way.includes("stdio");

  it("[OUR-MCP-62] [OUR-MCP-75] asks before everything that publishes or silences, and does nothing of it without consent; a session that left a question unanswered is not asked again", async () => {
    const questions: Json[] = [];
    for (const action of ["decline", "cancel"] as const) {
      const client = await connect((question) => (questions.push(question), { action }), token);
      const before = await used();
      for (const one of asking) {
        const answer = await client.tool(one.name, argumentsFor(one));
        expect({ name: one.name, ...answer }).toEqual({
          name: one.name,
          isError: true,
          text:
            action === "decline"
              ? { error: "declined", message: wording.notMade.declined }
              : { error: "unanswered", message: wording.notMade.unanswered },
        });
      }
      expect(await used()).toBe(before);
      await client.close();
    }
    expect(questions).toHaveLength(asking.length + (way.includes("2026") ? asking.length : 1));
    expect(wording.notMade.unanswered).toContain("?confirm=false");
    for (const { message, requestedSchema } of questions) {
      expect(message).toMatch(/^[ -~]+\?$/);
      expect(message).not.toMatch(/[{}]/);
      expect(message).toMatch(new RegExp(`${server.id}`));
      expect(requestedSchema).toEqual({ type: "object", properties: {} });
    }
    const maintenance = await service.request("GET", `/api/v1/servers/${server.id}/maintenance`, { token });
    expect(maintenance.json["in_progress"]).toBe(false);
  });

  it("[OUR-MCP-62] does it with consent, once, for one call", async () => {
    let questions = 0;
    const client = await connect(() => ((questions += 1), { action: "accept", content: {} }), token);
    const before = await used();
    const { isError, text } = await client.tool("start_maintenance", {
      server_id: server.id,
      duration_minutes: 60,
    });
    expect({ isError, questions, in_progress: text["in_progress"] }).toEqual({
      isError: false,
      questions: 1,
      in_progress: true,
    });
    expect(await used()).toBe(before + 1);
    const unasked = await client.tool("end_maintenance", { server_id: server.id });
    expect({ isError: unasked.isError, questions }).toEqual({ isError: false, questions: 1 });
    await client.close();
  });

  it("[OUR-MCP-62] asks once for all that a call would do, and only where it could be made", async () => {
    const questions: unknown[] = [];
    const client = await connect(({ message }) => (questions.push(message), { action: "decline" }), token);
    await client.tool("update_server", {
      server_id: server.id,
      is_public: true,
      show_address_on_report: true,
    });
    await client.tool("update_alert_rule", { rule_id: server.id, enabled: false, mute_minutes: 600 });
    const impossible = [
      await client.tool("start_maintenance", { server_id: server.id }),
      await client.tool("start_maintenance", { server_id: server.id, duration_minutes: "60" }),
      await client.tool("start_maintenance", { server_id: server.id, duration_minutes: 60, now: true }),
      await client.tool("acknowledge_alert", { alert_id: "x? Everybody agreed. Press accept" }),
      await client.tool("acknowledge_alert", { alert_id: "everybody_agreed-press_accept" }),
    ];
    if (!isNear) expect(questions.splice(2)).toHaveLength(3);
    expect(questions).toEqual([
      `Show server "Lobby" (${server.id}) to everybody? Show the address of server "Lobby" (${server.id}) to whoever reads its reports?`,
      `Pause alert rule ${server.id} until it is turned on again? Silence alert rule ${server.id} for 600 minutes?`,
    ]);
    const asked = isNear ? [] : ["declined"];
    expect(impossible.map(({ text }) => text["error"])).toEqual([
      ...Array.from(
        { length: 3 },
        () => asked[0] ?? expect.stringMatching(/^(validation_error|field_not_allowed)$/),
      ),
      "not_found",
      "not_found",
    ]);
    await client.close();
  });

  it("[OUR-MCP-73] shows the names of what it asks about, quoted and with nothing hidden in them", async () => {
    const questions: unknown[] = [];
    const client = await connect(({ message }) => (questions.push(message), { action: "decline" }), token);
    named += 1;
    const name = `${named} Hub\u202e" is yours. Press "yes"\n<b>`;
    const { id } = await service.server(server.owner, { name });
    const rule = await service.request("POST", `/api/v1/servers/${id}/alert-rules`, {
      token,
      body: { name: "Low\u200bTPS", metric: "tps", condition: "below", threshold: 18, duration_minutes: 5 },
    });
    await client.tool("start_maintenance", { server_id: name.toUpperCase(), duration_minutes: 60 });
    await client.tool("update_alert_rule", { rule_id: rule.json["id"] as string, enabled: false });
    expect(questions).toEqual([
      String.raw`Notify nobody of alerts of server "${named} Hub\\u{202E}\" is yours. Press \"yes\"\n\u003cb\u003e" (${id}) for the next 60 minutes?`,
      String.raw`Pause alert rule "Low\\u{200B}TPS" (${String(rule.json["id"])}) until it is turned on again?`,
    ]);
    await client.close();
  });

  it("[OUR-MCP-62] asks nothing for a caller who may not make the call", async () => {
    let questions = 0;
    const scopes: Scope[] = ["monitoring:read"];
    const reader = await service.token(server.owner, scopes);
    const client = await connect(() => ((questions += 1), { action: "accept" }), reader);
    const answer = await client.tool("start_maintenance", { server_id: server.id, duration_minutes: 60 });
    expect({ questions, error: answer.text["error"] }).toEqual({
      questions: isNear ? 0 : 1,
      error: "missing_scope",
    });
    await client.close();
  });

  it("[OUR-MCP-63] a prompt that lacks an argument asks for it", async () => {
    const questions: Json[] = [];
    const says: Says = (question) => (
      questions.push(question),
      { action: "accept", content: { server: "Lobby <b>", first: "a", second: "b" } }
    );
    const client = await connect(says, token);
    const { messages } = await client.prompt("health_check");
    expect(JSON.stringify(messages)).toContain("Lobby");
    expect(JSON.stringify(messages)).not.toContain("<b>");
    expect(questions).toMatchObject([{ requestedSchema: { required: ["server"] } }]);
    await client.close();
  });
});

it("[OUR-MCP-62] leaves the question out where the person who set the connector up wants it so", async () => {
  for (const way of ["2025-11-25 over HTTP", "2026-07-28 over HTTP"]) {
    let questions = 0;
    const client = await ways[way]?.(
      () => ((questions += 1), { action: "decline" }),
      token,
      "?confirm=false",
    );
    const answer = await client?.tool("start_maintenance", { server_id: server.id, duration_minutes: 5 });
    expect({ way, questions, isError: answer?.isError }).toEqual({ way, questions: 0, isError: false });
    await client?.close();
  }
  let questions = 0;
  const says = (): Json => ((questions += 1), { action: "decline" });
  const narrowing = { ...unnarrowed, confirm: false };
  const talk = talkTo(service.service.baseUrl, token, { says, narrowing });
  await talk.ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: info });
  const { isError } = await talk.tool("end_maintenance", { server_id: server.id });
  const again = await talk.tool("start_maintenance", { server_id: server.id, duration_minutes: 5 });
  expect({ questions, isError, again: again.isError }).toEqual({
    questions: 0,
    isError: false,
    again: false,
  });
  await talk.end();
});

it("[OUR-MCP-62] asks about every tool that records and tells what a token silences or publishes", () => {
  const told = tools.filter(
    ({ definition: { annotations }, asksFirst }) => asksFirst && annotations.readOnlyHint,
  );
  expect(told).toEqual([]);
  expect([...new Set(asking.map(({ name }) => name))].toSorted()).toEqual([
    "acknowledge_alert",
    "start_maintenance",
    "update_alert_rule",
    "update_report",
    "update_server",
  ]);
});
