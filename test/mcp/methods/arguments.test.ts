import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopes } from "../../../src/core/access/scope.ts";
import type { Json } from "../../support/payload.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { wording } from "../../../tools/wording.ts";
import { talkTo, type Talk } from "../client.ts";

let service: TestService;
let client: Talk;
let server: LinkedServer;
let secret: string;

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  const owner = await service.account("pro");
  server = await service.server(owner, { name: "Lobby" });
  secret = await service.token(owner, scopes);
  client = talkTo(`http://127.0.0.1:${service.port}`, secret);
  await client.ask("tools/list");
});

afterAll(async () => {
  await client.end();
  await service.close();
});

const refused = async (name: string, args: Json): Promise<Json> => {
  const { isError, text } = await client.tool(name, args);
  expect(isError, JSON.stringify(text)).toBe(true);
  return text;
};

it("[OUR-MCP-50] an argument that a tool does not take is refused with all it takes, `top` and `chart` among them", async () => {
  expect(await refused("get_server_status", { server: "Archipelago" })).toEqual({
    error: "validation_error",
    message: "server is not an argument of this tool. It takes server_id, top.",
    field: "server",
  });
  expect((await refused("get_server_metrics", { server: "x" }))["message"]).toMatch(
    /^server is not an argument of this tool\. It takes server_id, .*chart\.$/,
  );
  expect(await refused("get_token_info", { verbose: true })).toMatchObject({
    message: "verbose is not an argument of this tool. It takes none.",
  });
  const hidden = await refused("list_servers", { "x\u200by": 1 });
  expect(hidden["message"]).toMatch(/^One of the names sent is not an argument of this tool\. /);
  expect(hidden).not.toHaveProperty("field");
  const written = await refused("update_server", { server_id: server.id, nmae: "x" });
  expect(written["error"]).toBe("field_not_allowed");
  expect(written["message"]).toMatch(/^nmae is not an argument of this tool\. It takes server_id, name, /);
  expect(written["allowed_fields"]).not.toContain("server_id");
});

it("[OUR-MCP-50] text in place of a number, boolean or list is told which JSON type it has to be", async () => {
  for (const [name, args, field, type] of [
    ["list_servers", { limit: "10" }, "limit", "number"],
    ["list_servers", { verified: "true" }, "verified", "boolean"],
    ["get_server_metrics", { server_id: server.id, fields: "tps" }, "fields", "array"],
    ["get_server_metrics", { server_id: server.id, chart: "true" }, "chart", "boolean"],
    ["get_server_status", { server_id: server.id, top: "3" }, "top", "number"],
  ] as const) {
    const text = await refused(name, args);
    expect(text).toMatchObject({ error: "validation_error", field });
    expect(text["message"]).toMatch(
      new RegExp(`^${field} takes .*\\. Send it as a JSON ${type}, not as a string\\.$`),
    );
  }
  expect((await refused("list_servers", { limit: 101 }))["message"]).not.toContain("JSON");
  expect((await refused("list_reports", { status: "no" }))["message"]).not.toContain("JSON");
});

it("[OUR-MCP-11] an id filter that is no id, or a server's that is no name, names the tool that lists ids", async () => {
  for (const name of ["list_alerts", "list_reports", "list_account_profiles", "list_account_memory_reports"])
    expect(await refused(name, { server_id: "Attic" }), name).toMatchObject({
      error: "not_found",
      connector_notes: ["Get existing ids from list_servers."],
    });
  expect(await refused("list_auto_bench_jobs", { target_id: "nightly" })).toMatchObject({
    connector_notes: ["Get existing ids from list_auto_bench_targets."],
  });
});

const nobodys = "01a1f7f8-3000-7244-a176-3236e41f0f8c";

