import { readScopes } from "../core/access/scope.ts";

/** All other parameters of an authorization request are ignored. */
const authorizationParameters = [
  "client_id",
  "redirect_uri",
  "response_type",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "prompt",
];

/** Accepted and ignored: every grant lasts until it is revoked or no longer used. */
const meaningless = new Set(["offline_access", "openid"]);

const meant = (scope: string): string =>
  scope
    .split(" ")
    .filter((name) => name !== "" && !meaningless.has(name))
    .join(" ");

/** As the library reads it; a request without a scope requests the read scopes. */
export function authorizationQuery(query: string): string {
  const sent = new URLSearchParams(query);
  const read = new URLSearchParams();
  for (const name of authorizationParameters)
    for (const value of sent.getAll(name)) {
      const kept = name === "scope" ? meant(value) : value;
      if (kept !== "") read.append(name, kept);
    }
  if (!read.has("scope")) read.set("scope", readScopes.join(" "));
  return read.toString();
}

export function tokenForm(bytes: Buffer | null): Buffer {
  const form = new URLSearchParams(bytes?.toString("utf8") ?? "");
  const scopes = form.getAll("scope").map(meant);
  form.delete("scope");
  for (const scope of scopes) if (scope !== "") form.append("scope", scope);
  return Buffer.from(form.toString());
}
