import type { Endpoint } from "../contract/endpoint.ts";
import type { Field } from "../contract/field.ts";

export interface UpstreamRequest {
  readonly method: Endpoint["method"];
  /** Path below the service's own, and query. */
  readonly path: string;
  /** JSON text; null where the route takes none. */
  readonly body: string | null;
}

/** A call as the REST API takes it: placeholders filled, lists comma-separated in the query, the rest as JSON. */
export function requestOf(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): UpstreamRequest {
  const sent = [...endpoint.fields.values()].filter(({ name }) => input[name] !== undefined);
  const query = new URLSearchParams(pairsOf(sent, input)).toString();
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, placeholder: string) =>
    encodeURIComponent(String(input[endpoint.params[placeholder] ?? ""])),
  );
  const members = sent.filter(({ place }) => place === "body").map(({ name }) => [name, input[name]]);
  return {
    method: endpoint.method,
    path: `/api/v1${path}${query === "" ? "" : `?${query}`}`,
    body: endpoint.bodyFields.length === 0 ? null : JSON.stringify(Object.fromEntries(members)),
  };
}

const pairsOf = (fields: readonly Field[], input: Readonly<Record<string, unknown>>): [string, string][] =>
  fields.filter(({ place }) => place === "query").map(({ name }) => [name, written(input[name])]);

const written = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value));
