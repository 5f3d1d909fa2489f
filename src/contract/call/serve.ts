import { planIncludes, type PlanFeature } from "../../core/access/plan.ts";
import type { RateWindows } from "../../core/access/rate-window.ts";
import { Refusal } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import { accept, CallContext } from "./accepted-call.ts";
import type { Caller } from "./caller.ts";
import type { ReceivedRequest, AppContext } from "./app-context.ts";
import { Reply, type Endpoint } from "../endpoint/endpoint.ts";
import { namesNothing } from "../endpoint/input.ts";
import { longListOf, projectedInPortions } from "../endpoint/long-list.ts";

export interface Served {
  readonly status: number;
  readonly value: unknown;
}

/** Steps 5 to 8 for every caller: input, plan, handler, field list of the output. Throws Refusal. */
export async function serve(
  app: AppContext,
  endpoint: Endpoint,
  received: ReceivedRequest,
  caller: Caller,
  now: Instant,
  windows: RateWindows | null,
): Promise<Served> {
  const accepted = await accept(app, endpoint, received, caller, now);
  const { access } = endpoint;
  if (access.face === "api") requirePlan(access.plan, caller);
  const nobodys = namesNothing(endpoint.idFields, accepted.input);
  if (nobodys) throw nobodys;
  const reply = await new CallContext(app, endpoint, received, accepted, windows).run(endpoint.handle);
  const [status, value] = reply instanceof Reply ? [reply.status, reply.value] : [200, reply];
  if (!endpoint.success.includes(status))
    throw new Error(`${endpoint.id} answered ${status}, which it does not declare.`);
  const list = longListOf(value);
  return {
    status,
    value: list === null ? endpoint.project(value) : await projectedInPortions(value, list, endpoint.project),
  };
}

export function requirePlan(feature: PlanFeature | undefined, caller: Caller): void {
  if (feature === undefined || (caller.kind !== "token" && caller.kind !== "session")) return;
  if (planIncludes(caller.limits, feature)) return;
  throw new Refusal(
    "plan_required",
    `The account's plan (${caller.account.plan}) does not include ${feature}. Change to a larger plan.`,
  );
}
