import type { Endpoint } from "../contract/endpoint.ts";
import type { Suggestions } from "./suggestions.ts";
import { viewOf, type View, type ViewWords } from "./view.ts";

export interface ResourceWords extends ViewWords {
  /** `tickmark://…`; a segment of its path that is a `{field}` fills that one of the endpoint's input. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** How long a client may keep what it read. */
  readonly ttlSeconds: number;
  /** Where the ids that fill the URI may come from, by field. */
  readonly suggests?: Readonly<Record<string, Suggestions>>;
}

export interface Resource {
  readonly view: View;
  readonly isTemplate: boolean;
  /** As `resources/list` or `resources/templates/list` tells it. */
  readonly definition: Readonly<Record<string, string>>;
  readonly ttlMs: number;
  readonly suggests: Readonly<Record<string, Suggestions>>;
  /** The endpoint's input for a URI; null when the URI is another resource's. */
  readonly match: (uri: string) => Record<string, unknown> | null;
}

/** What a model can open: an endpoint's answer under a URI. */
export function resource(
  endpoint: Endpoint,
  { uri, name, title, description, ttlSeconds, suggests = {}, ...words }: ResourceWords,
): Resource {
  const segments = segmentsOf(uri);
  const fields = segments.flatMap(({ field }) => field ?? []);
  refuseUnfilled(endpoint, uri, fields);
  const isTemplate = fields.length > 0;
  const stranger = Object.keys(suggests).find((field) => !fields.includes(field));
  if (stranger !== undefined) throw new TypeError(`${uri}: it has no field ${stranger} to suggest ids for.`);
  return {
    view: viewOf(endpoint, words),
    isTemplate,
    suggests,
    definition: Object.freeze({
      [isTemplate ? "uriTemplate" : "uri"]: uri,
      name,
      title,
      description,
      mimeType: "application/json",
    }),
    ttlMs: ttlSeconds * 1000,
    match: (asked) => inputOf(segments, asked),
  };
}

/** One part of a URI between two slashes. */
interface Segment {
  readonly text: string;
  /** The input it fills; null where it stands as it is. */
  readonly field: string | null;
}

const segmentsOf = (uri: string): Segment[] =>
  uri.split("/").map((text) => {
    const field = /^\{(\w+)\}$/.exec(text)?.[1] ?? null;
    if (field === null && /[{}]/.test(text)) throw new TypeError(`${uri}: a placeholder is a whole segment.`);
    return { text, field };
  });

/** A template that leaves a needed field open, or fills one the endpoint does not have, could never be read. */
function refuseUnfilled(endpoint: Endpoint, uri: string, fields: readonly string[]): void {
  const unknown = fields.find((field, at) => !endpoint.fields.has(field) || fields.indexOf(field) !== at);
  if (unknown !== undefined) throw new TypeError(`${uri}: ${endpoint.id} has no field ${unknown} to fill.`);
  const open = [...endpoint.fields.values()].find(({ name, required }) => required && !fields.includes(name));
  if (open) throw new TypeError(`${uri}: ${endpoint.id} needs ${open.name}.`);
}

/** What a URI fills in, segment by segment; null where it is not of that form. */
function inputOf(segments: readonly Segment[], asked: string): Record<string, unknown> | null {
  const parts = asked.split("/", segments.length + 1);
  if (parts.length !== segments.length) return null;
  const input: Record<string, unknown> = {};
  for (const [at, { text, field }] of segments.entries()) {
    const part = parts[at] ?? "";
    if (field === null) {
      if (part !== text) return null;
      continue;
    }
    const value = decoded(part);
    if (value === null) return null;
    input[field] = value;
  }
  return input;
}

/** A segment without its percent-escapes; null where it is empty, ends the path or is escaped wrongly. */
function decoded(segment: string): string | null {
  if (segment === "" || /[?#]/.test(segment)) return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
