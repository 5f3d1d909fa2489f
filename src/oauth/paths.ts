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

/** What access tokens are good for: the connector, and nothing else of this service. */
export const resourceOf = (baseUrl: string): string => `${issuerOf(baseUrl)}/mcp`;

export const issuerOf = (baseUrl: string): string => new URL(baseUrl).origin;
