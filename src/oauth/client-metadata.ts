import { isJsonObject } from "../contract/endpoint/json-body.ts";

const grantTypes = ["authorization_code", "refresh_token"];

/**
 * What a program says of itself, as far as it means anything here. What programs in use get wrong is put right:
 * a redirect that is not https makes it one on the person's machine, where the loopback port is free; grants
 * that are unknown here are left out; scopes are asked for, never registered.
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

/** A program that names no grant means both; one that could get no code could get nothing. */
function knownGrants(grants: unknown): readonly string[] {
  if (!Array.isArray(grants)) return grantTypes;
  return grantTypes.filter((grant) => grant === "authorization_code" || grants.includes(grant));
}

/**
 * Whether an address names a user or a password before its host, be it an empty one. A backslash ends the host for
 * browsers alone: to other programs `https://one.example\@two.example` is a user at the second host.
 */
export function hasUserInfo(uri: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:[/\\]{2}[^/?#]*@/i.test(uri)) return true;
  const url = URL.canParse(uri) ? new URL(uri) : null;
  return url !== null && url.username + url.password !== "";
}

/** The text of a registration as the library is to read it; null for what is no JSON object. */
export function usableRegistration(bytes: Buffer | null): Buffer | null {
  const metadata = objectIn(bytes?.toString("utf8") ?? "");
  return metadata && Buffer.from(JSON.stringify(usableMetadata(metadata)));
}

/** The text of a metadata document as the library is to read it. Who it says it is stays as it was, to be checked. */
export function usableDocument(text: string): string {
  const metadata = objectIn(text);
  if (!metadata) return text;
  const method = metadata["token_endpoint_auth_method"];
  return JSON.stringify({
    ...usableMetadata(metadata),
    client_id: metadata["client_id"],
    // A program that means to prove itself is not taken for one that does not.
    ...(method !== undefined && { token_endpoint_auth_method: method }),
    ...("client_secret" in metadata && { client_secret: metadata["client_secret"] }),
  });
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** What the answer to a registration tells: what was taken, and nothing of what the library adds for others. */
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
