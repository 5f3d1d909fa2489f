import { createHash } from "node:crypto";
import { planIncludes, type PlanFeature } from "../core/access/plan.ts";
import type { RateWindows } from "../core/access/rate-window.ts";
import { Refusal, Unavailable, type ErrorCode, type ErrorDetails } from "../core/errors.ts";
import type { Position } from "../core/position.ts";
import type { Replay } from "../core/replay.ts";
import type { Instant } from "../core/time.ts";
import { authenticateApi, authenticateServer } from "./authenticate.ts";
import type { Caller } from "./caller.ts";
import type { Context } from "./context.ts";
import type { CallRequest, Door } from "./door.ts";
import { Reply, type Endpoint } from "./endpoint.ts";
import { namesNothing, readInput } from "./input.ts";
import { countCall, giveBack, peekWindows, unknownWindows } from "./windows.ts";

/** How a call ended. `windows` is null on faces that keep none. */
export type Outcome =
  | {
      readonly ok: true;
      readonly status: number;
      readonly value: unknown;
      readonly windows: RateWindows | null;
      readonly now: Instant;
    }
  | {
      readonly ok: false;
      readonly refusal: Refusal;
      readonly windows: RateWindows | null;
      readonly now: Instant;
    };

/** What is known of a call while it goes through the door; filled in as it passes. */
interface Passage {
  caller: Caller | null;
  windows: RateWindows | null;
}

/**
 * The one door: every transport's calls, in this order: credential, token limit, rate windows, scope, input,
 * plan, handler (404 before 403 before 409), field list of the output. Never throws.
 */
export async function call(door: Door, endpoint: Endpoint, request: CallRequest): Promise<Outcome> {
  const now = door.clock();
  const passage: Passage = { caller: null, windows: null };
  try {
    const reply = await pass(door, endpoint, request, now, passage);
    const [status, value] = reply instanceof Reply ? [reply.status, reply.value] : [200, reply];
    if (!endpoint.success.includes(status))
      throw new Error(`${endpoint.id} answered ${status}, which it does not declare.`);
    return { ok: true, status, value: endpoint.project(value), windows: passage.windows, now };
  } catch (error) {
    const refusal = asRefusal(error, door, request.requestId);
    if (refusal.status === 401) await uncount(door, passage, now);
    return {
      ok: false,
      refusal,
      windows: passage.windows ?? (await windowsOfRefused(door, endpoint, request, passage, now)),
      now,
    };
  }
}

/** A 401 counts nowhere, also where only the input showed that a token is needed. */
async function uncount(door: Door, passage: Passage, now: Instant): Promise<void> {
  if (passage.windows === null || passage.caller?.kind !== "anonymous") return;
  passage.windows = null;
  await giveBack(door, passage.caller, now).catch((error: unknown) => door.reportDefect(error, "uncount"));
}

async function pass(
  door: Door,
  endpoint: Endpoint,
  request: CallRequest,
  now: Instant,
  passage: Passage,
): Promise<unknown> {
  const caller = await identify(door, endpoint, request, now, passage);
  const accepted = await readChecked(door, endpoint, request, caller, now);
  requirePlan(endpoint, caller);
  if (namesNothing(endpoint, accepted.input)) throw notFound();
  return endpoint.handle(accepted.input, contextOf(door, endpoint, request, accepted, passage.windows));
}

/** Steps 1 to 4: who calls, whether this call is within the windows, and whether the token has the scope. */
async function identify(
  door: Door,
  endpoint: Endpoint,
  request: CallRequest,
  now: Instant,
  passage: Passage,
): Promise<Caller> {
  const { access } = endpoint;
  if (access.face === "plugin") {
    if (access.credential === "none") return { kind: "anonymous", address: request.presented.address };
    const server = await authenticateServer(door, request.presented, now);
    passage.caller = server;
    const wait = door.throttle(server.server.id, now);
    if (wait === null) return server;
    throw new Refusal(
      "rate_limited",
      "This server sends more than 20 requests a second. Wait and send less often.",
      {},
      Math.max(1, Math.ceil(wait)),
    );
  }
  const caller = await authenticateApi(door, request.presented, now);
  passage.caller = caller;
  if (caller.kind === "anonymous" && access.anonymous !== true) {
    throw new Refusal("unauthorized", "This route needs a token. Send it as Authorization: Bearer.");
  }
  const { windows, refusal } = await countCall(door, caller, access.counts === "hour", now);
  passage.windows = windows;
  if (refusal) throw refusal;
  if (caller.kind === "token" && access.scope !== null && !caller.scopes.includes(access.scope)) {
    const message = `This token lacks the scope ${access.scope}. Make a token that carries it in Settings, Security.`;
    throw new Refusal("missing_scope", message, { required_scope: access.scope });
  }
  return caller;
}

/** What step 5 accepted. */
interface Accepted {
  readonly caller: Caller;
  readonly sent: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly now: Instant;
  /** What a cursor of this call belongs to. */
  readonly binding: string;
  readonly after: Position | null;
}

