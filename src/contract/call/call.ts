import type { ApiToken } from "../../core/access/account.ts";
import { remaining, type RateWindows } from "../../core/access/rate-window.ts";
import type { Scope } from "../../core/access/scope.ts";
import { Refusal, Unavailable, type ErrorCode } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import { tooManyAttempts, countAttempt } from "../limits/attempt-limits.ts";
import { authenticateApi, authenticateRunner, authenticateServer, requireCovered } from "./authenticate.ts";
import type { AnonymousCaller, Caller, TokenCaller } from "./caller.ts";
import type { CallRequest, AppContext } from "./app-context.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { readInput } from "../endpoint/input.ts";
import { bodyReading } from "./body-reading.ts";
import { CheckedInput } from "../files/body-reading.ts";
import { asRefusal } from "./refusals.ts";
import { serve } from "./serve.ts";
import { perSecond, requireNothingOwed, senderIdOf } from "../limits/sender-throttle.ts";
import { countCall, peekWindows, unknownWindows, type CountedCall } from "../limits/quota.ts";

/** `windows` is null on faces without rate windows. */
export type Outcome =
  | {
      readonly ok: true;
      readonly status: number;
      readonly value: unknown;
      readonly windows: RateWindows | null;
      readonly counted: boolean;
      readonly now: Instant;
    }
  | {
      readonly ok: false;
      readonly refusal: Refusal;
      readonly windows: RateWindows | null;
      readonly counted: boolean;
      /** Whether the credential itself was refused, so that no caller is known. */
      readonly credential: boolean;
      /** The scopes that a connector's grant needs for this call; null where a larger grant does not help. */
      readonly wants: readonly Scope[] | null;
      readonly now: Instant;
    };

interface CallState {
  /** The token that was sent, valid or not. */
  token: ApiToken | null;
  caller: Caller | null;
  windows: RateWindows | null;
  counted: boolean;
}

/**
 * The one way in for every transport. The order of checks: credential, token limit, rate windows, scope,
 * input, plan, handler (404 before 403 before 409), field list of the output. Never throws.
 */
export async function call(app: AppContext, endpoint: Endpoint, request: CallRequest): Promise<Outcome> {
  const now = app.clock();
  const state: CallState = { token: null, caller: null, windows: null, counted: false };
  try {
    const caller = await identify(app, endpoint, request, now, state);
    if (request.body) requireNothingOwed(app.throttle, senderIdOf(caller), now);
    await request.receive?.();
    const served = await serve(app, endpoint, request, caller, now, state.windows);
    const { windows, counted } = state;
    if (!request.peek) recordActivity(app, endpoint, state, served.status, null, now);
    if (endpoint.access.face === "plugin") app.meter.ingested(endpoint.id, served.value);
    return { ok: true, ...served, windows, counted, now };
  } catch (error) {
    const refusal = asRefusal(error, app, request.requestId);
    if (!request.peek) recordActivity(app, endpoint, state, refusal.status, refusal.code, now);
    return {
      ok: false,
      refusal,
      windows: state.windows ?? (await windowsOfRefused(app, endpoint, request, state, now)),
      counted: state.counted,
      credential: refusal.status === 401 || (state.caller === null && refusal.code === "rate_limited"),
      wants: wantedScopes(endpoint, state.caller, refusal),
      now,
    };
  }
}

/** Notes what a token did or tried to do, for the owner's activity list. */
function recordActivity(
  { activity }: AppContext,
  { id: call }: Endpoint,
  { token, counted }: CallState,
  status: number,
  error: ErrorCode | null,
  now: Instant,
): void {
  if (token === null) return;
  activity.note({ accountId: token.accountId, tokenId: token.id, call, status, error }, counted, now);
}

/** Steps 1 to 4: credential, token limit, rate windows and scope. */
async function identify(
  app: AppContext,
  endpoint: Endpoint,
  request: CallRequest,
  now: Instant,
  state: CallState,
): Promise<Caller> {
  const { access } = endpoint;
  if (access.face === "plugin") {
    if (access.credential === "none") {
      const { address } = request.credentials;
      const wait = await countAttempt(app.db, access.attempts, address, now);
      if (wait !== null) throw tooManyAttempts(access.attempts.message, wait);
      return { kind: "anonymous", address };
    }
    const server = await authenticateServer(app, request.credentials, now);
    requirePace(app, server.server.id, "server", now);
    if (server.server.ownerSuspended && access.saysAccepted !== true) throw ownerDisabled();
    return server;
  }
  if (access.face === "agent") {
    const runner = await authenticateRunner(app, request.credentials, now);
    requirePace(app, runner.runner.id, "runner", now);
    return runner;
  }
  const caller = await authenticateApi(app, request.credentials, now, (token) => {
    state.token = token;
  });
  state.caller = caller;
  if (caller.kind === "token") requireCovered(caller);
  else if (access.anonymous !== true || (await asksForOwn(app, endpoint, request, caller)))
    throw tokenNeeded();
  if (!request.peek) {
    const { windows, refusal, counted } = await counting(app, endpoint, caller, now);
    state.windows = windows;
    if (refusal) throw refusal;
    state.counted = counted;
  }
  if (caller.kind === "token" && access.scope !== null) requireScope(caller, access.scope);
  return caller;
}

