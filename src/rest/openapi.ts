import type { Endpoint } from "../contract/endpoint.ts";
import type { Field } from "../contract/field.ts";
import { accepts, jsonSchemaOf, type JsonSchema } from "../contract/json-schema.ts";
import { errorStatus, type ErrorCode } from "../core/errors.ts";

export interface DocumentInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
}

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of a group of endpoints: a function of their values. */
export function openApiDocument(info: DocumentInfo, endpoints: readonly Endpoint[]): Json {
  const paths: Record<string, Json> = {};
  const isApi = endpoints.some(({ access }) => access.face === "api");
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { title: info.title, version: info.version, description: info.description },
    servers: [{ url: info.serverUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Error: errorSchema },
      headers: { ...(isApi ? rateHeaderSchemas : {}), ...refusalHeaderSchemas },
    },
  };
}

const errorSchema = {
  type: "object",
  description: "A stable code for programs, prose for people, and extras of some codes.",
  properties: {
    error: { type: "string", enum: Object.keys(errorStatus) },
    message: { type: "string" },
    allowed_fields: { type: "array", items: { type: "string" } },
    required_scope: { type: "string" },
    field: { type: "string" },
    path: { type: "string" },
    limit: { type: "integer" },
    job_id: { type: "string" },
    server_id: { type: "string" },
    request_id: { type: "string" },
  },
  required: ["error", "message"],
};

const rateHeaderSchemas: Json = {
  "X-RateLimit-Limit": { description: "Calls the binding window allows.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Calls left in it.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "When it resets, Unix seconds.", schema: { type: "integer" } },
  "X-RateLimit-Window": {
    description: "Which window binds first.",
    schema: { type: "string", enum: ["day", "hour"] },
  },
};

const refusalHeaderSchemas: Json = {
  "Retry-After": { description: "Seconds until asking again can succeed.", schema: { type: "integer" } },
  "WWW-Authenticate": { description: "How to present a credential.", schema: { type: "string" } },
};

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const rateHeaderRefs = headerRefs(Object.keys(rateHeaderSchemas));

/** The headers an answer of that status has beside those of every answer. */
const headersOf = (status: number): Json => {
  if (status === 401) return headerRefs(["WWW-Authenticate"]);
  return status === 429 || status === 503 ? headerRefs(["Retry-After"]) : {};
};

function operation(endpoint: Endpoint): Json {
  const { access } = endpoint;
  const parameters = [...endpoint.fields.values()]
    .filter(({ place }) => place !== "body")
    .map((field) => parameter(field, endpoint));
  return {
    operationId: endpoint.id.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: endpoint.summary,
    ...(access.face === "api" && access.scope !== null && { "x-required-scope": access.scope }),
    ...(access.face === "api" && access.plan !== undefined && { "x-required-plan-feature": access.plan }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters: [...parameters, ...idempotencyHeader(endpoint)] }),
    ...(parameters.length === 0 && endpoint.replayable && { parameters: idempotencyHeader(endpoint) }),
    ...(endpoint.bodyFields.length > 0 && { requestBody: requestBody(endpoint) }),
    responses: { ...successes(endpoint), ...failures(endpoint) },
  };
}

/** Whether a route takes no credential at all: those by which a plugin gets its first one. */
const takesNone = (access: Endpoint["access"]): boolean =>
  access.face === "plugin" && access.credential === "none";

function securityOf({ access }: Endpoint): Json[] {
  if (access.face !== "api") return takesNone(access) ? [] : [{ bearer: [] }];
  return access.anonymous === true ? [{}, { bearer: [] }] : [{ bearer: [] }];
}

const idempotencyHeader = ({ replayable }: Endpoint): Json[] =>
  replayable
    ? [{ name: "Idempotency-Key", in: "header", schema: { type: "string", minLength: 1, maxLength: 128 } }]
    : [];

const inputExample = ({ example }: Endpoint): Json => example.input as Json;

