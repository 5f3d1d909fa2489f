import type {
  Answered,
  CallerView,
  Backend,
  Refused,
  RateWindowView,
  RateWindowViews,
} from "../../contract/call/backend.ts";
import { authenticateApi, requireCovered } from "../../contract/call/authenticate.ts";
import { call, type Outcome } from "../../contract/call/call.ts";
import { countAlerts } from "../../contract/endpoint/count-alerts.ts";
import { findNamed } from "../../contract/endpoint/find-named.ts";
import { readInput } from "../../contract/endpoint/input.ts";
import { asRefusal } from "../../contract/call/refusals.ts";
import { refusedBy } from "../../contract/call/refused.ts";
import type { AnonymousCaller, TokenCaller } from "../../contract/call/caller.ts";
import type { AppContext, Credentials } from "../../contract/call/app-context.ts";
import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { planIncludes } from "../../core/access/plan.ts";
import {
  remaining,
  resetInstant,
  type RateWindows,
  type WindowState,
} from "../../core/access/rate-window.ts";
import { Refusal, Unavailable } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";

/** A class, because every message has its own backend and uses only one or two of its methods. */
class LocalBackend implements Backend {
  readonly #app: AppContext;
  readonly #credentials: Credentials;

  constructor(app: AppContext, credentials: Credentials) {
    this.#app = app;
    this.#credentials = credentials;
  }

  async call(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
    refusal: Refusal | null = null,
  ): Promise<Answered | Refused> {
    const flat = (): Record<string, unknown> => {
      if (refusal !== null) throw refusal;
      return input;
    };
    const credentials = this.#credentials;
    return toBackendAnswer(
      await call(this.#app, ofThisProcess(endpoint), { credentials, requestId, input: flat }),
    );
  }

  async readFree(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
  ): Promise<Answered | Refused> {
    const request = { credentials: this.#credentials, requestId, input: () => input };
    return toBackendAnswer(await call(this.#app, inHourAlone(ofThisProcess(endpoint)), request));
  }

  async peek(
    endpoint: Outline,
    input: Record<string, unknown>,
    requestId: string,
  ): Promise<Answered | Refused> {
    const request = { credentials: this.#credentials, requestId, input: () => input, peek: true } as const;
    return toBackendAnswer(await call(this.#app, ofThisProcess(endpoint), request));
  }

  find(...[kind, text]: Parameters<Backend["find"]>): ReturnType<Backend["find"]> {
    return unlessRefused(findNamed(this.#app, this.#credentials, kind, text));
  }

  serversNear(text: string): ReturnType<Backend["serversNear"]> {
    return unlessRefused(findNamed(this.#app, this.#credentials, "server", text, "near"));
  }

  countAlerts(...[filters]: Parameters<Backend["countAlerts"]>): ReturnType<Backend["countAlerts"]> {
    return unlessRefused(countAlerts(this.#app, this.#credentials, filters));
  }

  async baseUrl(): Promise<string> {
    return this.#app.baseUrl;
  }

  now(): Instant {
    return this.#app.clock();
  }

  async takes(endpoint: Outline, input: Record<string, unknown>): Promise<boolean> {
    try {
      readInput(ofThisProcess(endpoint), input);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  async caller(requestId: string): ReturnType<Backend["caller"]> {
    try {
      const caller = await authenticateApi(this.#app, this.#credentials, this.#app.clock());
      if (caller.kind === "token") requireCovered(caller);
      return { ok: true, caller: callerFrom(caller) };
    } catch (error) {
      return { ...refusedBy(asRefusal(error, this.#app, requestId)), credential: true };
    }
  }

  peekCaller(requestId: string): ReturnType<Backend["caller"]> {
    return localBackend(this.#app, { ...this.#credentials, unnoticed: true }).caller(requestId);
  }

  async knownCaller(requestId: string): Promise<CallerView | null> {
    const known = await this.caller(requestId);
    return known.ok ? known.caller : null;
  }
}

export const localBackend = (app: AppContext, credentials: Credentials): Backend =>
  new LocalBackend(app, credentials);

/** Null if an additional lookup is refused, since the call itself is refused for the same reason. */
async function unlessRefused<T>(lookup: Promise<T>): Promise<T | null> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unavailable) return null;
    throw error;
  }
}

/** The same endpoint, counted in the hour window alone. */
function inHourAlone(endpoint: Endpoint): Endpoint {
  const { access } = endpoint;
  if (access.face !== "api") throw new TypeError(`${endpoint.id} is not an endpoint of the API.`);
  return { ...endpoint, access: { ...access, counts: "hour" } };
}

const callerFrom = (caller: AnonymousCaller | TokenCaller): CallerView =>
  caller.kind === "anonymous"
    ? { anonymous: true, tokenId: null, scopes: [], includes: () => false }
    : {
        anonymous: false,
        tokenId: caller.token.id,
        scopes: caller.scopes,
        includes: (feature) => planIncludes(caller.limits, feature),
      };

function toBackendAnswer(outcome: Outcome): Answered | Refused {
  const { counted } = outcome;
  const windows = outcome.windows && windowViews(outcome.windows, outcome.now);
  if (outcome.ok) return { ok: true, status: outcome.status, value: outcome.value, windows, counted };
  const { credential, refusal, wants } = outcome;
  const { status, body, retryAfterSeconds } = refusal;
  return { ok: false, status, body, windows, retryAfterSeconds, counted, credential, wants };
}

const windowView = (state: WindowState, now: Instant): RateWindowView => ({
  limit: state.limit,
  remaining: remaining(state),
  resetAt: resetInstant(state, now),
});

const windowViews = ({ day, hour }: RateWindows, now: Instant): RateWindowViews => ({
  day: windowView(day, now),
  hour: hour && windowView(hour, now),
});

/** Throws for an outline that has no handler in this process. */
function ofThisProcess(endpoint: Outline): Endpoint {
  if (!isEndpoint(endpoint)) throw new TypeError(`${endpoint.id} is not declared in this process.`);
  return endpoint;
}

const isEndpoint = (endpoint: Outline): endpoint is Endpoint => "handle" in endpoint;
