import { selectOAuthRecord } from "../store/access/oauth-records.ts";
import { generateKeyPairSync } from "node:crypto";
import type { EventEmitter } from "node:events";
import type * as library from "oidc-provider";
import type { Configuration, JWK, KoaContextWithOIDC, Provider } from "oidc-provider";
import type { FetchDocument } from "../contract/files/fetched-document.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { connectorMs } from "../core/access/connector.ts";
import { scopes } from "../core/access/scope.ts";
import { Unavailable } from "../core/errors.ts";
import { failureCode } from "../core/failure-code.ts";
import { adapterFor } from "./adapter.ts";
import { hasUserInfo, shownRegistration, usableDocument } from "./client-metadata.ts";
import { cookieNames, namedByRequest } from "./cookies.ts";
import { issuerOf, paths, requestIn, requestKinds, resourceOf } from "./paths.ts";
import { strictProvider } from "./invalid-client.ts";

type Library = typeof library;
type Context = KoaContextWithOIDC;

export interface ProviderOptions {
  readonly app: AppContext;
  readonly fetchDocument: FetchDocument;
  /** Whether the caller may make this service fetch what a program says of itself. */
  readonly mayFetch: (context: Context | undefined) => Promise<boolean>;
  /** The id of the request that a context belongs to. */
  readonly requestId: (context: Context) => string;
  /** The part of the client's address that counts as one caller; null where the service asks by itself. */
  readonly addressOf: (context: Pick<Context, "req">) => string | null;
  /** Whether a program may be known by the address of its metadata document. */
  readonly clientDocuments: boolean;
  /** Tells the operator that a metadata document could not be fetched. */
  readonly documentFailed: DocumentFailed;
  /** The one token of that kind that may follow a refresh token: the same however often it is asked for. */
  readonly successorOf: SuccessorOf;
}

export type DocumentFailed = (host: string, reason: string) => void;
export type SuccessorOf = (kind: "access" | "refresh", refreshToken: string) => string;

/** The metadata document of a program could not be fetched; the library passes it on as a cause. */
class DocumentError extends Error {}

/** How long the document of a program is taken as it was fetched, s. */
const documentSeconds = { min: 300, max: 86_400 };

const seconds = (ms: number): number => ms / 1000;

/** The library, configured for the flows of the design and no other. It is loaded at the first request. */
export async function openProvider(options: ProviderOptions): Promise<Provider> {
  const library = await import("oidc-provider");
  const Provider = strictProvider(library, options.app, options.addressOf);
  const provider = new Provider(issuerOf(options.app.baseUrl), configuration(library, options));
  // What it knows of the outside comes from the base URL, which every request is given in these headers.
  provider.proxy = true;
  formatTokens(library, provider, options);
  provider.use((context, next) => tidied(context, next));
  provider.use((context, next) => namedByRequest(context, next));
  provider.on("server_error", (context, error) => {
    options.app.reportDefect(error, options.requestId(context));
    if (!(error instanceof Unavailable)) return;
    context.status = 503;
    context.set("retry-after", "5");
  });
  const events: EventEmitter = provider;
  events.on("error", (error: unknown) => options.app.reportDefect(error, "-"));
  return provider;
}

function configuration(library: Library, options: ProviderOptions): Configuration {
  const { app } = options;
  const fetcher = documentFetcher(library, options);
  return {
    adapter: adapterFor(app, library.errors),
    // Programs on people's machines keep no secret, so that none is asked of any.
    clientAuthMethods: ["none"],
    clientDefaults: {
      grant_types: ["authorization_code", "refresh_token"],
      id_token_signed_response_alg: "ES256",
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clockTolerance: 0,
    cookies: {
      names: cookieNames,
      // Their values are random and looked up: a signature would say nothing more.
      short: { httpOnly: true, sameSite: "lax", signed: false },
      long: { httpOnly: true, sameSite: "lax", signed: false },
    },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    expiresWithSession: async () => false,
    extraClientMetadata: {
      properties: ["redirect_uris"],
      validator: (_context, _name, uris) => refuseUserInfo(library, uris),
    },
    features: features(library, options, fetcher),
    fetch: fetcher.fetch,
    // Whether the account may still do anything is asked at every call.
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: {
      policy: alwaysAsk(library),
      url: async (_context, { uid }) => `${paths.consent}/${uid}`,
    },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
    jwks: { keys: [unusedKey()] },
    pkce: { required: () => true },
    renderError: (context, out, error) =>
      showError(app, context, error.cause instanceof DocumentError ? "document_unreachable" : out.error),
    responseTypes: ["code"],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: async () => true,
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      revocation: paths.revoke,
      registration: paths.register,
    },
    scopes: ["openid"],
    ttl: {
      AccessToken: seconds(connectorMs.accessToken),
      AuthorizationCode: seconds(connectorMs.code),
      Grant: seconds(connectorMs.refreshToken),
      IdToken: 1,
      Interaction: seconds(connectorMs.request),
      RefreshToken: seconds(connectorMs.refreshToken),
      Session: seconds(connectorMs.request),
    },
  };
}

function features(
  library: Library,
  { app, clientDocuments }: ProviderOptions,
  { allowFetch }: DocumentFetcher,
): NonNullable<Configuration["features"]> {
  return {
    clientIdMetadataDocument: {
      enabled: clientDocuments,
      ack: "draft-02",
      allowFetch,
      allowClient: async () => true,
      cacheDuration: documentSeconds,
    },
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    registration: {
      enabled: true,
      initialAccessToken: false,
      issueRegistrationAccessToken: false,
      idFactory: () => app.secrets.newNonce(),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resourceOf(app.baseUrl),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (context, resource) => {
        if (resource !== resourceOf(app.baseUrl)) throw new library.errors.InvalidTarget();
        requireKnownScopes(library, context);
        return {
          audience: resource,
          scope: scopes.join(" "),
          accessTokenFormat: "opaque",
          accessTokenTTL: seconds(connectorMs.accessToken),
        };
      },
    },
    revocation: {
      enabled: true,
      allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
    },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
  };
}

