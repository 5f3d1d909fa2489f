import { z } from "zod";

/** The eleven scopes, in the order of the documentation. */
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

/** What a connector asks for at first: reading is the everyday use, a write is asked for when it is wanted. */
export const readScopes: readonly Scope[] = scopes.filter((scope) => scope.endsWith(":read"));

export const roles = ["user", "admin", "suspended"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

/** The scopes a role may hold now. An admin sees more, it is not scoped more; a suspended account holds none. */
export const scopesOfRole = (role: Role): readonly Scope[] => (role === "suspended" ? [] : scopes);

/** What a token may do at this moment: the scopes ticked at its creation that its owner's role still holds. */
export const effectiveScopes = (ticked: readonly Scope[], role: Role): readonly Scope[] =>
  role === "suspended" ? [] : ticked;
