export const paths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  register: "/oauth/register",
  /** Pages of the dashboard: the consent form, and why there is none. */
  consent: "/oauth/consent",
  refused: "/oauth/refused",
  serverMetadata: "/.well-known/oauth-authorization-server",
  resourceMetadata: "/.well-known/oauth-protected-resource",
} as const;

/** `open` is the library's name for a request; `fetched`: the browser has fetched its answer. */
export const requestKinds = { open: "Interaction", fetched: "FetchedInteraction" } as const;

/** Access tokens work only at this address, the connector's. */
export const resourceOf = (baseUrl: string): string => `${issuerOf(baseUrl)}/mcp`;

export const issuerOf = (baseUrl: string): string => new URL(baseUrl).origin;

const requestPath = new RegExp(`^${paths.authorize}/([A-Za-z0-9_-]+)$`);

/** The id of the request whose answer a browser fetches at that path; null: none. */
export const requestIn = (path: string): string | null => requestPath.exec(path)?.[1] ?? null;
