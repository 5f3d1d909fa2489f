import type {
  Answered,
  CallerView,
  Backend,
  Refused,
  RateWindowView,
  RateWindowViews,
} from "../../contract/call/backend.ts";
import { authenticateApi, requireCovered } from "../../contract/access/authenticate.ts";
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

/** Calls go through the one door of this process, for the caller that presented itself. */
export function localBackend(app: AppContext, credentials: Credentials): Backend {
  return {
    call: async (endpoint, input, requestId, refusal = null) =>
      toBackendAnswer(
        await call(app, ofThisProcess(endpoint), {
          credentials,
          requestId,
          input: () => {
            if (refusal !== null) throw refusal;
            return input;
          },
        }),
      ),
    readFree: async (endpoint, input, requestId) =>
      toBackendAnswer(
        await call(app, inHourAlone(ofThisProcess(endpoint)), {
          credentials,
          requestId,
          input: () => input,
        }),
      ),
    glance: async (endpoint, input, requestId) =>
      toBackendAnswer(
        await call(app, ofThisProcess(endpoint), {
          credentials,
          requestId,
          input: () => input,
          peek: true,
        }),
      ),
    find: (kind, text) => unlessRefused(findNamed(app, credentials, kind, text)),
    countAlerts: (filters) => unlessRefused(countAlerts(app, credentials, filters)),
    baseUrl: async () => app.baseUrl,
    now: () => app.clock(),
    takes: async (endpoint, input) => {
      try {
        readInput(ofThisProcess(endpoint), input);
        return true;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    },
    caller: async (requestId) => {
      try {
        const caller = await authenticateApi(app, credentials, app.clock());
        if (caller.kind === "token") requireCovered(caller);
        return { ok: true, caller: callerFrom(caller) };
      } catch (error) {
        return { ...refusedBy(asRefusal(error, app, requestId)), credential: true };
      }
    },
    peekCaller: (requestId) => localBackend(app, { ...credentials, unnoticed: true }).caller(requestId),
    knownCaller: async (requestId) => {
      const known = await localBackend(app, credentials).caller(requestId);
      return known.ok ? known.caller : null;
    },
  };
}

/** What a lookup beside a call found; null where it is refused, since the call itself is refused with the same. */
async function unlessRefused<T>(lookup: Promise<T>): Promise<T | null> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unavailable) return null;
    throw error;
  }
}

/** The same read, not counted against the day. */
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

/** The door takes what was declared here; an outline of it knows no handler. */
function ofThisProcess(endpoint: Outline): Endpoint {
  if (!isEndpoint(endpoint)) throw new TypeError(`${endpoint.id} is not declared in this process.`);
  return endpoint;
}

const isEndpoint = (endpoint: Outline): endpoint is Endpoint => "handle" in endpoint;
