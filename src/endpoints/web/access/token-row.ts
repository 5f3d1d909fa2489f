import { z } from "zod";
import type { ListedToken } from "../../../core/access/account.ts";
import { Scope } from "../../../core/access/scope.ts";
import { Id } from "../../../core/id.ts";
import { callerName, thirdPartyText } from "../../../core/text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

/** `not_covered`: the plan allows fewer tokens, and newer ones come first. */
const TokenState = z.enum(["active", "not_covered", "expired"]);

/** A token as its account sees it; the secret is shown once, at creation. */
export const TokenRow = z.object({
  id: Id,
  name: callerName(80),
  kind: z.enum(["token", "connector"]),
  /** The program a connector was granted to; null for a plain token. */
  client: z.object({ name: thirdPartyText(200), host: thirdPartyText(255).nullable() }).nullable(),
  scopes: z.array(Scope),
  state: TokenState,
  created_at: Timestamp,
  expires_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});
export type TokenRow = z.infer<typeof TokenRow>;

export const toTokenRow = (token: ListedToken, state: TokenRow["state"]): TokenRow => ({
  id: token.id,
  name: token.name,
  kind: token.kind,
  client: token.client,
  scopes: [...token.scopes],
  state,
  created_at: toTimestamp(token.createdAt),
  expires_at: toTimestamp(token.expiresAt),
  last_used_at: toTimestampOrNull(token.lastUsedAt),
});

/** Rows of tokens that come newest first: as many active ones as the plan allows work, the newest. */
export function toTokenRows(tokens: readonly ListedToken[], limit: number, now: Instant): TokenRow[] {
  let active = 0;
  return tokens.map((token) => {
    if (token.expiresAt <= now) return toTokenRow(token, "expired");
    active += 1;
    return toTokenRow(token, active <= limit ? "active" : "not_covered");
  });
}

export const exampleToken: TokenRow = {
  id: "019a9f5e-1d00-7000-8000-000000000001",
  name: "My assistant",
  kind: "token",
  client: null,
  scopes: ["servers:read", "monitoring:read"],
  state: "active",
  created_at: "2026-11-20T07:34:00.000Z",
  expires_at: "2027-02-18T07:34:00.000Z",
  last_used_at: null,
};
