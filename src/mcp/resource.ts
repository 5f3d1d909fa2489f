import type { Endpoint } from "../contract/endpoint.ts";
import { viewOf, type View, type ViewWords } from "./view.ts";

export interface ResourceWords extends ViewWords {
  /** `tickmark://…`, with at most one `{field}` that fills the endpoint's input. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** How long a client may keep what it read. */
  readonly ttlSeconds: number;
}

export interface Resource {
  readonly view: View;
  readonly isTemplate: boolean;
  /** As `resources/list` or `resources/templates/list` tells it. */
  readonly definition: Readonly<Record<string, string>>;
  readonly ttlMs: number;
  /** The endpoint's input for a URI; null when the URI is another resource's. */
  readonly match: (uri: string) => Record<string, unknown> | null;
}

const placeholder = /\{(\w+)\}/;

/** What a model can open: an endpoint's answer under a URI. */
export function resource(
  endpoint: Endpoint,
  { uri, name, title, description, ttlSeconds, ...words }: ResourceWords,
): Resource {
  const field = placeholder.exec(uri)?.[1] ?? null;
  if (field !== null && !endpoint.fields.has(field))
    throw new TypeError(`${uri}: ${endpoint.id} has no field ${field}.`);
  return {
    view: viewOf(endpoint, words),
    isTemplate: field !== null,
    definition: Object.freeze({
      [field === null ? "uri" : "uriTemplate"]: uri,
      name,
      title,
      description,
      mimeType: "application/json",
    }),
    ttlMs: ttlSeconds * 1000,
    match: field === null ? (asked) => (asked === uri ? {} : null) : matcher(uri, field),
  };
}

function matcher(uri: string, field: string): Resource["match"] {
  const [before = "", after = ""] = uri.split(`{${field}}`);
  return (asked) => {
    if (!asked.startsWith(before) || !asked.endsWith(after)) return null;
    const value = asked.slice(before.length, asked.length - after.length);
    return value === "" || /[/?#]/.test(value) ? null : { [field]: value };
  };
}
