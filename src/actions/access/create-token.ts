import { action } from "../../contract/endpoint/action.ts";
import { addToken } from "../../services/access/add-token.ts";
import { z } from "zod";
import { confirmFactor } from "../../contract/call/confirm-factor.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { Scope, scopes as allScopes } from "../../core/access/scope.ts";
import { callerName } from "../../core/text/third-party-text.ts";
import { dayMs } from "../../core/time.ts";
import { toTokenRow } from "./token-row.ts";

/** Only this answer shows the token's secret. */
export const createToken = action({
  id: "tokens.create",
  who: "person",
  input: {
    name: callerName(80),
    expires_in_days: z.int().min(1).max(365).default(90),
    scopes: z.array(Scope).min(1).max(100),
    second_factor: typedFactor().default(""),
  },
  errors: ["token_quota_exceeded", "unauthorized", "rate_limited"],

  async run({ name, expires_in_days, scopes, second_factor }, context) {
    const { db, caller, now, secrets, fail } = context;
    await confirmFactor(
      caller.account,
      second_factor,
      { kind: "session_factor", key: caller.account.id },
      context,
    );
    const ticked = new Set(scopes);
    const secret = secrets.newSecret("api");
    const token = {
      id: secrets.newId(now),
      accountId: caller.account.id,
      name,
      kind: "token" as const,
      scopes: allScopes.filter((scope) => ticked.has(scope)),
      createdAt: now,
      expiresAt: now + expires_in_days * dayMs,
      revokedAt: null,
      lastUsedAt: null,
    };
    const { tokens: limit } = caller.limits;
    if (!(await db.write(addToken, token, secrets.digest(secret), limit)))
      return fail(
        "token_quota_exceeded",
        `The plan (${caller.account.plan}) covers ${limit} active ${limit === 1 ? "token" : "tokens"}, and all are in use. Revoke one, or change the plan.`,
      );
    noteSecurity(context, "token_created", { tokenId: token.id });
    return { token: toTokenRow({ ...token, client: null }, "active"), secret };
  },
});