function parameter({ name, place, placeholder, schema, json, required }: Field, endpoint: Endpoint): Json {
  const example = inputExample(endpoint)[name];
  return {
    name: placeholder ?? name,
    in: place,
    required: place === "path" || required,
    description: `Takes ${accepts(schema)}.`,
    schema: json,
    ...(json.type === "array" && { style: "form", explode: false }),
    ...(example !== undefined && { example }),
  };
}

function requestBody(endpoint: Endpoint): Json {
  const fields = [...endpoint.fields.values()].filter(({ place }) => place === "body");
  const names = new Set(fields.map(({ name }) => name));
  const example = Object.fromEntries(
    Object.entries(inputExample(endpoint)).filter(([name]) => names.has(name)),
  );
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, json }) => [name, json])),
    ...(required.length > 0 && { required }),
    ...(endpoint.access.face === "api" && { additionalProperties: false }),
    ...(endpoint.method === "PATCH" && { minProperties: 1 }),
  };
  const { wholeBody, files } = endpoint;
  const body = wholeBody === null ? { schema, example } : wholeBodyOf(wholeBody, schema, example);
  const types = (files?.types ?? []).map((type) => [type, {}]);
  return { required: true, content: { "application/json": body, ...Object.fromEntries(types) } };
}

/** A body that is one field; of a list also one item of it. */
function wholeBodyOf(
  { name, isList }: NonNullable<Endpoint["wholeBody"]>,
  { properties }: { properties: Record<string, JsonSchema> },
  example: Json,
): Json {
  const field = properties[name] ?? {};
  return { schema: isList ? { oneOf: [field.items ?? {}, field] } : field, example: example[name] };
}

function successes(endpoint: Endpoint): Json {
  const schema = jsonSchemaOf(endpoint.output, "output");
  const content = { "application/json": { schema, example: endpoint.example.output } };
  const headers = endpoint.access.face === "api" ? rateHeaderRefs : {};
  return Object.fromEntries(
    endpoint.success.map((status) => [
      status,
      { description: successWords[status] ?? "Done.", headers, ...(status !== 204 && { content }) },
    ]),
  );
}

const successWords: Record<number, string> = {
  200: "The answer, or what stood already.",
  201: "Made.",
  202: "Queued.",
  204: "There is nothing to do.",
};

/** Codes the door itself can answer for this endpoint, then those of its handler. */
function codesOf(endpoint: Endpoint): ErrorCode[] {
  const { access } = endpoint;
  const codes: ErrorCode[] = ["validation_error"];
  if (endpoint.method !== "GET") codes.push("invalid_json", "invalid_body", "too_large");
  if (access.face !== "api") codes.push("unsupported_media_type");
  if (access.face === "api" && endpoint.method !== "GET") codes.push("field_not_allowed");
  if (endpoint.fields.has("cursor")) codes.push("invalid_cursor");
  if (!takesNone(access)) codes.push("invalid_token", "token_revoked", "rate_limited");
  if (access.face === "api") codes.push("token_expired", "token_quota_exceeded");
  if (access.face === "api" && access.counts !== "hour") codes.push("daily_quota_exceeded");
  if (access.face === "api" && access.scope !== null) codes.push("missing_scope");
  if ((access.face === "api" && access.anonymous !== true) || (access.face !== "api" && !takesNone(access)))
    codes.push("unauthorized");
  if (access.face === "api" && access.plan !== undefined) codes.push("plan_required");
  return [...new Set([...codes, ...endpoint.errors, "internal_error" as const, "unavailable" as const])];
}

function failures(endpoint: Endpoint): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(endpoint))
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  const entries = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => [status, failure(endpoint, status, codes)]);
  return Object.fromEntries(entries) as Json;
}

function failure(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): Json {
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: { error: code, message: `See the guide on errors: ${code}.` } }]),
  );
  return {
    description: codes.join(", "),
    headers: { ...(endpoint.access.face === "api" ? rateHeaderRefs : {}), ...headersOf(status) },
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } },
  };
}
