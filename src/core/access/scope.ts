import { z } from "zod";

/** In the order of the documentation. */
export const scopes = [
  "reports:read",
  "unit-tests:read",
  "servers:read",
  "auto-bench:read",
  "monitoring:read",
  "offers:read",
  "servers:write",
  "servers:link",
  "reports:write",
  "monitoring:write",
  "auto-bench:write",
] as const;

export const Scope = z.enum(scopes);
export type Scope = z.infer<typeof Scope>;

/** The scopes a connector requests first; it requests a write scope when it needs one. */
export const readScopes: readonly Scope[] = scopes.filter((scope) => scope.endsWith(":read"));

export const roles = ["user", "admin", "suspended"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

/** A suspended account has no scope. An admin has the same scopes as a user, but sees more. */
export const scopesOfRole = (role: Role): readonly Scope[] => (role === "suspended" ? [] : scopes);

/** The scopes ticked at creation that the owner's role still has. */
export const effectiveScopes = (ticked: readonly Scope[], role: Role): readonly Scope[] =>
  role === "suspended" ? [] : ticked;
