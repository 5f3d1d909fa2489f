import type { Outline, OutlineField } from "../contract/endpoint/outline.ts";
import { refuseMonsters } from "../contract/endpoint/json-body.ts";
import { Refusal } from "../core/errors.ts";
import { canBeId } from "../core/id-form.ts";

type Input = Readonly<Record<string, unknown>>;

export interface UpstreamRequest {
  readonly method: Outline["method"];
  /** Path below the service's base, and query. */
  readonly path: string;
  /** JSON text; null if the route takes none. */
  readonly body: string | null;
}

/** Fills placeholders; lists are comma-separated in the query, and the rest is JSON. */
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

/** A call without effect: REST refuses its input, unless it refuses the call earlier. */
export function probeOf(endpoint: Outline): UpstreamRequest {
  const { method } = endpoint;
  const path = pathOf(endpoint, () => noName);
  return method === "GET"
    ? { method, path: `${path}?${noName}=${noName}`, body: null }
    : { method, path, body: JSON.stringify({ [noName]: true }) };
}

/** The status of a probe that was refused for its input. */
export const probeStatus = 400;

/** No field, resource or route segment has this name. */
const noName = "-";

/** Throws Refusal if the input does not match the endpoint's schema. */
export type InputCheck = (endpoint: Outline, input: Record<string, unknown>) => Promise<void>;

/**
 * The refusal of an input that a path or query cannot carry unchanged, so that REST cannot check it. Null for
 * others; bodies are carried unchanged.
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

/** Whether REST reads the same value from a path or query, where `5` and `"5"` look the same. */
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
 * Text that cannot be an id is not sent: it could be another route's segment, or `..` could leave the path.
 */
function segmentOf(field: OutlineField | undefined, value: unknown): string {
  const form = field?.resource?.form;
  return typeof value === "string" && form !== undefined && canBeId(value, form) ? value : noName;
}

const written = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value));
