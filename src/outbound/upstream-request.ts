import type { Outline, OutlineField } from "../contract/endpoint/outline.ts";
import { refuseMonsters } from "../contract/endpoint/json-body.ts";
import { Refusal } from "../core/errors.ts";
import { canBeId } from "../core/id-form.ts";

type Input = Readonly<Record<string, unknown>>;

export interface UpstreamRequest {
  readonly method: Outline["method"];
  /** Path below the service's own, and query. */
  readonly path: string;
  /** JSON text; null where the route takes none. */
  readonly body: string | null;
}

/** A call as the REST API takes it: placeholders filled, lists comma-separated in the query, the rest as JSON. */
export function requestOf(endpoint: Outline, input: Input): UpstreamRequest {
  const { method, fields, bodyFields } = endpoint;
  const path = pathOf(endpoint, (name) => input[name]);
  if (method === "GET") {
    const query = new URLSearchParams();
    for (const { name, place } of fields.values())
      if (place === "query" && input[name] !== undefined) query.append(name, written(input[name]));
    return { method, path: query.size === 0 ? path : `${path}?${query}`, body: null };
  }
  const members = Object.entries(input).filter(([name]) => fields.get(name)?.place !== "path");
  const takesBody = bodyFields.length > 0 || members.length > 0;
  return { method, path, body: takesBody ? JSON.stringify(Object.fromEntries(members)) : null };
}

/** A call without effect: REST refuses its input, unless it refuses the call for another reason first. */
export function probeOf(endpoint: Outline): UpstreamRequest {
  const { method } = endpoint;
  const path = pathOf(endpoint, () => noName);
  return method === "GET"
    ? { method, path: `${path}?${noName}=${noName}`, body: null }
    : { method, path, body: JSON.stringify({ [noName]: true }) };
}

/** The status of a refused probe, if nothing before its input is refused. */
export const probeStatus = 400;

/** No field is called so, no resource, and no segment of a route. */
const noName = "-";

/** Checks an input against the endpoint's schema; throws Refusal if it does not match. */
export type InputCheck = (endpoint: Outline, input: Record<string, unknown>) => Promise<void>;

/**
 * The refusal of an input that REST cannot check, since a path and a query do not carry it whole; null where it
 * can. Bodies travel as they are.
 */
export async function unsendable(
  endpoint: Outline,
  input: Record<string, unknown>,
  checkInput: InputCheck,
): Promise<Refusal | null> {
  try {
    refuseMonsters(input);
    if (!isCarried(endpoint, input)) await checkInput(endpoint, input);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function isCarried({ method, fields }: Outline, input: Input): boolean {
  if (method === "GET" && Object.keys(input).some((name) => !fields.has(name))) return false;
  return [...fields.values()].every((field) => {
    const value = input[field.name];
    if (field.place === "body" || (field.place === "query" && value === undefined)) return true;
    return isReadBack(field, value);
  });
}

/** Whether REST reads the same value again from a path or query: `5` and `"5"` are written alike there. */
function isReadBack({ json }: OutlineField, value: unknown): boolean {
  if (Array.isArray(value)) {
    return json.type === "array" && value.every((item) => typeof item === "string" && !item.includes(","));
  }
  if (typeof value === "string" && !value.isWellFormed()) return false;
  if (json.type === "integer" || json.type === "number") return typeof value === "number";
  return typeof value === (json.type === "boolean" ? "boolean" : "string") && json.type !== "array";
}

const pathOf = ({ path, params, fields }: Outline, valueOf: (name: string) => unknown): string =>
  `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, placeholder: string) => {
    const field = fields.get(params[placeholder] ?? "");
    return segmentOf(field, valueOf(field?.name ?? ""));
  })}`;

/**
 * The path segment for an id. Any word could be a segment of another route, of this service or a newer one,
 * and `..` leads out of the path: text that cannot be an id is never sent; a name that no record has is sent instead.
 */
function segmentOf(field: OutlineField | undefined, value: unknown): string {
  const form = field?.resource?.form;
  return typeof value === "string" && form !== undefined && canBeId(value, form) ? value : noName;
}

const written = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value));
