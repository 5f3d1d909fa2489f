import type { z } from "zod";
import { isProvenLately, proofLifetimeMs } from "../../core/access/session.ts";
import { Refusal } from "../../core/errors.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import type { TypedAction, Action } from "../endpoint/action.ts";
import type { Endpoint, TypedEndpoint } from "../endpoint/endpoint.ts";
import { namesNothing, readActionInput, readInput } from "../endpoint/input.ts";
import { requireNothingOwed, senderIdOf } from "../limits/sender-throttle.ts";
import { acceptedInput, CallContext } from "./accepted-call.ts";
import type { AppContext, ReadBody } from "./app-context.ts";
import { readingAccount } from "./body-reading.ts";
import type { AnonymousCaller, SessionCaller } from "./caller.ts";
import { requirePlan, serve } from "./serve.ts";

export type PersonCalling = AnonymousCaller | SessionCaller;

/** The person must type the password again. */
export class ProofNeeded extends Refusal {
  constructor() {
    super(
      "unauthorized",
      `Type your password again to go on: it was last asked for more than ${proofLifetimeMs / minuteMs} minutes ago.`,
    );
  }
}

export type CalledByPages = TypedEndpoint | TypedAction;

export type PersonInput<C extends CalledByPages> = z.input<C["input"]>;

export type PersonAnswer<C extends CalledByPages> = C extends TypedEndpoint
  ? z.input<C["output"]>
  : C extends TypedAction<z.ZodObject, infer Answer>
    ? Answer
    : never;

/**
 * Makes a call for a person: the session replaces steps 1 to 4, so no window counts it, and the usual rules
 * of visibility and ownership apply. Throws Refusal, and other errors unchanged. An `input` function reads
 * the file that is part of the input.
 */
export async function callAsPerson<C extends CalledByPages>(
  app: AppContext,
  called: C,
  person: PersonCalling,
  input: PersonInput<C> | ((read: ReadBody) => Promise<PersonInput<C>>),
  requestId: string,
): Promise<PersonAnswer<C>> {
  const now = app.clock();
  if ("run" in called) {
    requireActor(called, person, now);
    // Sound: `run` answers what the action's type says.
    return (await runAction(app, called, person, input, { now, requestId })) as PersonAnswer<C>;
  }
  if (typeof input === "function") throw new TypeError(`${called.id} takes no file from a person.`);
  requireReader(called, person, input);
  const received = { input: () => input, idempotencyKey: null, requestId };
  const { value } = await serve(app, called, received, person, now, null);
  // Sound: the projection keeps what the handler, typed by the same schema, answered.
  return value as PersonAnswer<C>;
}

/** Endpoints ask a signed-in person for no scope. */
function requireReader(endpoint: Endpoint, person: PersonCalling, input: Record<string, unknown>): void {
  const { access } = endpoint;
  if (access.face !== "api" || access.tokenOnly)
    throw new Error(`${endpoint.id} is no call that a person makes.`);
  if (person.kind !== "anonymous") return;
  if (access.anonymous !== true || endpoint.needsToken?.(readInput(endpoint, input)) === true)
    throw signInFirst();
}

function requireActor({ who, freshProof }: Action, person: PersonCalling, now: Instant): void {
  if (person.kind === "anonymous") {
    if (who !== "anyone") throw signInFirst();
    return;
  }
  // Non-admins get 404, not 403: they do not learn what admins can do.
  if (who === "admin" && person.account.role !== "admin")
    throw new Refusal("not_found", "This page does not exist, or this account may not see it.");
  if (freshProof && !isProvenLately(person.session, now)) throw new ProofNeeded();
}

const signInFirst = (): Refusal => new Refusal("unauthorized", "Sign in to do this.");

async function runAction(
  app: AppContext,
  action: Action,
  person: PersonCalling,
  input: Record<string, unknown> | ((read: ReadBody) => Promise<Record<string, unknown>>),
  { now, requestId }: { readonly now: Instant; readonly requestId: string },
): Promise<unknown> {
  const sent = typeof input === "function" ? await input(fileReader(app, action, person)) : input;
  const call = { caller: person, sent, input: readActionInput(action, sent), now };
  const accepted = acceptedInput(app, action.id, call);
  requirePlan(action.plan, person);
  const nobodys = namesNothing(action.idFields, accepted.input);
  if (nobodys) throw nobodys;
  const received = { input: () => sent, idempotencyKey: null, requestId };
  // Sound: the input is what the action's schema read, and the caller is one that the action lets in.
  const handle = action.run as (input: unknown, context: unknown) => Promise<unknown>;
  return new CallContext(app, action, received, accepted, null).run(handle);
}

const fileReader =
  (app: AppContext, { id, file }: Action, person: PersonCalling): ReadBody =>
  (sent) => {
    if (file === null) throw new TypeError(`${id} takes no file.`);
    const upload = { sent, field: file.field, pointers: false };
    const begin = (): void => requireNothingOwed(app.throttle, senderIdOf(person), app.clock());
    return app.readDocuments(readingAccount(person, id), file.intake.task, upload, begin);
  };
