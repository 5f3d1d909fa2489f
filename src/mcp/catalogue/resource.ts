import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Suggestions } from "./suggestions.ts";
import { filledIn, segmentsOf } from "./uri-template.ts";
import { viewOf } from "../result/view-of.ts";
import type { View, ViewWords } from "../result/view.ts";

export interface ResourceWords extends ViewWords {
  /** `tickmark://…`; a path segment `{field}` fills that field of the endpoint's input. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly ttlSeconds: number;
  /** By field: the lists that suggest its ids. */
  readonly suggests?: Readonly<Record<string, Suggestions>>;
  /** Paths of members, through objects and lists, whose change is reported; none: it is not watched. */
  readonly watchedFields?: readonly string[];
}

export interface Resource<E extends Outline = Endpoint> {
  readonly view: View<E>;
  readonly isTemplate: boolean;
  /** The entry in `resources/list` or `resources/templates/list`. */
  readonly definition: Readonly<Record<string, string>>;
  readonly ttlMs: number;
  readonly suggests: Readonly<Record<string, Suggestions<E>>>;
  readonly watchedFields: readonly string[];
  /** The endpoint's input for a URI; null if the URI belongs to another resource. */
  readonly match: (uri: string) => Record<string, unknown> | null;
}

/** An endpoint's answer that a model can open under a URI. Throws if the URI does not fit the endpoint. */
export function resource(
  endpoint: Endpoint,
  { uri, name, title, description, ttlSeconds, suggests = {}, watchedFields = [], ...words }: ResourceWords,
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
    watchedFields,
    definition: Object.freeze({
      [isTemplate ? "uriTemplate" : "uri"]: uri,
      name,
      title,
      description,
      mimeType: "application/json",
    }),
    ttlMs: ttlSeconds * 1000,
    match: (uri) => filledIn(segments, uri),
  };
}

/** Throws for a template that leaves a required field open or fills an unknown field. */
function refuseUnfilled(endpoint: Endpoint, uri: string, fields: readonly string[]): void {
  const unknown = fields.find((field, at) => !endpoint.fields.has(field) || fields.indexOf(field) !== at);
  if (unknown !== undefined) throw new TypeError(`${uri}: ${endpoint.id} has no field ${unknown} to fill.`);
  const open = [...endpoint.fields.values()].find(({ name, required }) => required && !fields.includes(name));
  if (open) throw new TypeError(`${uri}: ${endpoint.id} needs ${open.name}.`);
}
