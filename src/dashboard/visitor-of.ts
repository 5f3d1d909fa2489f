import type { FastifyRequest } from "fastify";
import { personOf } from "../contract/call/person.ts";
import type { PersonCalling } from "../contract/call/call-as-person.ts";
import { chargeRefused, senderIdOf } from "../contract/limits/sender-throttle.ts";
import type { Refusal } from "../core/errors.ts";
import type { DashboardDeps } from "./deps.ts";
import { sentBy } from "./sent-form.ts";
import { sessionSecretOf } from "./session-cookie.ts";

/** Charges the sender for a form or file that was refused for its content. */
export async function chargeSender(
  deps: DashboardDeps,
  request: FastifyRequest,
  refusal: Refusal,
): Promise<void> {
  const { throttle, clock } = deps.app;
  const sender = await visitorOf(deps, request).then(senderIdOf, () => null);
  chargeRefused(throttle, sender, refusal, sentBy(request).length, clock());
}

/** For a session that changed: the sender is looked up again. */
export function forgetVisitor(request: FastifyRequest): void {
  visitors.delete(request);
}

const visitors = new WeakMap<FastifyRequest, Promise<PersonCalling>>();

/** Looked up once for each request. */
export function visitorOf(
  { app, addressOf }: DashboardDeps,
  request: FastifyRequest,
): Promise<PersonCalling> {
  const known = visitors.get(request);
  if (known) return known;
  const secret = sessionSecretOf(request, app.baseUrl);
  const visitor = personOf(app, secret, addressOf(request), app.clock());
  visitors.set(request, visitor);
  return visitor;
}
