import { withoutTrailingSlash } from "../core/address.ts";
import { Pool, type Dispatcher } from "undici";
import { z } from "zod";
import type { Answered, Asker, Backend, ErrorBody, Refused } from "../contract/backend.ts";
import { defaultPlans, planIncludes, PlanName } from "../core/access/plan.ts";
import { scopes } from "../core/access/scope.ts";
import { Refusal, type ErrorCode } from "../core/errors.ts";
import type { Instant } from "../core/time.ts";
import { probeOf, requestOf, unsendable, type UpstreamRequest } from "./upstream-request.ts";
import { windowsOf } from "./upstream-windows.ts";

export interface UpstreamOptions {
  /** The service's base URL. */
  readonly url: string;
  /** Null: only what anyone may read. */
  readonly token: string | null;
  /** Told why the service could not be asked. */
  readonly report: (error: unknown) => void;
  readonly clock?: () => Instant;
}

export interface Upstream extends Backend {
  close(): Promise<void>;
}

const connectTimeoutMs = 5_000;
/** Between two pieces of an answer. A compare of large profiles may take seconds. */
const answerTimeoutMs = 20_000;
const longestAnswer = 16 * 1024 * 1024;

/** Codes of a connection that broke before the service could answer on it. */
const connectionErrors: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "UND_ERR_SOCKET",
]);

/** Calls go to a service elsewhere, over its REST API. Nothing is stored or decided here. */
export function upstream({ url, token, report, clock = Date.now }: UpstreamOptions): Upstream {
  const base = new URL(url);
  const pool = new Pool(base.origin, {
    connections: 4,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    maxResponseSize: longestAnswer,
  });
  const prefix = withoutTrailingSlash(base.pathname);

  const send = async ({ method, path, body }: UpstreamRequest): Promise<Answered | Refused> => {
    const options: Dispatcher.RequestOptions = {
      method,
      path: prefix + path,
      headers: {
        accept: "application/json",
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== null && { "content-type": "application/json" }),
      },
      body,
    };
    try {
      return await answerOf(await requested(pool, options), token, clock());
    } catch (error) {
      report(error);
      return silent;
    }
  };

  return {
    call: async (endpoint, input) => {
      const refusal = unsendable(endpoint, input);
      if (refusal === null) return send(requestOf(endpoint, input));
      // What REST refuses before it looks at any input wins, in its own words, and it counts the call as ever.
      const answer = await send(probeOf(endpoint));
      if (!answer.ok && answer.status !== refusal.status) return answer;
      const { windows, counted } = answer;
      return { ...refusedBy(refusal), windows, counted };
    },
    // Every read of the REST API costs one of the day.
    look: async () => null,
    asker: async () => {
      if (token === null) return { ok: true, asker: { anonymous: true, scopes: [], includes: () => false } };
      const answer = await send({ method: "GET", path: "/api/v1/token", body: null });
      if (!answer.ok) return answer;
      const described = Description.safeParse(answer.value);
      return described.success ? { ok: true, asker: askerOf(described.data) } : silent;
    },
    close: () => pool.close(),
  };
}

/** One retry, of reads alone: a write whose answer was lost may have been done. */
async function requested(pool: Pool, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  try {
    return await pool.request(options);
  } catch (error) {
    const broke = error instanceof Error && "code" in error && connectionErrors.has(error.code);
    if (!broke || options.method !== "GET") throw error;
    return pool.request(options);
  }
}

async function answerOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  token: string | null,
  now: Instant,
): Promise<Answered | Refused> {
  const value: unknown = JSON.parse(await body.text());
  const windows = windowsOf(headers, now);
  if (statusCode < 300) return { ok: true, status: statusCode, value, windows, counted: true };
  if (!isErrorBody(value)) throw new Error(`The service answered ${statusCode} without an error of its own.`);
  const wait = Number(headers["retry-after"] ?? Number.NaN);
  const retryAfterSeconds = Number.isInteger(wait) ? wait : null;
  // Who sent a token and is told of no hour window was not known as its bearer.
  const isUnknown = token !== null && windows !== null && windows.hour === null;
  const credential = statusCode === 401 || isUnknown;
  return {
    ok: false,
    status: statusCode,
    body: value,
    windows,
    retryAfterSeconds,
    counted: !credential && !uncounted.has(value.error),
    credential,
  };
}

/** Refusals of an accepted caller that come before its call is counted. */
const uncounted: ReadonlySet<string> = new Set([
  "token_quota_exceeded",
  "daily_quota_exceeded",
  "rate_limited",
] satisfies ErrorCode[]);

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === "object" &&
  value !== null &&
  "error" in value &&
  "message" in value &&
  typeof value.error === "string" &&
  typeof value.message === "string";

function refusedBy({ status, body, retryAfterSeconds }: Refusal): Refused {
  return { ok: false, status, body, windows: null, retryAfterSeconds, counted: false, credential: false };
}

const silent = refusedBy(
  new Refusal(
    "unavailable",
    "The Tickmark service does not answer at the configured address. Check TICKMARK_URL and the network, then try again.",
  ),
);

/** What a list of tools depends on in a token's description; scopes and plans of a newer service are passed over. */
const Description = z.object({
  scopes: z.array(z.string()),
  account: z.object({ plan: PlanName.nullable().catch(null) }),
});

/** The plans' limits stay with the service: lists follow the published ones. */
function askerOf({ scopes: held, account: { plan } }: z.infer<typeof Description>): Asker {
  return {
    anonymous: false,
    scopes: scopes.filter((scope) => held.includes(scope)),
    includes: (feature) => plan !== null && planIncludes(defaultPlans[plan], feature),
  };
}