it("[OUR-HTTP-15] of several ids the one that names nothing is told, over REST and the connector alike", async () => {
  for (const [name, path, args, field] of [
    ["compare_reports", "/reports/compare", { base: "x", other: "y" }, "base"],
    ["compare_reports", "/reports/compare", { base: nobodys, other: nobodys }, "base"],
    [
      "get_profile",
      `/servers/${server.id}/profiles/${nobodys}`,
      { server_id: server.id, profile_id: nobodys },
      "profile_id",
    ],
    ["get_profile", `/servers/${nobodys}/profiles/x`, { server_id: nobodys, profile_id: "x" }, "profile_id"],
    [
      "get_memory_report",
      `/servers/${nobodys}/memory-reports/${nobodys}`,
      { server_id: nobodys, report_id: nobodys },
      "server_id",
    ],
    [
      "compare_profiles",
      `/servers/${server.id}/profiles/compare`,
      { server_id: server.id, base: nobodys, target: nobodys },
      "base",
    ],
    [
      "compare_memory_reports",
      `/servers/${server.id}/memory-reports/compare`,
      { server_id: server.id, base: "a", target: "b" },
      "base",
    ],
  ] as const) {
    const text = await refused(name, args);
    expect(text).toMatchObject({ error: "not_found", field });
    expect(text["message"]).toContain(`(${field})`);
    const query = path.endsWith("compare")
      ? `?${new URLSearchParams(Object.entries(args).filter(([key]) => key !== "server_id")).toString()}`
      : "";
    const { json } = await service.request("GET", `/api/v1${path}${query}`, { token: secret });
    const { connector_notes: _notes, ...body } = text;
    expect(body).toEqual(json);
  }
  const judged = await refused("judge_before_after", {
    before: [nobodys, "x"],
    after: ["y"],
    target: "total",
  });
  expect(judged).toMatchObject({ error: "not_found", field: "before", position: 1 });
  expect(judged["message"]).toContain("(before, value 1)");
});

it("[OUR-MCP-11] a 404 says what the id may have been taken for", async () => {
  expect(
    (await refused("get_profile", { server_id: server.id, profile_id: nobodys }))["connector_notes"],
  ).toContain(
    "profile_id is that member of a summary, not its id; where it is null there is no profile to read.",
  );
  for (const name of ["update_alert_rule", "test_alert_rule"])
    expect(
      JSON.stringify(
        await refused(name, { rule_id: nobodys, ...(name === "update_alert_rule" && { enabled: false }) }),
      ),
    ).toContain("read-only here");
});

it("[SRV-15] a code that links nothing is told how codes work, over REST and the connector alike", async () => {
  const text = await refused("link_server", { code: "K7MQ2XWP" });
  expect(text["error"]).toBe("not_found");
  for (const word of ["15 minutes", "once", "another account", "/bench link"])
    expect(text["message"]).toContain(word);
  for (const code of ["K7MQ2XWP", "00000000"]) {
    const { json } = await service.request("POST", "/api/v1/servers/link", { token: secret, body: { code } });
    expect(json).toEqual({ error: "not_found", message: text["message"] });
  }
});

describe("[OUR-MCP-132] a name of no server", () => {
  const near = () => [wording.notes.serversNear([{ id: server.id, name: '"Lobby"' }])];

  it("is answered with the server that may be meant, in place of the tool that lists ids", async () => {
    for (const server_id of ["Loby", " lobbi ", "LOBBY2"])
      for (const name of ["get_server_status", "list_alerts"])
        expect(await refused(name, { server_id })).toEqual({
          error: "not_found",
          message: (await refused("get_server_status", { server_id: nobodys }))["message"],
          connector_notes: near(),
        });
    expect(await refused("get_server_status", { server_id: "Attic" })).toMatchObject({
      connector_notes: ["Get existing ids from list_servers."],
    });
  });

  it("is answered the same over HTTP, also at an address that ends in a slash", async () => {
    const call = async (path: string, server_id: string): Promise<Json> => {
      const params = { name: "get_server_status", arguments: { server_id } };
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${secret}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      expect(answer.status).toBe(200);
      const { result } = (await answer.json()) as { result: { content: [{ text: string }] } };
      return JSON.parse(result.content[0].text) as Json;
    };
    for (const path of ["/mcp", "/mcp/"]) {
      expect(await call(path, "Loby")).toMatchObject({ error: "not_found", connector_notes: near() });
      expect(await call(path, server.id.slice(0, 23))).toMatchObject({ server_id: server.id });
    }
  });
});