/** Step 5. A linked server whose body is refused is remembered as rejected: its owner sees why it is silent. */
async function readChecked(
  door: Door,
  endpoint: Endpoint,
  request: CallRequest,
  caller: Caller,
  now: Instant,
): Promise<Accepted> {
  try {
    const sent = request.input();
    const input = readInput(endpoint, sent);
    endpoint.check?.(input, { caller, fail, isAcceptable: door.isAcceptable });
    if (endpoint.replayable) refuseBadKey(request.idempotencyKey ?? null);
    const binding = typeof input["limit"] === "number" ? cursorBinding(endpoint, caller, input) : "";
    return { caller, sent, input, now, binding, after: openCursor(door, input["cursor"], binding) };
  } catch (error) {
    if (caller.kind === "server" && error instanceof Refusal)
      await door.stores.servers.markRejected(caller.server.id, now);
    throw error;
  }
}

function refuseBadKey(key: string | null): void {
  if (key === null || /^[\x20-\x7e]{1,128}$/.test(key)) return;
  throw new Refusal("validation_error", "Idempotency-Key takes 1 to 128 printable ASCII characters.", {
    field: "Idempotency-Key",
  });
}

const featureNames: Record<PlanFeature, string> = { monitoring: "monitoring", "auto-bench": "auto-bench" };

function requirePlan({ access }: Endpoint, caller: Caller): void {
  if (access.face !== "api" || access.plan === undefined || caller.kind !== "token") return;
  if (planIncludes(caller.limits, access.plan)) return;
  throw new Refusal(
    "plan_required",
    `The account's plan (${caller.account.plan}) does not include ${featureNames[access.plan]}. A larger plan does.`,
  );
}

function contextOf(
  door: Door,
  endpoint: Endpoint,
  request: CallRequest,
  accepted: Accepted,
  windows: RateWindows | null,
): Context<Caller, ErrorCode> {
  const { caller, sent, input, now, binding, after } = accepted;
  return {
    stores: door.stores,
    caller,
    now,
    fail,
    plans: door.plans,
    secrets: door.secrets,
    baseUrl: door.baseUrl,
    sent,
    windows,
    after,
    page: (rows, limit, position, show) => {
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const more = rows.length > limit && last !== undefined;
      return {
        data: shown.map(show),
        page: { cursor: more ? door.cursors.seal(position(last), binding) : null, has_more: more },
      };
    },
    get replay() {
      return replayOf(endpoint, request, caller, input, now);
    },
    isAcceptable: door.isAcceptable,
  };
}

/** A cursor belongs to one route, account and set of filters; not to the page size. */
function cursorBinding(endpoint: Endpoint, caller: Caller, input: Record<string, unknown>): string {
  const { limit: _limit, cursor: _cursor, ...filters } = input;
  const account = caller.kind === "token" ? caller.account.id : "";
  return JSON.stringify([
    endpoint.id,
    account,
    Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

function openCursor(door: Door, cursor: unknown, binding: string): Position | null {
  if (typeof cursor !== "string") return null;
  const position = door.cursors.open(cursor, binding);
  if (position) return position;
  throw new Refusal(
    "invalid_cursor",
    "This cursor does not belong to this list. Send it exactly as received, with the same filters, or start without one.",
  );
}

function replayOf(
  endpoint: Endpoint,
  request: CallRequest,
  caller: Caller,
  input: Record<string, unknown>,
  now: Instant,
): Replay {
  if (caller.kind !== "token") throw new Error(`${endpoint.id}: only a token's creations can be replayed.`);
  const body = JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    accountId: caller.account.id,
    route: endpoint.id,
    key: request.idempotencyKey ?? null,
    bodyDigest: createHash("sha256").update(body).digest("hex"),
    now,
  };
}

function fail(
  code: ErrorCode,
  message: string,
  details: ErrorDetails = {},
  retryAfterSeconds: number | null = null,
): never {
  throw new Refusal(code, message, details, retryAfterSeconds);
}

const notFound = (): Refusal => new Refusal("not_found", notFoundMessage);

/** One sentence for what does not exist and for what the caller may not see, byte for byte. */
export const notFoundMessage =
  "Nothing with this identifier can be seen by this caller. The matching list route shows what can.";

/** Seconds after which a caller may try again when the database did not answer. */
const unavailableRetrySeconds = 5;

/** What a caller may read of a failure; a defect is told to the operator, the caller gets its request id. */
export function asRefusal(error: unknown, door: Door, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  door.reportDefect(error, requestId);
  if (error instanceof Unavailable) {
    return new Refusal(
      "unavailable",
      "The service cannot reach its database now. Nothing was changed; try again.",
      {},
      unavailableRetrySeconds,
    );
  }
  return new Refusal(
    "internal_error",
    "Something went wrong on our side. Quote the request id to the operator.",
    { request_id: requestId },
  );
}

/** The windows a refused caller is told: its own where the token is good, else those of its address. */
async function windowsOfRefused(
  door: Door,
  { access }: Endpoint,
  { presented }: CallRequest,
  { caller }: Passage,
  now: Instant,
): Promise<RateWindows | null> {
  if (access.face !== "api") return null;
  try {
    return await peekWindows(
      door,
      caller?.kind === "token" ? caller : { kind: "anonymous", address: presented.address },
      now,
    );
  } catch {
    return unknownWindows(door);
  }
}
