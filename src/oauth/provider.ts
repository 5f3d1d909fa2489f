import { selectOAuthRecord } from "../store/access/oauth-records.ts";
import { generateKeyPairSync } from "node:crypto";
import type { EventEmitter } from "node:events";
import type * as library from "oidc-provider";
import type { Configuration, JWK, KoaContextWithOIDC, Provider } from "oidc-provider";
import type { FetchDocument } from "../contract/files/fetched-document.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { connectorLifetimesMs } from "../core/access/connector.ts";
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
  /** Whether the caller may make this service fetch a metadata document. */
  readonly mayFetch: (context: Context | undefined) => Promise<boolean>;
  readonly requestId: (context: Context) => string;
  /** Null without a caller. */
  readonly addressOf: (context: Pick<Context, "req">) => string | null;
  readonly clientDocuments: boolean;
  readonly documentFailed: DocumentFailed;
  /** The token that follows a refresh token: the same for each use of it. */
  readonly successorOf: SuccessorOf;
}

export type DocumentFailed = (host: string, reason: string) => void;
export type SuccessorOf = (kind: "access" | "refresh", refreshToken: string) => string;

/** The library passes this error on as a cause. */
class DocumentError extends Error {}

/** How long a fetched metadata document is used, s. */
const documentSeconds = { min: 300, max: 86_400 };

const seconds = (ms: number): number => ms / 1000;

/** Loads the library at the first request, and enables only the flows of this service. */
export async function openProvider(options: ProviderOptions): Promise<Provider> {
  const library = await import("oidc-provider");
  const Provider = strictProvider(library, options.app, options.addressOf);
  const provider = new Provider(issuerOf(options.app.baseUrl), configuration(library, options));
  // The library takes its own address from the headers of a request, which hold the base URL.
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
    // Programs on people's machines keep no secret, so that no program needs one.
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
      // The values are random and looked up: a signature would add nothing.
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
    // Every call checks whether the account may still do anything.
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
      AccessToken: seconds(connectorLifetimesMs.accessToken),
      AuthorizationCode: seconds(connectorLifetimesMs.code),
      Grant: seconds(connectorLifetimesMs.refreshToken),
      IdToken: 1,
      Interaction: seconds(connectorLifetimesMs.request),
      RefreshToken: seconds(connectorLifetimesMs.refreshToken),
      Session: seconds(connectorLifetimesMs.request),
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
          accessTokenTTL: seconds(connectorLifetimesMs.accessToken),
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

/** A person is asked every time: each consent is a grant of its own. */
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
 * Tokens have the form of all credentials of the service, so that scanners find them. A token after a refresh
 * token is derived from it: two uses within the grace lead to one successor.
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

/** Addresses such as https://tickmark.example@evil.example look like those of another host. */
function refuseUserInfo({ errors }: Library, uris: unknown): void {
  if (!Array.isArray(uris) || !uris.some((uri) => typeof uri === "string" && hasUserInfo(uri))) return;
  const words = "redirect_uris must not contain a user name or a password";
  throw new errors.CustomOIDCProviderError("invalid_redirect_uri", words);
}

interface DocumentFetcher {
  readonly allowFetch: (context: Context | undefined) => Promise<boolean>;
  readonly fetch: (url: string | URL | Request) => Promise<Response>;
}

/** To answer a failed request the library fetches again: the same failure, not a second attempt. */
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

/** A failure is logged for the operator, because the person cannot correct it. */
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

/** The system's code, such as ENOTFOUND, says most in the fewest words. */
function failureOf(error: unknown): string {
  return failureCode(error) ?? (error instanceof Error ? error.message : "unknown");
}

/** The library requires a key even if nothing is signed. */
const unusedKey = (): JWK =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) as JWK;

/** A page for people, an object for programs; both with the error's code, from a closed list. */
async function showError(app: AppContext, context: Context, error: string): Promise<void> {
  if (context.accepts("json", "html") === "html") {
    context.redirect(
      (await pageOfAnswered(app, context.path)) ?? `${paths.refused}?${new URLSearchParams({ error })}`,
    );
    context.status = 303;
  } else context.body = { error, error_description: "This sign-in cannot continue. Start it again." };
}

/** An answer is fetched once; after that, its page shows it. */
async function pageOfAnswered({ db, secrets, clock }: AppContext, path: string): Promise<string | null> {
  const id = requestIn(path);
  if (id === null) return null;
  const found = await db.read(selectOAuthRecord, requestKinds.fetched, secrets.digest(id), clock());
  return found && `${paths.consent}/${id}`;
}

/** Removes defaults of the library that do not apply to this service. */
async function tidied(
  context: Pick<Context, "remove" | "path" | "status" | "body">,
  next: () => Promise<void>,
): Promise<void> {
  await next();
  // No answer depends on the Origin of its request: the library never gets one.
  context.remove("vary");
  if (context.path === paths.register && context.status === 201)
    context.body = shownRegistration(context.body as Record<string, unknown>);
}