function requireKnownScopes({ errors }: Library, context: Context): void {
  const requested = context.oidc.params?.["scope"];
  if (typeof requested !== "string" || requested === "") return;
  const known: readonly string[] = scopes;
  if (!requested.split(" ").some((scope) => known.includes(scope)))
    throw new errors.InvalidScope("none of the scopes is known here", requested);
}

/** A person is asked every time, whatever they answered before: each consent is a grant of its own. */
function alwaysAsk({ interactionPolicy: { Check, Prompt } }: Library): InstanceType<typeof Prompt>[] {
  const notAskedYet = new Check("not_asked", "a person has to be asked", "consent_required", (context) =>
    context.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [
    new Prompt({ name: "login", requestable: true }),
    new Prompt({ name: "consent", requestable: true }, notAskedYet),
  ];
}

/**
 * Tokens look like every credential of the service, so that scanners find them. Those that follow a refresh token are
 * derived from it: a refresh token that is used twice within the grace leads to one successor, not to two branches.
 */
function formatTokens(
  { Provider }: Library,
  { AccessToken, RefreshToken }: Provider,
  { app: { secrets }, successorOf }: ProviderOptions,
): void {
  const format = { value: "opaque", writable: true, enumerable: true, configurable: true };
  for (const [kind, model] of [["access", AccessToken] as const, ["refresh", RefreshToken] as const])
    Object.defineProperty(model.prototype, "generateTokenId", {
      value(this: object) {
        Object.defineProperty(this, "format", format);
        const used = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
        return used === undefined ? secrets.newSecret("api") : successorOf(kind, used);
      },
    });
}

/** Who reads an address such as https://tickmark.example@evil.example takes it for another host's. */
function refuseUserInfo({ errors }: Library, uris: unknown): void {
  if (!Array.isArray(uris) || !uris.some((uri) => typeof uri === "string" && hasUserInfo(uri))) return;
  const words = "redirect_uris must not contain a user name or a password";
  throw new errors.CustomOIDCProviderError("invalid_redirect_uri", words);
}

interface DocumentFetcher {
  readonly allowFetch: (context: Context | undefined) => Promise<boolean>;
  readonly fetch: (url: string | URL | Request) => Promise<Response>;
}

/** To answer a failed request the library asks again: that gets the same failure, and counts as no second attempt. */
function documentFetcher({ Provider }: Library, options: ProviderOptions): DocumentFetcher {
  const failures = new WeakMap<Context, unknown>();
  return {
    allowFetch: async (context) => (context && failures.has(context)) || options.mayFetch(context),
    fetch: async (url) => {
      const context = Provider.ctx;
      if (context && failures.has(context)) throw failures.get(context);
      return documentAt(new URL(String(url)), options).catch((error: unknown) => {
        if (context) failures.set(context, error);
        throw error;
      });
    },
  };
}

/** The metadata document of a program; a failure is logged for the operator, since the person can do nothing about it. */
async function documentAt(url: URL, { fetchDocument, documentFailed }: ProviderOptions): Promise<Response> {
  const failed = (reason: string, cause?: unknown): DocumentError => {
    documentFailed(url.host, reason);
    return new DocumentError(`The document could not be fetched: ${reason}`, { cause });
  };
  const { status, cacheControl, text } = await fetchDocument(url).catch((error: unknown) => {
    throw failed(failureOf(error), error);
  });
  if (status !== 200) throw failed(`its server answered ${status}`);
  const headers = cacheControl === null ? {} : { "cache-control": cacheControl };
  return new Response(usableDocument(text), { status, headers });
}

/** The system's code where there is one, such as ENOTFOUND or ECONNREFUSED: it says most in the fewest words. */
function failureOf(error: unknown): string {
  return failureCode(error) ?? (error instanceof Error ? error.message : "unknown");
}

/** The library asks for a key even where nothing is signed. */
const unusedKey = (): JWK =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) as JWK;

/** A page for people, an object for programs; in both the error's code, which is one of a few. */
async function showError(app: AppContext, context: Context, error: string): Promise<void> {
  if (context.accepts("json", "html") === "html") {
    context.redirect(
      (await pageOfAnswered(app, context.path)) ?? `${paths.refused}?${new URLSearchParams({ error })}`,
    );
    context.status = 303;
  } else context.body = { error, error_description: "This sign-in cannot continue. Start it again." };
}

/** An answer is fetched once: who comes for it again is led to the page that tells of it. */
async function pageOfAnswered({ db, secrets, clock }: AppContext, path: string): Promise<string | null> {
  const id = requestIn(path);
  if (id === null) return null;
  const found = await db.read(selectOAuthRecord, requestKinds.fetched, secrets.digest(id), clock());
  return found && `${paths.consent}/${id}`;
}

/** Takes back what the library says by default and this service does not. */
async function tidied(
  context: Pick<Context, "remove" | "path" | "status" | "body">,
  next: () => Promise<void>,
): Promise<void> {
  await next();
  // No answer differs by the Origin of its request: the library never sees one.
  context.remove("vary");
  if (context.path === paths.register && context.status === 201)
    context.body = shownRegistration(context.body as Record<string, unknown>);
}
