import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { scopesOfRole } from "../../../core/access/scope.ts";
import { TokenDescription, tokenWindow } from "../../../core/access/token-description.ts";
import { toTimestamp, toTimestampOrNull } from "../../../core/time.ts";

export const getTokenInfo = defineEndpoint({
  id: "token.get",
  method: "GET",
  path: "/token",
  params: {},
  access: { face: "api", scope: null, tokenOnly: true, counts: "hour" },
  summary: "What the calling token is, may do now, and has left.",
  input: z.strictObject({}),
  output: TokenDescription,
  errors: [],
  example: {
    input: {},
    output: {
      token: {
        id: "019a9f5e-1d00-7000-8000-000000000001",
        name: "My assistant",
        scopes: ["servers:read", "monitoring:read"],
        expires_at: "2027-02-18T07:34:00.000Z",
        created_at: "2026-11-20T07:34:00.000Z",
        last_used_at: "2026-11-20T08:00:00.000Z",
      },
      scopes: ["servers:read", "monitoring:read"],
      available_scopes: ["reports:read", "servers:read", "monitoring:read"],
      account: { id: "019a9f5e-1d00-7000-8000-000000000002", plan: "pro", role: "user" },
      limits: {
        daily: { limit: 50, used: 12, remaining: 38, reset_at: "2026-11-21T06:00:00.000Z" },
        hourly: { limit: 600, used: 3, remaining: 597, reset_at: "2026-11-20T08:30:00.000Z" },
      },
    },
  },

  async handle(_input, { caller, windows }) {
    const { token, account, scopes } = caller;
    if (!windows?.hour) throw new Error("A token's call is counted in an hour window.");
    return {
      token: {
        id: token.id,
        name: token.name,
        scopes: [...token.scopes],
        expires_at: toTimestamp(token.expiresAt),
        created_at: toTimestamp(token.createdAt),
        last_used_at: toTimestampOrNull(token.lastUsedAt),
      },
      scopes: [...scopes],
      available_scopes: [...scopesOfRole(account.role)],
      account: { id: account.id, plan: account.plan, role: account.role },
      limits: { daily: tokenWindow(windows.day), hourly: tokenWindow(windows.hour) },
    };
  },
});
