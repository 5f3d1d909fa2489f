import { objectIn } from "../contract/endpoint/json-body.ts";

const grantTypes = ["authorization_code", "refresh_token"];

/**
 * Corrects what programs in use get wrong. A redirect that is not https makes it a native program, whose
 * loopback port is free; unknown grants are left out; scopes are requested, never registered.
 */
export function usableMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { client_name: name, redirect_uris: redirects, grant_types: grants } = metadata;
  const uris = Array.isArray(redirects) ? redirects : [];
  const isWeb = uris.every((uri) => typeof uri === "string" && /^https:/i.test(uri));
  return {
    redirect_uris: redirects,
    ...(typeof name === "string" && name.trim() !== "" && { client_name: name }),
    application_type: isWeb ? "web" : "native",
    grant_types: knownGrants(grants),
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** Without a list a program gets both; without `authorization_code` it could get nothing. */
function knownGrants(grants: unknown): readonly string[] {
  if (!Array.isArray(grants)) return grantTypes;
  return grantTypes.filter((grant) => grant === "authorization_code" || grants.includes(grant));
}

/** Also an empty user. Only browsers end a host at a backslash, as in `https://one.example\@two.example`. */
export function hasUserInfo(uri: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:[/\\]{2}[^/?#]*@/i.test(uri)) return true;
  const url = URL.canParse(uri) ? new URL(uri) : null;
  return url !== null && url.username + url.password !== "";
}

/** As the library reads it; null if it is no JSON object. */
export function usableRegistration(bytes: Buffer | null): Buffer | null {
  const metadata = objectIn(bytes?.toString("utf8") ?? "");
  return metadata && Buffer.from(JSON.stringify(usableMetadata(metadata)));
}

/** As the library reads it; `client_id` stays unchanged, because the library checks it. */
export function usableDocument(text: string): string {
  const metadata = objectIn(text);
  if (!metadata) return text;
  const method = metadata["token_endpoint_auth_method"];
  return JSON.stringify({
    ...usableMetadata(metadata),
    client_id: metadata["client_id"],
    // Kept, so that a program that requires authentication is refused.
    ...(method !== undefined && { token_endpoint_auth_method: method }),
    ...("client_secret" in metadata && { client_secret: metadata["client_secret"] }),
  });
}

/** The values that were registered, without those that the library adds for other uses. */
export function shownRegistration(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = [
    "client_id",
    "client_id_issued_at",
    "client_name",
    "redirect_uris",
    "application_type",
    "grant_types",
    "response_types",
    "token_endpoint_auth_method",
  ];
  return Object.fromEntries(shown.flatMap((name) => (name in body ? [[name, body[name]]] : [])));
}
