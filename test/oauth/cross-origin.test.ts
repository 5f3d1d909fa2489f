import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type Answer, type TestService } from "../support/service.ts";
import { callTool, post, register } from "./program.ts";

const page = { origin: "https://program.example" };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const corsOf = ({ headers }: Answer): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("access-control-")));

const open = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after, x-request-id",
};

const documents = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
];
const endpoints = ["/oauth/token", "/oauth/revoke", "/oauth/register"];

it("[OUR-OAU-25] a page of any origin is told that it may ask, and for what", async () => {
  for (const [path, method] of [
    ...documents.map((document) => [document, "GET"] as const),
    ...endpoints.map((endpoint) => [endpoint, "POST"] as const),
  ]) {
    const asked = await service.request("OPTIONS", path, {
      headers: {
        ...page,
        "access-control-request-method": method,
        "access-control-request-headers": "content-type, mcp-protocol-version",
      },
    });
    expect([path, asked.status, asked.text]).toEqual([path, 204, ""]);
    expect(corsOf(asked)).toEqual({
      ...open,
      "access-control-allow-methods": method,
      "access-control-allow-headers": "content-type, mcp-protocol-version",
      "access-control-max-age": "86400",
    });
    expect((await service.request("DELETE", path)).headers["allow"]).toContain("OPTIONS");
  }
});

it("[OUR-OAU-25] what it is answered it may read, refusals too, and nothing of it speaks of cookies", async () => {
  const registration = { client_name: "A page", redirect_uris: ["https://program.example/cb"] };
  const answers: [number, Answer][] = [
    ...(await Promise.all(
      documents.map(async (path): Promise<[number, Answer]> => [
        200,
        await service.request("GET", path, { headers: page }),
      ]),
    )),
    [201, await service.request("POST", "/oauth/register", { headers: page, body: registration })],
    [400, await register(service, { redirect_uris: [] })],
    [400, await post(service, "/oauth/token", { grant_type: "authorization_code", code: "none" })],
    [413, await service.request("POST", "/oauth/token", { headers: page, body: "x".repeat(40_000) })],
  ];
  for (const [status, answer] of answers) {
    expect(answer.status, answer.text).toBe(status);
    expect(corsOf(answer)).toEqual(open);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.headers["vary"]).toBeUndefined();
  }
  const many = await Promise.all(Array.from({ length: 21 }, () => register(service)));
  const late = many.find(({ status }) => status === 429);
  expect(late && corsOf(late)).toEqual(open);
});

it("[OUR-OAU-25] [OUR-MCP-18] everything else stays closed, the connector and the sign-in among it", async () => {
  const token = await service.token(await service.account());
  const closed: [number, Answer][] = [
    [400, await service.request("GET", "/oauth/authorize", { headers: page })],
    [405, await service.request("OPTIONS", "/oauth/authorize", { headers: page })],
    [405, await service.request("OPTIONS", "/api/v1/token", { headers: page })],
    [200, await service.request("GET", "/api/v1/token", { token, headers: page })],
    [200, await service.request("GET", "/sign-in", { headers: page })],
    [403, await service.request("OPTIONS", "/mcp", { headers: page })],
    [403, await service.request("POST", "/mcp", { token, headers: page, body: {} })],
    [200, await callTool(service, token)],
  ];
  for (const [status, answer] of closed) {
    expect(answer.status, answer.text).toBe(status);
    expect(corsOf(answer)).toEqual({});
  }
});
