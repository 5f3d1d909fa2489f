/** Where the authorization server answers, and what stands where it knows of itself. */
export const paths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  register: "/oauth/register",
  /** The dashboard's pages: what a person is asked, and why there is nothing to ask. */
  consent: "/oauth/consent",
  refused: "/oauth/refused",
  serverMetadata: "/.well-known/oauth-authorization-server",
  resourceMetadata: "/.well-known/oauth-protected-resource",
} as const;

/** What a request is kept as: the library's name for it, and ours once the browser fetched its answer. */
export const requestKinds = { open: "Interaction", fetched: "FetchedInteraction" } as const;

/** What access tokens are good for: the connector, and nothing else of this service. */
export const resourceOf = (baseUrl: string): string => `${issuerOf(baseUrl)}/mcp`;

export const issuerOf = (baseUrl: string): string => new URL(baseUrl).origin;

const requestPath = new RegExp(`^${paths.authorize}/([A-Za-z0-9_-]+)$`);

/** The request whose answer a browser fetches at that path; null where it is none. */
export const requestIn = (path: string): string | null => requestPath.exec(path)?.[1] ?? null;
