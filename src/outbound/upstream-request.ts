import type { Endpoint } from "../contract/endpoint.ts";
import type { Field } from "../contract/field.ts";
import { readInput } from "../contract/input.ts";
import { refuseMonsters } from "../contract/json-body.ts";
import { Refusal } from "../core/errors.ts";

type Input = Readonly<Record<string, unknown>>;

export interface UpstreamRequest {
  readonly method: Endpoint["method"];
  /** Path below the service's own, and query. */
  readonly path: string;
  /** JSON text; null where the route takes none. */
  readonly body: string | null;
}

/** A call as the REST API takes it: placeholders filled, lists comma-separated in the query, the rest as JSON. */
export function requestOf(endpoint: Endpoint, input: Input): UpstreamRequest {
  const sent = Object.entries(input).filter(([, value]) => value !== undefined);
  const placeOf = (name: string): Field["place"] => endpoint.fields.get(name)?.place ?? "body";
  const query = sent.filter(([name]) => placeOf(name) === "query");
  const members = sent.filter(([name]) => placeOf(name) === "body");
  const hasBody = endpoint.method !== "GET" && (endpoint.bodyFields.length > 0 || members.length > 0);
  return {
    method: endpoint.method,
    path: pathOf(
      endpoint,
      (name) => input[name],
      query.map(([name, value]) => [name, written(value)]),
    ),
    body: hasBody ? JSON.stringify(Object.fromEntries(members)) : null,
  };
}

/** A call that REST refuses for its input, when it refuses it for nothing that comes before: it does nothing. */
export function probeOf(endpoint: Endpoint): UpstreamRequest {
  const isRead = endpoint.method === "GET";
  return {
    method: endpoint.method,
    path: pathOf(endpoint, () => noName, isRead ? [[noName, noName]] : []),
    body: isRead ? null : JSON.stringify({ [noName]: true }),
  };
}

/** No field is called so, and no resource. */
const noName = "-";

/**
 * Why an input is refused that REST cannot judge, since a path and a query do not carry it whole; null where it
 * can. Bodies travel as they are.
 */
export function unsendable(endpoint: Endpoint, input: Record<string, unknown>): Refusal | null {
  try {
    refuseMonsters(input);
    if (!isCarried(endpoint, input)) readInput(endpoint, input);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function isCarried({ method, fields }: Endpoint, input: Input): boolean {
  if (method === "GET" && Object.keys(input).some((name) => !fields.has(name))) return false;
  return [...fields.values()].every((field) => {
    const value = input[field.name];
    if (field.place === "body" || (field.place === "query" && value === undefined)) return true;
    return isReadBack(field, value);
  });
}

/** Whether REST reads the same value again from a path or query: `5` and `"5"` are written alike there. */
function isReadBack({ json }: Field, value: unknown): boolean {
  if (Array.isArray(value))
    return json.type === "array" && value.every((item) => typeof item === "string" && !item.includes(","));
  const written = json.type === "number" || json.type === "boolean" ? json.type : "string";
  return typeof value === (json.type === "integer" ? "number" : written);
}

function pathOf(endpoint: Endpoint, valueOf: (name: string) => unknown, pairs: [string, string][]): string {
  const query = new URLSearchParams(pairs).toString();
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, placeholder: string) =>
    // A lone surrogate has no percent-escape; an id with one is nobody's either way.
    encodeURIComponent(String(valueOf(endpoint.params[placeholder] ?? "")).toWellFormed()),
  );
  return `/api/v1${path}${query === "" ? "" : `?${query}`}`;
}

const written = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value));
