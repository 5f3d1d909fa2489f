import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { readScopes } from "../../src/core/access/scope.ts";
import { signedIn, type Visitor } from "../support/visitor.ts";
import type { Answer, Json, TestService } from "../support/service.ts";

/** A program as an attacker or a careful tester would write it: every step by itself, every parameter at will. */
export interface Program {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  /** Asks for authorization, in a browser that is signed in unless another is given; where the browser is led. */
  authorize(
    changes?: Changes,
    browser?: Visitor,
  ): Promise<{ answer: Answer; visitor: Visitor; location: string }>;
  /** Asks, and lets the person allow these scopes, those preselected unless told otherwise. */
  consent(changes?: Changes, scopes?: readonly string[]): Promise<URL>;
  /** A code that was not redeemed yet. */
  code(changes?: Changes, scopes?: readonly string[]): Promise<string>;
  redeem(code: string, changes?: Changes): Promise<Answer>;
  refresh(token: string, changes?: Changes): Promise<Answer>;
  /** All of it: tokens. */
  connect(changes?: Changes, scopes?: readonly string[]): Promise<Tokens>;
}

/** Undefined leaves a parameter out. */
export type Changes = Readonly<Record<string, string | undefined>>;

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
}

const form = { "content-type": "application/x-www-form-urlencoded" };

const encoded = (fields: Changes): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();

export const post = (service: TestService, path: string, fields: Changes): Promise<Answer> =>
  service.request("POST", path, { headers: form, body: encoded(fields) });

export const register = (service: TestService, metadata: Json = {}): Promise<Answer> =>
  service.request("POST", "/oauth/register", {
    body: { client_name: "A program", redirect_uris: ["http://127.0.0.1/callback"], ...metadata },
  });

export async function program(service: TestService, account: Account, metadata: Json = {}): Promise<Program> {
  const { status, json } = await register(service, metadata);
  expect(status).toBe(201);
  return programOf(service, account, String(json["client_id"]), "http://127.0.0.1:43210/callback");
}

export function programOf(
  service: TestService,
  account: Account,
  clientId: string,
  redirectUri: string,
): Program {
  const verifier = randomBytes(32).toString("base64url");
  const resource = `${service.app.baseUrl}/mcp`;
  const challenge = createHash("sha256").update(verifier).digest("base64url");

  const authorize: Program["authorize"] = async (changes = {}, browser) => {
    const query = encoded({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      code_challenge: challenge,
      code_challenge_method: "S256",
      resource,
      state: "kept as it is",
      ...changes,
    });
    const visitor = browser ?? (await signedIn(service, account));
    const answer = await visitor.get(`/oauth/authorize?${query}`);
    return { answer, visitor, location: answer.headers.location ?? "" };
  };

  const consent: Program["consent"] = async (changes = {}, scopes) => {
    const { visitor, location } = await authorize(changes);
    expect(location).toMatch(/^\/oauth\/consent\//);
    const asked = (changes["scope"] ?? readScopes.join(" ")).split(" ");
    const allowed = await visitor.send(location, "allow", {
      scope: scopes ?? asked.filter((scope) => scope.endsWith(":read")),
    });
    expect(allowed.status).toBe(303);
    const resumed = await visitor.get(allowed.headers.location ?? "");
    expect(resumed.status).toBe(303);
    return new URL(resumed.headers.location ?? "");
  };

  const code: Program["code"] = async (changes, scopes) => {
    const answered = await consent(changes, scopes);
    return answered.searchParams.get("code") ?? "";
  };

  const redeem: Program["redeem"] = (sent, changes = {}) =>
    post(service, "/oauth/token", {
      grant_type: "authorization_code",
      code: sent,
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifier,
      resource,
      ...changes,
    });

  const refresh: Program["refresh"] = (token, changes = {}) =>
    post(service, "/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: token,
      client_id: clientId,
      ...changes,
    });

  const connect: Program["connect"] = async (changes, scopes) => {
    const answer = await redeem(await code(changes, scopes));
    expect(answer.text).toContain("access_token");
    return tokensIn(answer);
  };

  return { clientId, redirectUri, verifier, authorize, consent, code, redeem, refresh, connect };
}

export const tokensIn = ({ json }: Answer): Tokens => ({
  access: String(json["access_token"]),
  refresh: String(json["refresh_token"]),
  scope: String(json["scope"]),
});

/** One call of a tool at the connector. */
export const callTool = (
  service: TestService,
  token: string | null,
  name = "get_token_info",
  args: Json = {},
): Promise<Answer> =>
  service.request("POST", "/mcp", {
    token,
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  });
