import { z } from "zod";
import { Id } from "../id.ts";
import { callerName } from "../text/third-party-text.ts";
import { Timestamp } from "../time.ts";
import { PlanName } from "./plan.ts";
import { Role, Scope } from "./scope.ts";

const Window = z.object({ limit: z.int(), used: z.int(), reset_at: Timestamp.nullable() });

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
  limits: z.object({ daily: Window, hourly: Window }),
});
