import { readScopes } from "../core/access/scope.ts";

/** What an authorization request may say; the rest of what is known elsewhere means nothing here. */
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

/** Taken, and without meaning: every grant lasts until it is revoked or not used any more. */
const meaningless = new Set(["offline_access", "openid"]);

const meant = (scope: string): string =>
  scope
    .split(" ")
    .filter((name) => name !== "" && !meaningless.has(name))
    .join(" ");

/** An authorization request as the library is to read it: one that asks for no scope asks for reading. */
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

/** The body of a request to the token endpoint as the library is to read it. */
export function tokenForm(bytes: Buffer | null): Buffer {
  const form = new URLSearchParams(bytes?.toString("utf8") ?? "");
  const scopes = form.getAll("scope").map(meant);
  form.delete("scope");
  for (const scope of scopes) if (scope !== "") form.append("scope", scope);
  return Buffer.from(form.toString());
}
