import { selectServers } from "../../../src/store/server/servers.ts";
import { intercepting } from "../../support/intercept.ts";
import { changeRole } from "../../../src/services/access/change-role.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scopes, type Scope } from "../../../src/core/access/scope.ts";
import { defineEndpoint } from "../../../src/contract/endpoint/endpoint.ts";
import { listServerGroups } from "../../../src/endpoints/api/server/list-server-groups.ts";
import { tool } from "../../../src/mcp/catalogue/tool.ts";
import { toolsets } from "../../../src/mcp/catalogue/toolset.ts";
import { tools } from "../../../tools/registry.ts";
import { testConnector, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";

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

const everyName = tools.map(({ definition }) => definition.name);

async function listed(secret: string, url = "/mcp", asked = connector): Promise<string[]> {
  const { result } = await asked.rpc(secret, "tools/list", {}, { url });
  return (result["tools"] as { name: string }[]).map(({ name }) => name);
}

const tokenWith = async (held: readonly Scope[]): Promise<string> =>
  (await at.token(await at.account(), held)).secret;

it("[OUR-MCP-13] shows what the token's scopes allow, in the table's order", async () => {
  expect(await listed(await tokenWith(scopes))).toEqual(everyName);
  expect(await listed(await tokenWith(["monitoring:read", "servers:read"]))).toEqual([
    "get_token_info",
    "list_servers",
    "get_regression_verdict",
    "list_server_groups",
    "get_server_status",
    "get_server_metrics",
    "compare_periods",
    "list_account_events",
    "list_server_events",
    "list_account_profiles",
    "list_profile_summaries",
    "get_profile",
    "compare_profiles",
    "list_account_memory_reports",
    "list_memory_reports",
    "compare_memory_reports",
    "get_memory_report",
    "diagnose_server",
    "diagnose_fleet",
    "get_server_software",
    "list_account_software",
    "get_monitoring_overview",
    "list_availability",
    "get_maintenance",
    "list_event_alert_rules",
    "list_alert_rules",
    "list_account_alert_rules",
    "list_alerts",
    "preview_alert_rule",
  ]);
});

it("[OUR-MCP-13] shows nothing but the token itself to a suspended account, at once", async () => {
  const account = await at.account();
  const { secret } = await at.token(account);
  expect(await listed(secret)).toEqual(everyName);
  await at.app.db.write(changeRole, account.id, "suspended", Date.now());
  expect(await listed(secret)).toEqual(["get_token_info"]);
  expect((await connector.tool(secret, "list_servers")).text["error"]).toBe("missing_scope");
});

it("[OUR-MCP-13] answers the refusal for a tool the token may not use, instead of hiding that it exists", async () => {
  const secret = await tokenWith(["servers:read"]);
  const { isError, text } = await connector.tool(secret, "get_server_status", { server_id: "x" });
  expect({ isError, ...text }).toMatchObject({
    isError: true,
    error: "missing_scope",
    required_scope: "monitoring:read",
  });
});

it("[OUR-MCP-13] leaves a tool out where the plan lacks its feature, and says so when it is called", async () => {
  const planned = defineEndpoint({
    ...({
      ...listServerGroups,
      check: undefined,
      wholeBody: undefined,
      files: undefined,
    } as never as Parameters<typeof defineEndpoint>[0]),
    access: { face: "api", scope: "servers:read", plan: "monitoring" },
  });
  const one = tool(planned, { name: "list_server_groups", title: "x", description: "x", toolset: "fleet" });
  const asked = testConnector(at, [one]);
  const [free, pro] = [await at.token(await at.account("free")), await at.token(await at.account("pro"))];
  expect(await listed(free.secret, "/mcp", asked)).toEqual([]);
  expect(await listed(pro.secret, "/mcp", asked)).toEqual(["list_server_groups"]);
  const unplanned = testApp();
  const refused = await testConnector(unplanned, [one]).tool(
    (await unplanned.token(await unplanned.account("free"))).secret,
    "list_server_groups",
  );
  expect(refused.text["error"]).toBe("plan_required");
  await unplanned.close();
});

it("[OUR-MCP-14] narrows by toolset and to reading", async () => {
  const secret = await tokenWith(scopes);
  expect(await listed(secret, "/mcp?toolsets=account")).toEqual(["get_token_info"]);
  expect(await listed(secret, "/mcp?toolsets=account,benchmarks&read_only=true")).toEqual([
    "list_reports",
    "get_report",
    "compare_reports",
    "diagnose_report",
    "get_tuning_advice",
    "judge_before_after",
    "list_unit_tests",
    "get_unit_test",
    "get_token_info",
  ]);
  for (const name of await listed(secret, "/mcp?read_only=true")) {
    const found = tools.find(({ definition }) => definition.name === name);
    expect(found?.definition.annotations.readOnlyHint).toBe(true);
  }
  expect(await listed(secret, "/mcp?read_only=false")).toEqual(everyName);
  expect(await listed(secret, `/mcp?toolsets=${toolsets.join(",")}`)).toEqual(everyName);
});

it("[OUR-MCP-80] offers single tools beside toolsets, without those that are excluded", async () => {
  const secret = await tokenWith(scopes);
  const inOrder = (names: readonly string[]): string[] => everyName.filter((name) => names.includes(name));
  const inAlerts = tools
    .filter((one) => one.toolsets.includes("alerts"))
    .map(({ definition }) => definition.name);
  const reading = tools.filter((one) => one.definition.annotations.readOnlyHint);
  for (const [query, names] of [
    ["tools=list_servers", ["list_servers"]],
    ["tools=update_server,%20get_token_info", ["get_token_info", "update_server"]],
    ["toolsets=alerts&tools=get_report", [...inAlerts, "get_report"]],
    ["toolsets=alerts&exclude=list_alerts", inAlerts.filter((name) => name !== "list_alerts")],
    ["tools=list_servers,get_report&exclude=list_servers", ["get_report"]],
    ["exclude=update_server,link_server", everyName.filter((name) => !/^(update|link)_server$/.test(name))],
    ["tools=update_server,list_alerts&read_only=true", ["list_alerts"]],
    [
      "exclude=list_alerts&read_only=true",
      reading.map(({ definition }) => definition.name).filter((name) => name !== "list_alerts"),
    ],
  ] as const) {
    expect([query, await listed(secret, `/mcp?${query}`)]).toEqual([query, inOrder(names)]);
  }
  const url = "/mcp?tools=list_servers";
  for (const modern of [false, true]) {
    expect((await connector.tool(secret, "list_servers", {}, { modern, url })).isError).toBe(false);
    const left = await connector.rpc(secret, "tools/call", { name: "list_alerts" }, { modern, url });
    expect(left.error).toEqual({ code: -32602, message: "Unknown tool" });
  }
});

it("[OUR-MCP-80] says which name is no tool's, and repeats none that could carry anything else", async () => {
  const secret = await tokenWith(scopes);
  const message = async (query: string): Promise<unknown> => {
    const { status, json } = await connector.rpc(secret, "tools/list", {}, { url: `/mcp?${query}` });
    expect([query, status, json["error"]]).toEqual([query, 400, "validation_error"]);
    return json["message"];
  };
  expect(await message("tools=list_servers,lst_alerts")).toBe(
    "No tool has the name lst_alerts. Check the spelling.",
  );
  expect(await message("exclude=delete_server")).toBe(
    "No tool has the name delete_server. Check the spelling.",
  );
  for (const query of ["tools=", "exclude=list_servers,", "tools=a%20b", "exclude=%3Cb%3E"])
    expect(await message(query)).toBe("One of the names is not the name of a tool. Check the spelling.");
  expect(await message("server=%20")).toBe("server takes the id or the name of a server.");
  expect(await message("toString=x")).toContain("toolsets, tools, exclude, server, read_only and confirm");
  expect((await connector.rpc(null, "tools/list", {}, { url: "/mcp?tools=x" })).status).toBe(401);
});

it("[OUR-MCP-14] leaves every toolset a tool that lists the ids its tools take", () => {
  for (const toolset of toolsets) {
    const offered = tools.filter((one) => one.toolsets.includes(toolset));
    const names = new Set(offered.map(({ definition }) => definition.name));
    const lost = offered.filter(
      ({ view: { endpoint, lists = {} } }) =>
        endpoint.path.includes("{") &&
        !Object.values(lists).every((sources) =>
          sources.some((source) => names.has(source.split(" ")[0] ?? "")),
        ),
    );
    expect(lost.map(({ definition }) => `${toolset} ${definition.name}`)).toEqual([]);
  }
});

it("[OUR-MCP-14] knows no tool that narrowing left out, and none that does not exist", async () => {
  const secret = await tokenWith(scopes);
  for (const modern of [false, true]) {
    const options = { modern, url: "/mcp?read_only=true" };
    const args = { name: "create_server_group", arguments: { name: "x" } };
    for (const params of [args, { name: "no_such_tool" }, { name: 7 }, {}]) {
      const { status, error, json } = await connector.rpc(secret, "tools/call", params as Json, options);
      expect({ status, error, hasResult: "result" in json }).toEqual({
        status: modern && typeof params.name === "number" ? 200 : 200,
        error: { code: -32602, message: "Unknown tool" },
        hasResult: false,
      });
    }
  }
  expect((await connector.tool(secret, "list_server_groups")).text["data"]).toEqual([]);
});

it("[OUR-MCP-14] refuses a narrowing it does not know instead of ignoring it", async () => {
  const secret = await tokenWith(scopes);
  for (const query of [
    "toolsets=flet",
    "toolsets=",
    "read_only=yes",
    "read_only",
    "tools=x",
    "read_only=true&read_only=false",
  ]) {
    const { status, json } = await connector.rpc(secret, "tools/list", {}, { url: `/mcp?${query}` });
    expect({ query, status, error: json["error"] }).toEqual({
      query,
      status: 400,
      error: "validation_error",
    });
  }
});

it("[OUR-MCP-15] counts tool calls and reads of data, once each, and nothing else", async () => {
  const tight = testApp();
  const asked = testConnector(tight);
  const { secret } = await tight.token(await tight.account("pro"));
  const used = async (): Promise<unknown> => (await asked.tool(secret, "get_token_info")).quota["day"];
  const before = await used();
  for (const modern of [false, true]) {
    for (const method of ["tools/list", "resources/list", "resources/templates/list"])
      await asked.rpc(secret, method, {}, { modern });
    await asked.rpc(secret, "resources/read", { uri: "tickmark://guides/errors" }, { modern });
    await asked.rpc(secret, "resources/read", { uri: "tickmark://nothing" }, { modern });
    await asked.rpc(secret, "tools/call", { name: "no_such_tool" }, { modern });
    await asked.rpc(secret, modern ? "server/discover" : "ping", {}, { modern });
  }
  await asked.rpc(secret, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  });
  expect(await used()).toEqual(before);
  await asked.tool(secret, "list_servers");
  await asked.tool(secret, "get_report", { report_id: "missing" });
  await asked.tool(secret, "list_servers", { limit: 101 });
  await asked.rpc(secret, "resources/read", { uri: "tickmark://server-groups" });
  await asked.rpc(secret, "resources/read", { uri: "tickmark://token" });
  const { remaining } = before as { remaining: number };
  expect(await used()).toMatchObject({ remaining: remaining - 4 });
  await tight.close();
});

it("[OUR-MCP-16] keeps an exception's message to itself", async () => {
  const broken = testApp();
  const { secret } = await broken.token(await broken.account());
  const db = intercepting(broken.app.db, selectServers, () =>
    Promise.reject(new Error("SELECT secret FROM vault")),
  );
  const app = { ...broken.app, db };
  const asked = testConnector({ ...broken, app });
  const called = await asked.tool(secret, "list_servers");
  expect(called.text).toMatchObject({ error: "internal_error", request_id: "r-1" });
  const listServers = tools.find(({ definition }) => definition.name === "list_servers");
  const badTool = {
    ...listServers,
    view: {
      ...listServers?.view,
      thirdParty: {
        paths: [],
        apply: () => {
          throw new Error("SELECT secret");
        },
      },
    },
  };
  const worse = testConnector(broken, [badTool as never]);
  const { error, body } = await worse.rpc(secret, "tools/call", { name: "list_servers" });
  expect(error).toEqual({ code: -32603, message: "Internal error", data: { request_id: "r-1" } });
  for (const text of [called.body, body]) expect(text).not.toContain("SELECT");
  expect(broken.defects).toHaveLength(2);
  await broken.close();
});
