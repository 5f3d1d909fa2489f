import { withoutTrailingSlash } from "../core/address.ts";
import type { Dispatcher, Pool } from "undici";
import type { Answered, CallerView, Backend, Refused } from "../contract/call/backend.ts";
import { isJsonObject } from "../contract/endpoint/json-body.ts";
import { refusedBy } from "../contract/call/refused.ts";
import type { PlanFeature } from "../core/access/plan.ts";
import type { Instant } from "../core/time.ts";
import { alertCountsIn } from "./upstream-alert-counts.ts";
import { upstreamAnswer, foreign, silent } from "./upstream-answer.ts";
import { publicBaseUrl } from "./upstream-base-url.ts";
import { namedIn } from "./upstream-names.ts";
import {
  probeOf,
  probeStatus,
  requestOf,
  unsendable,
  type InputCheck,
  type UpstreamRequest,
} from "./upstream-request.ts";
import { failureCode } from "../core/failure-code.ts";

export interface UpstreamOptions {
  readonly url: string;
  /** Null: only public data can be read. */
  readonly token: string | null;
  /** Called with the error if the service could not be reached. */
  readonly report: (error: unknown) => void;
  readonly checkInput: InputCheck;
  /** The features of each plan, for the list of tools. */
  readonly features: Readonly<Record<string, readonly PlanFeature[]>>;
  readonly clock?: () => Instant;
}

export interface Upstream extends Backend {
  /** Loads the HTTP client, for which the first call would otherwise wait. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

const connectTimeoutMs = 5_000;
/** The longest pause between two pieces of an answer, ms. A comparison of large profiles may take seconds. */
const answerTimeoutMs = 20_000;
const longestAnswer = 16 * 1024 * 1024;

/** Errors of a connection that broke before the service could answer. */
const connectionErrors: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "UND_ERR_SOCKET",
]);

/** Sends every call to another service over REST. Nothing is stored or decided here. */
export function upstream({
  url,
  token,
  report,
  checkInput,
  features,
  clock = Date.now,
}: UpstreamOptions): Upstream {
  const { origin, pathname } = new URL(url);
  const prefix = withoutTrailingSlash(pathname);
  let opened: Promise<Pool> | null = null;
  const pool = (): Promise<Pool> => (opened ??= openPool(origin));
  /** The caller in the service's last answer, for the list of tools. */
  let lastCaller: CallerView | null = null;

  const send = async (
    { method, path, body }: UpstreamRequest,
    tellOf = report,
  ): Promise<Answered | Refused> => {
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
      const { statusCode: status, headers, body: bytes } = await requestWithRetry(await pool(), options);
      return upstreamAnswer({ status, headers, text: await bytes.text() }, token, clock(), tellOf);
    } catch (error) {
      report(error);
      return silent;
    }
  };

  const read = (path: string): Promise<Answered | Refused> =>
    // An older service may not have this route, so the error is not reported.
    send({ method: "GET", path, body: null }, () => {});

  return {
    ...lookups(read, token, features),
    call: async (endpoint, input, _requestId, given = null) => {
      const refusal = given ?? (await unsendable(endpoint, input, checkInput));
      if (refusal === null) return send(requestOf(endpoint, input));
      // If REST refuses the call before its input, that refusal comes first, and REST counts the call.
      const answer = await send(probeOf(endpoint));
      if (!answer.ok && answer.status !== probeStatus) return answer;
      const { windows, counted } = answer;
      return { ...refusedBy(refusal), windows, counted };
    },
    // Every read over REST counts in the day window.
    readFree: async () => null,
    peek: async () => null,
    baseUrl: publicBaseUrl(url, read),
    now: clock,
    takes: async () => true,
    caller: async () => {
      if (token === null) return { ok: true, caller: anonymous };
      const answer = await send({ method: "GET", path: "/api/v1/token", body: null });
      if (!answer.ok) {
        if (answer.status === 401)
          report(new Error(`The service refuses TICKMARK_TOKEN: ${answer.body.error}. Make a new one.`));
        return answer;
      }
      const caller = callerFrom(answer.value, features);
      if (caller === null) return foreign;
      lastCaller = caller;
      return { ok: true, caller };
    },
    knownCaller: async () => (token === null ? anonymous : lastCaller),
    prepare: async () => void (await pool()),
    close: async () => (await opened)?.close(),
  };
}

const lookups = (
  read: (path: string) => Promise<Answered | Refused>,
  token: string | null,
  features: UpstreamOptions["features"],
): Pick<Backend, "find" | "serversNear" | "countAlerts" | "peekCaller"> => ({
  find: async (kind, text) => {
    if (token === null) return null;
    const answer = await read(`/mcp/names?${new URLSearchParams({ kind, text })}`);
    return answer.ok ? namedIn(answer.value) : null;
  },
  serversNear: async (text) => {
    if (token === null) return null;
    const query = new URLSearchParams({ kind: "server", text, near: "true" });
    const answer = await read(`/mcp/names?${query}`);
    return answer.ok ? namedIn(answer.value) : null;
  },
  countAlerts: async (filters) => {
    if (token === null) return null;
    const answer = await read(
      `/mcp/alert-counts?${new URLSearchParams({ filters: JSON.stringify(filters) })}`,
    );
    return answer.ok ? alertCountsIn(answer.value) : null;
  },
  peekCaller: async () => {
    if (token === null) return { ok: true, caller: anonymous };
    const answer = await read("/mcp/caller");
    if (!answer.ok) return answer;
    const caller = callerFrom(answer.value, features);
    return caller === null ? foreign : { ok: true, caller };
  },
});

/** The HTTP client takes longer to load than the rest of the stdio connector, so only calls wait for it. */
async function openPool(origin: string): Promise<Pool> {
  const undici = await import("undici");
  return new undici.Pool(origin, {
    connections: 4,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    maxResponseSize: longestAnswer,
  });
}

/** Retries a read once; a write whose answer was lost may have been done. */
async function requestWithRetry(
  pool: Pool,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> {
  try {
    return await pool.request(options);
  } catch (error) {
    const broke = connectionErrors.has(failureCode(error));
    if (!broke || options.method !== "GET") throw error;
    return pool.request(options);
  }
}

const anonymous: CallerView = { anonymous: true, tokenId: null, scopes: [], includes: () => false };

/** Null if the answer is not a token's description. */
function callerFrom(described: unknown, features: UpstreamOptions["features"]): CallerView | null {
  if (!isJsonObject(described) || !isJsonObject(described["account"])) return null;
  const { scopes: held } = described;
  const { plan } = described["account"];
  if (!Array.isArray(held)) return null;
  // Nothing is known of a plan that a newer service has.
  const included = (typeof plan === "string" && Object.hasOwn(features, plan) && features[plan]) || [];
  return {
    anonymous: false,
    tokenId: null,
    scopes: held.filter((scope) => typeof scope === "string"),
    includes: (feature) => included.includes(feature),
  };
}
