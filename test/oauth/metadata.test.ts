import { afterAll, beforeAll, expect, it } from "vitest";
import { readScopes, scopes } from "../../src/core/access/scope.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { callTool } from "./program.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

it("[OUR-OAU-01] the connector's metadata says for what and by whom tokens are issued, and its 401 leads there", async () => {
  const { baseUrl } = service.app;
  const places = ["", "/mcp"].map((path) => `/.well-known/oauth-protected-resource${path}`);
  for (const place of places) {
    const { status, headers, json } = await service.request("GET", place);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(json).toMatchObject({
      resource: `${baseUrl}/mcp`,
      authorization_servers: [baseUrl],
      scopes_supported: readScopes,
      bearer_methods_supported: ["header"],
    });
    expect((await service.request("POST", place)).status).toBe(405);
  }
  for (const token of [null, "tkm_unknown"]) {
    const { status, headers } = await callTool(service, token);
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toContain(`resource_metadata="${baseUrl}${places[1]}"`);
    expect(headers["www-authenticate"]).toContain(`scope="${readScopes.join(" ")}"`);
  }
});

it("[OUR-OAU-02] the server's metadata is what the server does, under the address it goes by", async () => {
  const { baseUrl } = service.app;
  for (const headers of [{}, { host: "elsewhere.example", "x-forwarded-host": "elsewhere.example" }]) {
    const { status, json } = await service.request("GET", "/.well-known/oauth-authorization-server", {
      headers,
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      scopes_supported: scopes,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${baseUrl}/docs`,
    });
  }
});

it("[OUR-OAU-02] nothing of the library that the metadata does not tell of is there", async () => {
  const others = [
    "/.well-known/openid-configuration",
    "/oauth/register/x",
    "/jwks",
    "/me",
    "/request",
    "/oauth/token/introspection",
    "/session/end",
    "/token",
    "/auth",
  ];
  for (const path of others) expect((await service.request("GET", path)).status, path).toBe(404);
  for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"])
    expect((await service.request("GET", path)).status, path).toBe(405);
  expect((await service.request("POST", "/oauth/authorize")).status).toBe(405);
});
