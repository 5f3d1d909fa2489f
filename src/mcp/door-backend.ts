import type { Answered, Asker, Backend, Refused, ToldWindow, ToldWindows } from "../contract/backend.ts";
import { authenticateApi, requireCovered } from "../contract/authenticate.ts";
import { call, type Outcome } from "../contract/call.ts";
import { asRefusal } from "../contract/refusals.ts";
import type { AnonymousCaller, TokenCaller } from "../contract/caller.ts";
import type { Door, Presented } from "../contract/door.ts";
import { planIncludes } from "../core/access/plan.ts";
import { remaining, resetInstant, type RateWindows, type WindowState } from "../core/access/rate-window.ts";
import type { Refusal } from "../core/errors.ts";
import type { Instant } from "../core/time.ts";

/** Calls go through the one door of this process, for the caller that presented itself. */
export function doorBackend(door: Door, presented: Presented): Backend {
  return {
    call: async (endpoint, input, requestId) =>
      told(await call(door, endpoint, { presented, requestId, input: () => input })),
    asker: async (requestId) => {
      try {
        const caller = await authenticateApi(door, presented, door.clock());
        if (caller.kind === "token") requireCovered(caller);
        return { ok: true, asker: askerOf(caller) };
      } catch (error) {
        return refused(asRefusal(error, door, requestId), null);
      }
    },
  };
}

const askerOf = (caller: AnonymousCaller | TokenCaller): Asker =>
  caller.kind === "anonymous"
    ? { anonymous: true, scopes: [], includes: () => false }
    : {
        anonymous: false,
        scopes: caller.scopes,
        includes: (feature) => planIncludes(caller.limits, feature),
      };

function told(outcome: Outcome): Answered | Refused {
  const windows = outcome.windows && toldWindows(outcome.windows, outcome.now);
  if (!outcome.ok) return refused(outcome.refusal, windows);
  return { ok: true, status: outcome.status, value: outcome.value, windows };
}

function refused(refusal: Refusal, windows: ToldWindows | null): Refused {
  const { status, code, body, retryAfterSeconds } = refusal;
  // A token that was accepted has an hour window; only an address that guesses tokens is limited without one.
  const guessing = code === "rate_limited" && !windows?.hour;
  return { ok: false, status, body, windows, retryAfterSeconds, credential: status === 401 || guessing };
}

const toldWindow = (state: WindowState, now: Instant): ToldWindow => ({
  limit: state.limit,
  remaining: remaining(state),
  resetAt: resetInstant(state, now),
});

const toldWindows = ({ day, hour }: RateWindows, now: Instant): ToldWindows => ({
  day: toldWindow(day, now),
  hour: hour && toldWindow(hour, now),
});
