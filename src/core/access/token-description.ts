import { z } from "zod";
import { addition } from "../addition.ts";
import { Id } from "../id.ts";
import { callerName } from "../text/third-party-text.ts";
import { toTimestampOrNull } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { PlanName } from "./plan.ts";
import { remaining, type WindowState } from "./rate-window.ts";
import { Role, Scope } from "./scope.ts";

/** `reset_at` is null while no window is open. */
export const TokenWindow = z.object({
  limit: z.int(),
  used: z.int(),
  remaining: addition(z.int()),
  reset_at: Timestamp.nullable(),
});

export const tokenWindow = (state: WindowState): z.infer<typeof TokenWindow> => ({
  limit: state.limit,
  used: state.limit - remaining(state),
  remaining: remaining(state),
  reset_at: toTimestampOrNull(state.resetAt),
});

/** `scopes` has what the token may do now, `available_scopes` what its account could grant. */
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
