import type { z } from "zod";
import { isProvenLately, proofLifetimeMs } from "../../core/access/session.ts";
import { Refusal } from "../../core/errors.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import type { AnonymousCaller, SessionCaller } from "./caller.ts";
import type { ReceivedRequest, AppContext, ReadBody } from "./app-context.ts";
import type { Endpoint, TypedEndpoint } from "../endpoint/endpoint.ts";
import { readInput } from "../endpoint/input.ts";
import { serve } from "./serve.ts";

/** Who looks at a page. */
export type PersonCalling = AnonymousCaller | SessionCaller;

/** A signed-in browser is asked for the password again. */
export class ProofNeeded extends Refusal {
  constructor() {
    super(
      "unauthorized",
      `Type your password again to go on: it was last asked for more than ${proofLifetimeMs / minuteMs} minutes ago.`,
    );
  }
}

/** What an endpoint answers, as JSON. */
export type PersonAnswer<E extends TypedEndpoint> = z.input<E["output"]>;

/**
 * A call by a person: through the same door, with the session in place of steps 1 to 4, so that no window is
 * touched and no rule of visibility or ownership stands twice. Throws Refusal for what is refused, and
 * whatever else went wrong as it is. An input that is a function has the file read that is its body.
 */
export async function callAsPerson<E extends TypedEndpoint>(
  app: AppContext,
  endpoint: E,
  person: PersonCalling,
  input: z.input<E["input"]> | ((read: ReadBody) => Promise<z.input<E["input"]>>),
  requestId: string,
): Promise<PersonAnswer<E>> {
  const take: ReceivedRequest["input"] =
    typeof input === "function" ? ({ document }) => input(document) : () => input;
  const now = app.clock();
  requirePerson(endpoint, person, typeof input === "function" ? {} : input, now);
  const received = { input: take, idempotencyKey: null, requestId };
  const { value } = await serve(app, endpoint, received, person, now, null);
  // Sound: the projection keeps what the handler, typed by the same schema, answered.
  return value as PersonAnswer<E>;
}

function requirePerson(
  endpoint: Endpoint,
  person: PersonCalling,
  input: Record<string, unknown>,
  now: Instant,
): void {
  const { access } = endpoint;
  if (access.face !== "api" && access.face !== "web")
    throw new Error(`${endpoint.id} is no call that a person makes.`);
  if (access.face === "api" && access.tokenOnly) throw new Error(`${endpoint.id} is for tokens alone.`);
  if (person.kind === "anonymous") {
    const open =
      access.face === "web"
        ? access.who === "anyone"
        : access.anonymous === true && endpoint.needsToken?.(readInput(endpoint, input)) !== true;
    if (!open) throw new Refusal("unauthorized", "Sign in to do this.");
    return;
  }
  // To anybody else what admins do does not exist.
  if (access.face === "web" && access.who === "admin" && person.account.role !== "admin")
    throw new Refusal("not_found", "This page does not exist, or this account may not see it.");
  if (access.face === "web" && access.freshProof && !isProvenLately(person.session, now))
    throw new ProofNeeded();
}
