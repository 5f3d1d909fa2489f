import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PlanName } from "../../../src/core/access/plan.ts";
import { scopes as allScopes, type Scope } from "../../../src/core/access/scope.ts";
import { readNarrowing } from "../../../src/mcp/catalogue/narrowing.ts";
import { tools } from "../../../tools/registry.ts";
import { testConnector, wholeInstructions, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";
import { startTestService } from "../../support/service.ts";
import { talkTo } from "../client.ts";

let at: TestApp;
let connector: TestConnector;

beforeAll(() => {
  at = testApp({ plans: roomy });
  connector = testConnector(at);
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

const names = new Set(tools.map(({ definition }) => definition.name));
const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "a test", version: "1" },
};

/** The tools that a text names. */
const namedIn = (text: string): string[] =>
  [...new Set(text.match(/\w+/g))].filter((word) => names.has(word));

interface Told {
  readonly instructions: string;
  readonly listed: readonly string[];
}

async function told(plan: PlanName, scopes: readonly Scope[], query = "", modern = false): Promise<Told> {
  const { secret } = await at.token(await at.account(plan), scopes);
  const options = { modern, url: `/mcp${query}` };
  const begun = modern
    ? await connector.rpc(secret, "server/discover", {}, options)
    : await connector.rpc(secret, "initialize", hello, options);
  const { result } = await connector.rpc(secret, "tools/list", {}, options);
  return {
    instructions: String(begun.result["instructions"]),
    listed: (result["tools"] as { name: string }[]).map(({ name }) => name),
  };
}

const queries = [
  "",
  "?read_only=true",
  "?toolsets=fleet",
  "?toolsets=benchmarks",
  "?toolsets=profiling",
  "?toolsets=alerts&read_only=true",
  "?toolsets=auto_bench",
  "?toolsets=catalogue",
  "?toolsets=account",
  "?tools=get_monitoring_overview,list_reports",
  "?exclude=get_server_status,start_maintenance",
];
const scopeSets: readonly (readonly Scope[])[] = [
  allScopes,
  [],
  ["monitoring:read"],
  ["servers:read"],
  ["reports:read", "servers:read"],
];

it.each(queries)("[OUR-MCP-78] name no tool that the caller is not offered: %s", async (query) => {
  for (const plan of ["free", "pro", "enterprise"] as const)
    for (const scopes of scopeSets)
      for (const modern of [false, true]) {
        const { instructions, listed } = await told(plan, scopes, query, modern);
        const named = namedIn(instructions);
        expect(named.filter((name) => !listed.includes(name))).toEqual([]);
        expect(instructions).toMatch(/^[\n -~]+$/);
        expect(countTokens(instructions)).toBeLessThanOrEqual(400);
        // A part that is left out leaves no seam behind.
        expect(instructions).not.toMatch(/ {2}|\n\n|: ?\.|,\.|\(\)|^[ ,]|[ ,]$/m);
      }
});

it("[OUR-MCP-78] are whole for who is offered everything, and the same in both revisions", async () => {
  for (const modern of [false, true])
    expect((await told("enterprise", allScopes, "", modern)).instructions).toBe(wholeInstructions);
  expect(namedIn(wholeInstructions)).toContain("get_monitoring_overview");
  expect(namedIn(wholeInstructions)).not.toContain("list_servers");
});

it("[OUR-MCP-78] send nobody to what the plan leaves empty", async () => {
  const free = await told("free", allScopes);
  expect(free.listed).toContain("get_monitoring_overview");
  const named = namedIn(free.instructions);
  for (const empty of ["get_monitoring_overview", "list_alerts", "list_auto_bench_targets"])
    expect(named).not.toContain(empty);
  for (const full of ["list_servers", "get_server_status", "list_reports", "get_token_info"])
    expect(named).toContain(full);
  expect(namedIn((await told("pro", allScopes)).instructions)).toContain("get_monitoring_overview");
});

it("[OUR-MCP-78] tell readers nothing of what they cannot do", async () => {
  for (const { instructions } of [
    await told("enterprise", allScopes, "?read_only=true"),
    await told("enterprise", ["monitoring:read", "servers:read"]),
  ])
    expect(instructions).not.toMatch(/start_maintenance|silences|publishes/);
});

it("[OUR-MCP-78] [OUR-MCP-24] over stdio name what narrowing leaves, and without a token what is public", async () => {
  const service = await startTestService();
  const url = `http://127.0.0.1:${service.port}`;
  const account = await service.account("enterprise");
  const begun = async (token: string | null, query: string): Promise<string> => {
    const narrowing = readNarrowing(new URLSearchParams(query), tools);
    if (typeof narrowing === "string") throw new Error(narrowing);
    const client = talkTo(url, token, { narrowing });
    const { result } = await client.ask("initialize", hello);
    const { result: list } = await client.ask("tools/list");
    await client.end();
    const listed = new Set((list["tools"] as Json[]).map(({ name }) => name));
    const instructions = String(result["instructions"]);
    expect(namedIn(instructions).filter((name) => !listed.has(name))).toEqual([]);
    return instructions;
  };
  const token = await service.token(account);
  expect(await begun(token, "")).toBe(wholeInstructions);
  for (const query of queries) await begun(token, query.slice(1));
  expect(namedIn(await begun(null, ""))).toContain("list_reports");
  await service.close();
});

it("[OUR-MCP-78] are told to nobody whose credential is refused", async () => {
  const { status, body } = await connector.rpc(at.app.secrets.newSecret("api"), "initialize", hello);
  expect(status).toBe(401);
  expect(body).not.toContain("instructions");
});
