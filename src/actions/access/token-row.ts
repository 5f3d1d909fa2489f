import type { ListedToken } from "../../core/access/account.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../../core/time.ts";

/** `not_covered`: the plan allows fewer tokens, and newer ones have priority. */
type TokenState = "active" | "not_covered" | "expired";

export const toTokenRow = (token: ListedToken, state: TokenState) => ({
  id: token.id,
  name: token.name,
  kind: token.kind,
  client: token.client,
  scopes: token.scopes,
  state,
  created_at: toTimestamp(token.createdAt),
  expires_at: toTimestamp(token.expiresAt),
  last_used_at: toTimestampOrNull(token.lastUsedAt),
});

type TokenRow = ReturnType<typeof toTokenRow>;

/** `tokens` must be newest first: only as many active ones as the plan allows are covered. */
export function toTokenRows(tokens: readonly ListedToken[], limit: number, now: Instant): TokenRow[] {
  let active = 0;
  return tokens.map((token) => {
    if (token.expiresAt <= now) return toTokenRow(token, "expired");
    active += 1;
    return toTokenRow(token, active <= limit ? "active" : "not_covered");
  });
}
