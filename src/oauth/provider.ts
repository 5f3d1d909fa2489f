import { generateKeyPairSync } from "node:crypto";
import type { EventEmitter } from "node:events";
import type * as library from "oidc-provider";
import type { Configuration, JWK, KoaContextWithOIDC, Provider } from "oidc-provider";
import type { FetchDocument } from "../contract/documents.ts";
import type { Door } from "../contract/door.ts";
import { connectorMs } from "../core/access/connector.ts";
import { scopes } from "../core/access/scope.ts";
import { Unavailable } from "../core/errors.ts";
import { adapterFor } from "./adapter.ts";
import { toldRegistration, usableDocument } from "./client-metadata.ts";
import { cookieNames, namedByRequest } from "./cookies.ts";
import { issuerOf, paths, requestIn, requestKinds, resourceOf } from "./paths.ts";
import { strictProvider } from "./wrongly-presented.ts";

type Library = typeof library;
type Context = KoaContextWithOIDC;

export interface ProviderOptions {
  readonly door: Door;
  readonly fetchDocument: FetchDocument;
  /** Whether the caller may make this service fetch what a program says of itself. */
  readonly mayFetch: (context: Context | undefined) => Promise<boolean>;
  /** The id of the request that a context belongs to. */
  readonly requestId: (context: Context) => string;
}

/** How long the document of a program is taken as it was fetched, s. */
const documentSeconds = { min: 300, max: 86_400 };

const seconds = (ms: number): number => ms / 1000;

/** The library, told to do what the design says and nothing else. Loaded when the first program asks. */
export async function openProvider(options: ProviderOptions): Promise<Provider> {
  const library = await import("oidc-provider");
  const Provider = strictProvider(library, options.door);
  const provider = new Provider(issuerOf(options.door.baseUrl), configuration(library, options));
  // What it knows of the outside comes from the base URL, which every request is given in these headers.
  provider.proxy = true;
  formatTokens(provider, options.door);
  provider.use((context, next) => tidied(context, next));
  provider.use((context, next) => namedByRequest(context, next));
  provider.on("server_error", (context, error) => {
    options.door.reportDefect(error, options.requestId(context));
    if (!(error instanceof Unavailable)) return;
    context.status = 503;
    context.set("retry-after", "5");
  });
  const events: EventEmitter = provider;
  events.on("error", (error: unknown) => options.door.reportDefect(error, "-"));
  return provider;
}

function configuration(library: Library, options: ProviderOptions): Configuration {
  const { door } = options;
  return {
    adapter: adapterFor(door, library.errors),
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
    features: features(library, options),
    fetch: async (url) => {
      const { status, cacheControl, text } = await options.fetchDocument(new URL(String(url)));
      const headers = cacheControl === null ? {} : { "cache-control": cacheControl };
      return new Response(usableDocument(text), { status, headers });
    },
    // Whether the account may still do anything is asked at every call.
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: {
      policy: alwaysAsk(library),
      url: async (_context, { uid }) => `${paths.consent}/${uid}`,
    },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
    jwks: { keys: [unusedKey()] },
    pkce: { required: () => true },
    renderError: (context, out) => showError(door, context, out.error),
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
  { door, mayFetch }: ProviderOptions,
): NonNullable<Configuration["features"]> {
  return {
    clientIdMetadataDocument: {
      enabled: true,
      ack: "draft-02",
      allowFetch: (context: Context | undefined) => mayFetch(context),
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
      idFactory: () => door.secrets.newNonce(),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resourceOf(door.baseUrl),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (context, resource) => {
        if (resource !== resourceOf(door.baseUrl)) throw new library.errors.InvalidTarget();
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
  const asked = context.oidc.params?.["scope"];
  if (typeof asked !== "string" || asked === "") return;
  const known: readonly string[] = scopes;
  if (!asked.split(" ").some((scope) => known.includes(scope)))
    throw new errors.InvalidScope("none of the scopes is known here", asked);
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

/** Tokens look like every credential of the service, so that scanners find them. */
function formatTokens({ AccessToken, RefreshToken }: Provider, { secrets }: Door): void {
  const format = { value: "opaque", writable: true, enumerable: true, configurable: true };
  for (const model of [AccessToken, RefreshToken])
    Object.defineProperty(model.prototype, "generateTokenId", {
      value(this: object) {
        Object.defineProperty(this, "format", format);
        return secrets.newSecret("api");
      },
    });
}

/** The library asks for a key even where nothing is signed. */
const unusedKey = (): JWK =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) as JWK;

/** A page for people, an object for programs; in both the error's code, which is one of a few. */
async function showError(door: Door, context: Context, error: string): Promise<void> {
  if (context.accepts("json", "html") === "html") {
    context.redirect(
      (await pageOfAnswered(door, context.path)) ?? `${paths.refused}?${new URLSearchParams({ error })}`,
    );
    context.status = 303;
  } else context.body = { error, error_description: "This sign-in cannot go on. Start it again." };
}

/** An answer is fetched once: who comes for it again is led to the page that tells of it. */
async function pageOfAnswered({ stores, secrets, clock }: Door, path: string): Promise<string | null> {
  const id = requestIn(path);
  if (id === null) return null;
  const found = await stores.connectors.find(requestKinds.fetched, secrets.digest(id), clock());
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
    context.body = toldRegistration(context.body as Record<string, unknown>);
}
