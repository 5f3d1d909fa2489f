import { jsonSchemaOf, type JsonSchema } from "../../src/contract/endpoint/json-schema.ts";
import { errorStatus } from "../../src/core/errors.ts";
import type { FuzzRequest, Route } from "./fuzz-requests.ts";

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface Judged {
  readonly route: Route;
  readonly pattern: RegExp;
  readonly schema: JsonSchema;
}

/** Says which route answered, and what is wrong with an answer. */
export class Judge {
  readonly #routes: readonly Judged[];

  constructor(routes: readonly Route[]) {
    // A fixed path wins over one with a placeholder.
    const ordered = routes.toSorted(
      (a, b) => Object.keys(a.endpoint.params).length - Object.keys(b.endpoint.params).length,
    );
    this.#routes = ordered.map((route) => ({
      route,
      pattern: new RegExp(`^${route.prefix}${route.endpoint.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      schema: jsonSchemaOf(route.endpoint.output, "output"),
    }));
  }

  routeOf({ method, url }: FuzzRequest): Judged | null {
    const path = (url.split(/[?#]/, 1)[0] ?? "").replaceAll(/%2f/gi, "-");
    const wanted = method === "HEAD" ? "GET" : method;
    return (
      this.#routes.find(({ route, pattern }) => route.endpoint.method === wanted && pattern.test(path)) ??
      null
    );
  }

  /** Null when the answer keeps every promise. */
  problem(request: FuzzRequest, answer: FuzzAnswer): string | null {
    const { status, headers, text } = answer;
    if (status >= 500) return `status ${status}`;
    if (!headers["x-request-id"] || headers["cache-control"] !== "no-store")
      return "no X-Request-Id or no-store";
    if (status === 401 && !headers["www-authenticate"]) return "a 401 without WWW-Authenticate";
    if (status === 429 && !headers["retry-after"]) return "a 429 without Retry-After";
    if (request.method === "HEAD") return text === "" ? null : "HEAD with a body";
    if (String(headers["content-type"]).startsWith("text/html"))
      return /^\/(?:api|plugin|agent|mcp|healthz)\b/.test(request.url) ? "a page where JSON is due" : null;
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return "a body that is not JSON";
    }
    return status >= 400 ? errorProblem(status, body) : this.#successProblem(request, status, body);
  }

  #successProblem(request: FuzzRequest, status: number, body: unknown): string | null {
    const judged = this.routeOf(request);
    if (!judged) return /openapi\.json|healthz/.test(request.url) ? null : "success of an unknown route";
    const { endpoint } = judged.route;
    if (!endpoint.success.includes(status))
      return `${endpoint.id}: status ${status}, declared ${endpoint.success.join(", ")}`;
    const parsed = endpoint.output.safeParse(body);
    if (!parsed.success)
      return `${endpoint.id}: the answer breaks its schema at ${parsed.error.issues[0]?.path.join("/") ?? ""}`;
    const extra = undeclared(body, judged.schema, "");
    return extra === null ? null : `${endpoint.id}: undeclared ${extra}`;
  }
}

function errorProblem(status: number, body: unknown): string | null {
  const { error, message } = body as { error?: unknown; message?: unknown };
  if (typeof error !== "string" || !(error in errorStatus)) return `error code ${String(error)}`;
  if (typeof message !== "string" || message === "") return "an error without a message";
  const declared: number = errorStatus[error as keyof typeof errorStatus];
  return declared === status ? null : `${error} with status ${status}`;
}

/** The path of the first member that no schema declares, or null. */
function undeclared(value: unknown, schema: JsonSchema, at: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const options = (schema.anyOf ?? [schema]).filter((option) => typeof option === "object");
  const found = options.map((option) => undeclaredIn(value, option, at));
  return found.includes(null) ? null : (found[0] ?? null);
}

function undeclaredIn(value: object, schema: JsonSchema, at: string): string | null {
  // A schema that says nothing takes any value, whatever it holds: metadata of others.
  if (Object.keys(schema).length === 0) return null;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (schema.type !== "array" || typeof items !== "object" || Array.isArray(items))
      return `${at} is a list`;
    for (const item of value) {
      const inner = undeclared(item, items, `${at}[]`);
      if (inner !== null) return inner;
    }
    return null;
  }
  if (schema.type === "object" && typeof schema.additionalProperties === "object")
    return undeclaredOfAny(value, schema, schema.additionalProperties, at);
  if (schema.type !== "object" || !schema.properties) return `${at} is an object`;
  for (const [name, member] of Object.entries(value)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (typeof property !== "object") return `${at}.${name}`;
    const inner = undeclared(member, property, `${at}.${name}`);
    if (inner !== null) return inner;
  }
  return null;
}

/** A record: any of its declared names, each with the same kind of value. */
function undeclaredOfAny(value: object, schema: JsonSchema, member: JsonSchema, at: string): string | null {
  const { propertyNames } = schema;
  const names = typeof propertyNames === "object" ? propertyNames.enum : undefined;
  for (const [name, held] of Object.entries(value)) {
    if (names && !names.includes(name)) return `${at}.${name}`;
    const inner = undeclared(held, member, `${at}.${name}`);
    if (inner !== null) return inner;
  }
  return null;
}
