import { planIncludes } from "../../core/access/plan.ts";
import type { RateWindows } from "../../core/access/rate-window.ts";
import { Refusal } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import { accept, CallContext } from "./accepted-call.ts";
import type { Caller } from "./caller.ts";
import type { ReceivedRequest, AppContext } from "./app-context.ts";
import { Reply, type Endpoint } from "../endpoint/endpoint.ts";
import { namesNothing } from "../endpoint/input.ts";
import { longListOf, projectedInPortions } from "../endpoint/long-list.ts";

/** What was done, and the fields of it that the endpoint declares. */
export interface Served {
  readonly status: number;
  readonly value: unknown;
}

/** Steps 5 to 8, the same for every caller: input, plan, handler, field list of the output. Throws Refusal. */
export async function serve(
  app: AppContext,
  endpoint: Endpoint,
  received: ReceivedRequest,
  caller: Caller,
  now: Instant,
  windows: RateWindows | null,
): Promise<Served> {
  const accepted = await accept(app, endpoint, received, caller, now);
  requirePlan(endpoint, caller);
  const nobodys = namesNothing(endpoint, accepted.input);
  if (nobodys) throw nobodys;
  const context = new CallContext(app, endpoint, received, accepted, windows);
  const reply = await endpoint.handle(accepted.input, context).catch((error: unknown) => {
    throw context.failureOf(error);
  });
  const [status, value] = reply instanceof Reply ? [reply.status, reply.value] : [200, reply];
  if (!endpoint.success.includes(status))
    throw new Error(`${endpoint.id} answered ${status}, which it does not declare.`);
  const list = longListOf(value);
  return {
    status,
    value: list === null ? endpoint.project(value) : await projectedInPortions(value, list, endpoint.project),
  };
}

function requirePlan({ access }: Endpoint, caller: Caller): void {
  if ((access.face !== "api" && access.face !== "web") || access.plan === undefined) return;
  if (caller.kind !== "token" && caller.kind !== "session") return;
  if (planIncludes(caller.limits, access.plan)) return;
  throw new Refusal(
    "plan_required",
    `The account's plan (${caller.account.plan}) does not include ${access.plan}. Change to a larger plan.`,
  );
}
