import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { errorStatus, type ErrorCode } from "../../core/errors.ts";

type Json = Record<string, unknown>;

const rateHeaderSchemas: Json = {
  "X-RateLimit-Limit": {
    description: "Calls allowed in the window that X-RateLimit-Window names.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "Calls left in that window.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "When that window resets, Unix seconds.", schema: { type: "integer" } },
  "X-RateLimit-Window": {
    description: "The window with the fewest calls left.",
    schema: { type: "string", enum: ["day", "hour"] },
  },
};

const refusalHeaderSchemas: Json = {
  "Retry-After": { description: "Seconds to wait before the next attempt.", schema: { type: "integer" } },
  "WWW-Authenticate": { description: "How to send a credential.", schema: { type: "string" } },
};

export const headerSchemas = (isApi: boolean): Json => ({
  ...(isApi ? rateHeaderSchemas : {}),
  ...refusalHeaderSchemas,
});

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const rateHeaderRefs = headerRefs(Object.keys(rateHeaderSchemas));

/** The additional headers of an error status. */
const headersOf = (status: number): Json => {
  if (status === 401) return headerRefs(["WWW-Authenticate"]);
  return status === 429 || status === 503 ? headerRefs(["Retry-After"]) : {};
};

/** Names of RFC 9110, by status. */
const responseNames: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  413: "ContentTooLarge",
  415: "UnsupportedMediaType",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable",
};

function nameOf(status: number): string {
  const name = responseNames[status];
  if (name === undefined) throw new Error(`No error answer has a name for status ${status}.`);
  return name;
}

// Sound: the catalogue's keys are its codes.
const everyCode = Object.keys(errorStatus) as ErrorCode[];

function codesByStatus(codes: ReadonlySet<ErrorCode>): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of everyCode.filter((each) => codes.has(each)))
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  return byStatus;
}

const everyCodeByStatus = codesByStatus(new Set(everyCode));

/** One error response for each status, with an example of every code. */
export const errorResponses = (isApi: boolean): Json =>
  Object.fromEntries(
    [...everyCodeByStatus].map(([status, codes]) => [nameOf(status), errorResponse(status, codes, isApi)]),
  );

function errorResponse(status: number, codes: readonly ErrorCode[], isApi: boolean): Json {
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: { error: code, message: `See the guide on errors: ${code}.` } }]),
  );
  return {
    description: codes.join(", "),
    headers: { ...(isApi ? rateHeaderRefs : {}), ...headersOf(status) },
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } },
  };
}

/** The routes by which a plugin gets its first credential. */
export const takesNone = (access: Endpoint["access"]): boolean =>
  access.face === "plugin" && access.credential === "none";

/** The codes that a call can be refused with before the handler runs, then those of the handler. */
function codesOf(endpoint: Endpoint): Set<ErrorCode> {
  const { access } = endpoint;
  const codes: ErrorCode[] = ["validation_error"];
  if (endpoint.method !== "GET") codes.push("invalid_json", "invalid_body", "too_large");
  if (access.face !== "api") codes.push("unsupported_media_type");
  if (access.face === "api" && endpoint.method !== "GET") codes.push("field_not_allowed");
  if (endpoint.fields.has("cursor")) codes.push("invalid_cursor");
  if (!takesNone(access)) codes.push("invalid_token", "token_revoked");
  codes.push("rate_limited");
  if (access.face === "api") codes.push("token_expired", "token_quota_exceeded");
  if (access.face === "api" && access.counts !== "hour") codes.push("daily_quota_exceeded");
  if (access.face === "api" && access.scope !== null) codes.push("missing_scope");
  if ((access.face === "api" && access.anonymous !== true) || (access.face !== "api" && !takesNone(access)))
    codes.push("unauthorized");
  if (access.face === "api" && access.plan !== undefined) codes.push("plan_required");
  return new Set<ErrorCode>([...codes, ...endpoint.errors, "internal_error", "unavailable"]);
}

/** The shared responses, described by the endpoint's own codes where these are fewer. */
export const failures = (endpoint: Endpoint): Json =>
  Object.fromEntries(
    [...codesByStatus(codesOf(endpoint))]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          $ref: `#/components/responses/${nameOf(status)}`,
          ...(codes.length < (everyCodeByStatus.get(status)?.length ?? 0) && {
            description: codes.join(", "),
          }),
        },
      ]),
  );
