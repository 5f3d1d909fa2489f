import { z } from "zod";
import { Id } from "../id.ts";
import { callerName } from "../text/third-party-text.ts";
import { toTimestampOrNull } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { PlanName } from "./plan.ts";
import { remaining, type WindowState } from "./rate-window.ts";
import { Role, Scope } from "./scope.ts";

/** A window as a caller sees it; `reset_at` is null while none is open. */
export const TokenWindow = z.object({ limit: z.int(), used: z.int(), reset_at: Timestamp.nullable() });

export const tokenWindow = (state: WindowState): z.infer<typeof TokenWindow> => ({
  limit: state.limit,
  used: state.limit - remaining(state),
  reset_at: toTimestampOrNull(state.resetAt),
});

/** What the calling token is: `scopes` is what it may do now, `available_scopes` what its account could hold. */
export const TokenDescription = z.object({
  token: z.object({
    id: Id,
    name: callerName(80),
    scopes: z.array(Scope),
    expires_at: Timestamp,
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  }),
  scopes: z.array(Scope),
  available_scopes: z.array(Scope),
  account: z.object({ id: Id, plan: PlanName, role: Role }),
  limits: z.object({ daily: TokenWindow, hourly: TokenWindow }),
});
