import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConnectorConfig } from "../../../src/app/config/connector-config.ts";
import { roomyPlans, startTestService, type TestService } from "../../support/service.ts";
import { talkTo } from "../client.ts";

let service: TestService;
let stranger: Server;
let secret: string;

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  secret = await service.token(await service.account("pro"));
  stranger = createServer((request, response) => {
    const json = request.url?.startsWith("/json") === true;
    response.writeHead(json ? 200 : 404, { "content-type": json ? "application/json" : "text/html" });
    response.end(json ? "[1]" : "<html>Not here</html>");
  });
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  await new Promise((resolve) => stranger.close(resolve));
  await service.close();
});

it("[OUR-MCP-51] an answer that is none of Tickmark's names TICKMARK_URL in lists and calls, and costs nothing", async () => {
  const { port } = stranger.address() as AddressInfo;
  for (const url of [
    `http://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}/json`,
    `http://127.0.0.1:${service.port}/elsewhere`,
  ]) {
    const client = talkTo(url, secret);
    const { isError, text, quota } = await client.tool("list_servers");
    expect({ isError, error: text["error"], quota }, url).toEqual({
      isError: true,
      error: "unavailable",
      quota: { day: null, hour: null, cost: 0 },
    });
    expect(text["message"]).toContain("TICKMARK_URL");
    expect(text).not.toHaveProperty("connector_notes");
    for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
      expect((await client.ask(method)).error["message"], method).toBe(text["message"]);
    const read = await client.ask("resources/read", { uri: "tickmark://monitoring/overview" });
    expect(read.error).toMatchObject({ message: text["message"], data: { error: "unavailable" } });
    expect(String(client.reports[0])).toContain("is not the API of Tickmark");
    await client.end();
  }
});

it("[OUR-MCP-51] a service that does not answer says so in the message of every list", async () => {
  const client = talkTo("http://127.0.0.1:1", secret);
  const { text } = await client.tool("list_servers");
  expect(text["message"]).toMatch(
    /^The Tickmark service does not answer at the configured address\. Check TICKMARK_URL/,
  );
  const ref = { type: "ref/resource", uri: "tickmark://servers/{server_id}/status" };
  for (const [method, params] of [
    ["tools/list", {}],
    ["resources/list", {}],
    ["completion/complete", { ref, argument: { name: "server_id", value: "" } }],
  ] as const)
    expect((await client.ask(method, params)).error["message"], method).toBe(text["message"]);
  await client.end();
});

it("[OUR-MCP-51] the address of the connector or the API is taken for the service's own, and nothing else that is none", () => {
  const read = (url: string) => readConnectorConfig({ TICKMARK_URL: url });
  for (const [told, leftOut] of [
    ["http://127.0.0.1:8080", null],
    ["http://127.0.0.1:8080/", null],
    ["http://127.0.0.1:8080/mcp", "/mcp"],
    ["http://127.0.0.1:8080/mcp/", "/mcp"],
    ["http://127.0.0.1:8080/api/v1", "/api/v1"],
  ] as const)
    expect(read(told), told).toEqual({ url: "http://127.0.0.1:8080", leftOut, token: null });
  expect(read("https://a.example/tick/mcp").url).toBe("https://a.example/tick");
  for (const wrong of [
    "localhost:8080",
    "ftp://a.example",
    "nonsense",
    "http://a.example/mcp?read_only=true",
  ])
    expect(() => read(wrong), wrong).toThrow(/^TICKMARK_URL takes /);
});
