import { storeUnitTests } from "../../../src/services/unit-test/store-unit-tests.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadGuides } from "../../../src/mcp/catalogue/guides.ts";
import { testConnector, testGuide, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";
import { newUnitTest, unitTestPayload } from "../../support/unit-test.ts";

let at: TestApp;
let connector: TestConnector;
let secret: string;
let serverId: string;
let reportId: string;
let unitTestId: string;

beforeAll(async () => {
  at = testApp({ plans: roomy });
  connector = testConnector(at);
  const owner = await at.account();
  secret = (await at.token(owner)).secret;
  const server = await at.server(owner, { name: "Lobby\u200b" });
  serverId = server.id;
  reportId = (await at.report(server)).shortId;
  const unitTest = newUnitTest(at.app, server, unitTestPayload({ display_name: "Mobs\u200b" }));
  await at.app.db.write(storeUnitTests, [unitTest]);
  unitTestId = unitTest.shortId;
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

const read = (uri: string, modern = false, token = secret) =>
  connector.rpc(token, "resources/read", { uri }, { modern });

it("[OUR-MCP-23] gives the very JSON of the tool, and tells what it cost", async () => {
  const pairs: [string, string, Json][] = [
    [`tickmark://reports/${reportId}`, "get_report", { report_id: reportId }],
    [`tickmark://unit-tests/${unitTestId}`, "get_unit_test", { unit_test_id: unitTestId }],
    [`tickmark://servers/${serverId}/status`, "get_server_status", { server_id: serverId }],
    [`tickmark://servers/${serverId}/maintenance`, "get_maintenance", { server_id: serverId }],
    ["tickmark://server-groups", "list_server_groups", {}],
  ];
  for (const [uri, name, args] of pairs) {
    const { result } = await read(uri);
    const [{ text, ...contents }] = result["contents"] as [{ text: string }];
    expect(contents).toEqual({ uri, mimeType: "application/json" });
    expect(JSON.parse(text)).toEqual((await connector.tool(secret, name, args)).text);
    expect(result["_meta"]).toMatchObject({ "tickmark/quota": { cost: 1 } });
  }
});

it("[OUR-MCP-23] refuses a read with a protocol error that carries REST's body, by the code of the revision", async () => {
  for (const [modern, code] of [
    [false, -32002],
    [true, -32602],
  ] as const) {
    const missing = await read("tickmark://reports/nothing", modern);
    expect(missing.error).toMatchObject({
      code,
      data: { error: "not_found", connector_notes: ["Get existing ids from list_reports."] },
    });
    for (const uri of [
      "tickmark://reports/",
      "tickmark://reports/a/b",
      "tickmark://servers/x",
      "tickmark://token?x=1",
      "file:///etc/passwd",
    ]) {
      expect((await read(uri, modern)).error).toMatchObject({ code, data: { error: "not_found" } });
    }
  }
  const scopeless = await at.token(await at.account(), ["reports:read"]);
  const refused = await read("tickmark://server-groups", false, scopeless.secret);
  expect(refused.error).toMatchObject({
    code: -32603,
    data: { error: "missing_scope", required_scope: "servers:read" },
  });
});

it("[OUR-MCP-23] lists the resources the token may read, and the guides for everybody", async () => {
  const { secret: few } = await at.token(await at.account(), ["reports:read"]);
  const listed = async (token: string, method: string, key: string): Promise<unknown[]> =>
    (await connector.rpc(token, method)).result[key] as unknown[];
  const uris = (rows: unknown[]): unknown[] =>
    rows.map((row) => (row as Json)["uri"] ?? (row as Json)["uriTemplate"]);
  expect(uris(await listed(secret, "resources/list", "resources"))).toEqual([
    "tickmark://monitoring/overview",
    "tickmark://server-groups",
    "tickmark://token",
    "tickmark://guides/errors",
  ]);
  expect(uris(await listed(few, "resources/list", "resources"))).toEqual([
    "tickmark://token",
    "tickmark://guides/errors",
  ]);
  expect(uris(await listed(few, "resources/templates/list", "resourceTemplates"))).toEqual([
    "tickmark://reports/{report_id}",
    "tickmark://reports/{report_id}/diagnosis",
    "tickmark://reports/{report_id}/tuning",
  ]);
});

it("[OUR-MCP-15] opens a guide to every accepted token, and counts nothing for it", async () => {
  const suspended = await at.account("free", "suspended");
  const { secret: token } = await at.token(suspended);
  const { result } = await read("tickmark://guides/errors", true, token);
  expect(result["contents"]).toEqual([
    { uri: "tickmark://guides/errors", mimeType: "text/markdown", ...testGuide.content },
  ]);
  expect(result).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
  expect(result["_meta"]).not.toHaveProperty("tickmark/quota");
  expect(
    (
      await connector.raw("tkm_bad", {
        body: Buffer.from(
          JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "resources/read",
            params: { uri: "tickmark://guides/errors" },
          }),
        ),
      })
    ).status,
  ).toBe(401);
});

it("[OUR-MCP-20] tells how long a result may be kept from revision 2026-07-28 on, and keeps data private", async () => {
  const status = `tickmark://servers/${serverId}/status`;
  expect((await read(status, true)).result).toMatchObject({
    ttlMs: 10_000,
    cacheScope: "private",
    resultType: "complete",
  });
  const list = await connector.rpc(secret, "tools/list", {}, { modern: true });
  expect(list.result).toMatchObject({
    cacheScope: "private",
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "tickmark" } },
  });
  for (const key of ["ttlMs", "cacheScope", "resultType"])
    expect((await read(status)).result).not.toHaveProperty(key);
});

it("[OUR-MCP-23] reads the guides of a folder by their first heading, and no guide without one", () => {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-guides-"));
  writeFileSync(join(folder, "quotas.md"), "Words.\n\n# What counts\n\nMore.\n");
  writeFileSync(join(folder, "errors.md"), "# Errors\n");
  writeFileSync(join(folder, "notes.txt"), "not a guide");
  writeFileSync(join(folder, "README.md"), "what belongs here");
  expect(loadGuides(folder).map(({ definition: { uri, title } }) => [uri, title])).toEqual([
    ["tickmark://guides/errors", "Errors"],
    ["tickmark://guides/quotas", "What counts"],
  ]);
  writeFileSync(join(folder, "bare.md"), "nothing\n");
  expect(() => loadGuides(folder)).toThrow("bare");
  rmSync(folder, { recursive: true });
});
