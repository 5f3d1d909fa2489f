import { selectPresentedAccess } from "../../src/store/access/connectors.ts";
import { updateTokenRevoked } from "../../src/store/access/tokens.ts";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { readScopes } from "../../src/core/access/scope.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { signedIn } from "../support/visitor.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

interface Kept {
  client: { client_id: string } | undefined;
  tokens: { access_token: string; token_type: string; refresh_token?: string; scope?: string } | undefined;
  verifier: string;
  /** Where the program would open a browser. */
  led: URL | null;
}

const redirectUrl = "http://127.0.0.1:45678/callback";

/** What a program on a person's machine keeps between its calls, and how the SDKs reach it. */
function keeper() {
  const kept: Kept = { client: undefined, tokens: undefined, verifier: "", led: null };
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: "A real client",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
    },
    state: () => "a state",
    clientInformation: () => kept.client,
    saveClientInformation: (client: { client_id: string }) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: NonNullable<Kept["tokens"]>) => void (kept.tokens = tokens),
    invalidateCredentials: () => void (kept.tokens = undefined),
    redirectToAuthorization: (url: URL) => void (kept.led = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  };
  return { kept, authProvider: provider as never };
}

/** The person: follows the program's link, allows what is ticked, and is led back. */
async function consent(
  account: Account,
  led: URL | null,
  scopes: readonly string[] = readScopes,
): Promise<URL> {
  const visitor = await signedIn(service, account);
  const asked = await visitor.get(`${led?.pathname}${led?.search}`);
  const allowed = await visitor.send(asked.headers.location ?? "", "allow", { scope: scopes });
  const back = await visitor.get(allowed.headers.location ?? "");
  return new URL(back.headers.location ?? "");
}

const info = { name: "a real client", version: "1.0.0" };
const url = (): URL => new URL(`${service.app.baseUrl}/mcp`);

interface AnyTransport {
  finishAuth(code: string, iss?: string): Promise<void>;
}
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

/** An SDK, as far as a program uses it to connect. */
interface Sdk {
  readonly transport: (authProvider: never) => AnyTransport;
  /** A client that has connected over the transport. */
  readonly connect: (transport: AnyTransport) => Promise<AnyClient>;
}

const modern: Sdk = {
  transport: (authProvider) => new ModernTransport(url(), { authProvider }) as never,
  async connect(transport) {
    const client = new ModernClient(info);
    await client.connect(transport as never);
    return client as unknown as AnyClient;
  },
};

const older: Sdk = {
  transport: (authProvider) => new OlderTransport(url(), { authProvider }) as never,
  async connect(transport) {
    const client = new OlderClient(info);
    await client.connect(transport as never);
    return client as unknown as AnyClient;
  },
};

/** A program of a fresh account whose person has consented. */
async function walkedIn(sdk: Sdk) {
  const account = await service.account();
  const { kept, authProvider } = keeper();
  const transportOf = () => sdk.transport(authProvider);
  const connect = () => sdk.connect(transportOf());
  await expect(connect()).rejects.toThrow();
  expect(kept.led?.searchParams.get("resource")).toBe(url().href);
  expect(kept.led?.searchParams.get("code_challenge_method")).toBe("S256");
  const { searchParams } = await consent(account, kept.led);
  expect(searchParams.get("state")).toBe("a state");
  await transportOf().finishAuth(searchParams.get("code") ?? "", searchParams.get("iss") ?? "");
  return { account, kept, connect, transportOf, client: await connect() };
}

async function everyday(client: AnyClient, account: Account): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("list_reports");
  expect(tools.map(({ name }) => name)).not.toContain("update_server");
  const about = (await client.callTool({ name: "get_token_info", arguments: {} })) as {
    structuredContent: { scopes: string[]; token: { name: string }; account: { id: string } };
  };
  expect(about.structuredContent.account.id).toBe(account.id);
  expect(about.structuredContent.token.name).toBe("A real client");
  expect(about.structuredContent.scopes).toEqual(readScopes);
}

it("[OUR-OAU-03] a client of revision 2026-07-28 connects by itself, refreshes, and is out once it is revoked", async () => {
  const { account, kept, connect, client } = await walkedIn(modern);
  await everyday(client, account);
  const first = kept.tokens?.access_token ?? "";
  expect(kept.client).not.toHaveProperty("client_secret");
  // An access token that is gone is replaced without the person.
  kept.tokens = {
    ...(kept.tokens ?? { token_type: "Bearer" }),
    access_token: service.app.secrets.newSecret("api"),
  };
  await everyday(await connect(), account);
  expect(kept.tokens.access_token).not.toBe(first);
  const found = await service.app.db.read(
    selectPresentedAccess,
    service.app.secrets.digest(kept.tokens.access_token),
    service.app.clock(),
  );
  await service.app.db.write(updateTokenRevoked, found?.token.id ?? "", service.app.clock());
  kept.led = null;
  await expect(connect()).rejects.toThrow();
  expect(kept.led).not.toBeNull();
});

it("[OUR-OAU-03] a client of the older SDK connects by itself as well", async () => {
  const { account, client } = await walkedIn(older);
  await everyday(client, account);
});

it("[OUR-OAU-21] a client that lacks a scope is led to ask its person for it, and keeps what it had", async () => {
  const { account, kept, connect, transportOf, client } = await walkedIn(modern);
  kept.led = null;
  await expect(
    client.callTool({ name: "create_server_group", arguments: { name: "Lobbies" } }),
  ).rejects.toThrow();
  const asked = (kept as Kept).led?.searchParams.get("scope")?.split(" ");
  expect(asked).toEqual(expect.arrayContaining([...readScopes, "servers:write"]));
  const { searchParams } = await consent(account, kept.led, [...readScopes, "servers:write"]);
  await (transportOf() as unknown as ModernTransport).finishAuth(searchParams);
  const again = await connect();
  const made = await again.callTool({ name: "create_server_group", arguments: { name: "Lobbies" } });
  expect(made).toMatchObject({ structuredContent: { name: "Lobbies" } });
});
