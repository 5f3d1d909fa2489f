import { selectPresentedToken } from "../../../src/store/access/tokens.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { readScopes } from "../../../src/core/access/scope.ts";
import { runs } from "./streams.ts";
import { afterAll, expect, it } from "vitest";
import { createServer, type AddressInfo } from "node:net";
import { roomyPlans, startTestService, type Json, type TestService } from "../../support/service.ts";
import { signedIn } from "../../support/visitor.ts";
import { talkTo } from "../client.ts";

const services: TestService[] = [];
afterAll(async () => {
  for (const service of services) {
    expect(service.defects).toEqual([]);
    await service.close();
  }
});

const every = { usualMs: 50, awayMs: 20 };
const told = (lines: readonly string[]): number =>
  lines.filter((line) => line.includes("notifications/tools/list_changed")).length;

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("[OUR-MCP-76] over stdio tells when a service comes up that was away, and when the plan changes what is offered", async () => {
  const port = await freePort();
  const away = await startTestService({ plans: roomyPlans });
  services.push(away);
  const owner = await away.account("pro");
  const token = await away.token(owner);
  const client = talkTo(`http://127.0.0.1:${port}`, token, { lookEvery: every });
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  const { result } = await client.ask("initialize", hello);
  expect(result["capabilities"]).toMatchObject({ tools: { listChanged: true } });
  expect((await client.ask("tools/list")).error).toMatchObject({ code: -32603 });
  expect(told(client.lines)).toBe(0);
  // The same service, now behind the address that was tried.
  const relay = await import("node:http").then(({ createServer: serve, request }) =>
    serve((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const passed = request({ host: "127.0.0.1", port: away.port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    }).listen(port, "127.0.0.1"),
  );
  await expect.poll(() => told(client.lines)).toBe(1);
  const names = async (): Promise<string[]> =>
    ((await client.ask("tools/list")).result["tools"] as { name: string }[]).map(({ name }) => name);
  expect(await names()).toContain("create_alert_rule");
  await away.service.app.db.write(changePlan, owner.id, "free", Date.now());
  await expect.poll(() => told(client.lines)).toBe(2);
  expect(await names()).not.toContain("create_alert_rule");
  const before = (await away.request("GET", "/api/v1/token", { token })).json["limits"] as { hourly: Json };
  await runs(away.app.db, selectPresentedToken, 2);
  const after = (await away.request("GET", "/api/v1/token", { token })).json["limits"] as { hourly: Json };
  // Looking costs nothing: the one call between is this test's own.
  expect(Number(after.hourly["used"]) - Number(before.hourly["used"])).toBe(1);
  await client.end();
  relay.closeAllConnections();
  relay.close();
});

it("[OUR-OAU-31] tells when a person gives a token a right in Settings, and takes it away", async () => {
  const service = await startTestService({ plans: roomyPlans });
  services.push(service);
  const owner = await service.account("pro");
  const token = await service.token(owner, readScopes);
  const client = talkTo(`http://127.0.0.1:${service.port}`, token, { lookEvery: every });
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  await client.ask("initialize", hello);
  const names = async (): Promise<string[]> =>
    ((await client.ask("tools/list")).result["tools"] as { name: string }[]).map(({ name }) => name);
  expect(await names()).not.toContain("create_server_group");
  const browser = await signedIn(service, owner);
  const [, page = ""] =
    /href="(\/settings\/security\/rights\/[^"]*)"/.exec((await browser.get("/settings/security")).text) ?? [];
  await browser.send(page, "change", { scopes: [...readScopes, "servers:write"] });
  await expect.poll(() => told(client.lines)).toBe(1);
  expect(await names()).toContain("create_server_group");
  await browser.send(page, "change", { scopes: readScopes });
  await expect.poll(() => told(client.lines)).toBe(2);
  expect(await names()).not.toContain("create_server_group");
  await client.end();
});
