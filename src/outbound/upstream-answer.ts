import type { Answered, ErrorBody, Refused } from "../contract/call/backend.ts";
import { objectIn } from "../contract/endpoint/json-body.ts";
import { refusedBy } from "../contract/call/refused.ts";
import { Refusal, unknownPath, type ErrorCode } from "../core/errors.ts";
import { closedLocation } from "../core/text/closed-locations.ts";
import { escapePlanFrom } from "../core/text/escape-plan.ts";
import type { Instant } from "../core/time.ts";
import { windowsOf } from "./upstream-windows.ts";

/** No error of Tickmark is longer, characters of JSON. */
const longestError = 20_000;

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Reports an answer that is not from the API of Tickmark. */
export function upstreamAnswer(
  { status, headers, text }: Received,
  token: string | null,
  now: Instant,
  report: (error: unknown) => void,
): Answered | Refused {
  const value = objectIn(text);
  const windows = windowsOf(headers, now);
  if (status < 300 && value !== null) return { ok: true, status, value, windows, counted: true };
  const isOurs = value !== null && text.length <= longestError && isErrorBody(value) && !isUnknownPath(value);
  if (status < 300 || !isOurs) {
    report(
      new Error(
        `The server at TICKMARK_URL (status ${status}) is not the API of Tickmark. Check the address.`,
      ),
    );
    // A proxy answers with its own page if the service behind it is down.
    return status >= 500 ? silent : foreign;
  }
  const wait = Number(headers["retry-after"] ?? Number.NaN);
  // If an answer to a token has no hour window, the service did not accept the token.
  const isUnknown = token !== null && windows !== null && windows.hour === null;
  const credential = status === 401 || isUnknown;
  return {
    ok: false,
    status,
    body: shownErrors.apply(value).value,
    windows,
    retryAfterSeconds: Number.isInteger(wait) ? wait : null,
    counted: !credential && !uncounted.has(value.error),
    credential,
  };
}

/** Errors of Tickmark hold only constants and ids; errors from elsewhere are escaped. */
const shownErrors = escapePlanFrom(closedLocation(undefined), []);

/** Refusals of an accepted caller that come before its call is counted. */
const uncounted: ReadonlySet<string> = new Set([
  "method_not_allowed",
  "token_quota_exceeded",
  "daily_quota_exceeded",
  "rate_limited",
] satisfies ErrorCode[]);

type Body = Record<string, unknown>;

const isErrorBody = (value: Body): value is Body & ErrorBody =>
  typeof value["error"] === "string" && typeof value["message"] === "string";

/** The address leads below Tickmark's own, or Tickmark is older than this connector. */
const isUnknownPath = ({ error, message }: ErrorBody): boolean =>
  error === unknownPath().code && message === unknownPath().message;

export const silent = refusedBy(
  new Refusal(
    "unavailable",
    "The Tickmark service does not answer at the configured address. Check TICKMARK_URL and the network, then try again.",
  ),
);

export const foreign = refusedBy(
  new Refusal(
    "unavailable",
    "The server at the configured address is not Tickmark, or it is a Tickmark older than this connector. Ask the connector's owner to check TICKMARK_URL: it takes the service's own address, such as https://tickmark.example, without /mcp or /api/v1.",
  ),
);