interface Counting extends CountedCall {
  readonly counted: boolean;
}

/** If the database can only be read, reads by a token with calls left are allowed and not counted. */
async function counting(
  app: AppContext,
  endpoint: Endpoint,
  caller: AnonymousCaller | TokenCaller,
  now: Instant,
): Promise<Counting> {
  const { access } = endpoint;
  try {
    const isOfHour = access.face === "api" && access.counts === "hour";
    const { windows, refusal } = await countCall(app, caller, isOfHour, now);
    return { windows, refusal, counted: true };
  } catch (error) {
    return uncounted(app, endpoint, caller, now, error);
  }
}

async function uncounted(
  app: AppContext,
  { method }: Endpoint,
  caller: AnonymousCaller | TokenCaller,
  now: Instant,
  error: unknown,
): Promise<Counting> {
  const canRead = error instanceof Unavailable && error.canRead;
  if (!canRead || method !== "GET" || caller.kind !== "token") throw error;
  const windows = await peekWindows(app, caller, now);
  if (remaining(windows.day) === 0 || (windows.hour !== null && remaining(windows.hour) === 0)) throw error;
  return { windows, refusal: null, counted: false };
}

function requirePace(app: AppContext, id: string, who: "server" | "runner", now: Instant): void {
  const wait = app.throttle.take(id, now);
  if (wait === null) return;
  throw new Refusal(
    "rate_limited",
    `This ${who} sends more than ${perSecond} requests per second. Wait, then send less often.`,
    {},
    Math.max(1, Math.ceil(wait)),
  );
}

const ownerDisabled = (): Refusal =>
  new Refusal(
    "invalid_state",
    "The account of this server is disabled, so nothing was stored. Send it again once the operator has enabled the account.",
  );

const tokenNeeded = (): Refusal =>
  new Refusal("unauthorized", "This call needs a token. Send it in the header Authorization: Bearer.");

/**
 * Whether an anonymous caller needs a token for this input. Decided before the call is counted, so the input
 * is read here and again later; unreadable input is refused then.
 */
async function asksForOwn(
  app: AppContext,
  endpoint: Endpoint,
  request: CallRequest,
  caller: AnonymousCaller,
): Promise<boolean> {
  if (endpoint.needsToken === null) return false;
  try {
    const reading = bodyReading(app, endpoint, caller);
    const input = await request.input(reading);
    return endpoint.needsToken(input instanceof CheckedInput ? input.input : readInput(endpoint, input));
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function requireScope({ scopes, account }: TokenCaller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  const message =
    account.role === "suspended"
      ? "This account is suspended, so its tokens are refused. Ask the operator of this service."
      : `This token lacks the scope ${scope}. Make a token with this scope in Settings, Security.`;
  throw new Refusal("missing_scope", message, { required_scope: scope });
}

/** A connector can ask for a larger grant that includes its present scopes; a plain token cannot. */
function wantedScopes(
  { access }: Endpoint,
  caller: Caller | null,
  { code }: Refusal,
): readonly Scope[] | null {
  if (code !== "missing_scope" || caller?.kind !== "token" || caller.token.kind !== "connector") return null;
  if (access.face !== "api" || access.scope === null || caller.token.scopes.includes(access.scope))
    return null;
  return [...caller.token.scopes, access.scope];
}

/** The windows shown to a refused caller: those of a valid token, else those of the address. */
async function windowsOfRefused(
  app: AppContext,
  { access }: Endpoint,
  { credentials }: CallRequest,
  { caller }: CallState,
  now: Instant,
): Promise<RateWindows | null> {
  if (access.face !== "api") return null;
  try {
    return await peekWindows(
      app,
      caller?.kind === "token" ? caller : { kind: "anonymous", address: credentials.address },
      now,
    );
  } catch {
    return unknownWindows(app);
  }
}
