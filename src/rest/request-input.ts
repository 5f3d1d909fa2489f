import { bodyLimitOf } from "../contract/body-limits.ts";
import { gunzip, gunzipJson } from "../contract/gunzip.ts";
import { isRead, type Endpoint } from "../contract/endpoint.ts";
import { fieldNotAllowed } from "../contract/input.ts";
import { parseJsonList, parseJsonObject, refuseMonsters } from "../contract/json-body.ts";
import { Refusal } from "../core/errors.ts";
import { bytesOf, type Body } from "./body.ts";
import { decodeQuery } from "../contract/query.ts";

/** What a request carries, before anything is read of it. */
export interface Sent {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** As it stood in the request line. */
  readonly rawQuery: string;
  readonly body: Body;
  readonly contentType: string;
  readonly contentEncoding: string;
}

/**
 * The flat input of a request: path, query and body together. Throws Refusal for what is no input, in the order
 * `invalid_json`, `invalid_body`, `field_not_allowed`, `validation_error`: so the body comes first.
 */
export function requestInput(endpoint: Endpoint, sent: Sent): Record<string, unknown> {
  const input = isRead(endpoint) ? {} : readBody(endpoint, sent);
  refuseBrokenEscapes(sent.rawQuery);
  Object.assign(input, decodeQuery(endpoint, sent.query));
  for (const [placeholder, name] of Object.entries(endpoint.params))
    input[name] = sent.params[placeholder] ?? "";
  return input;
}

/** Escapes that are no UTF-8 would reach a filter as they stand and find nothing. */
function refuseBrokenEscapes(rawQuery: string): void {
  if (!rawQuery.includes("%")) return;
  try {
    decodeURIComponent(rawQuery);
  } catch {
    throw new Refusal("validation_error", "The query holds percent-escapes that are not UTF-8.");
  }
}

function readBody(endpoint: Endpoint, sent: Sent): Record<string, unknown> {
  const body = bytesOf(sent.body);
  const { wholeBody } = endpoint;
  if (endpoint.bodyFields.length === 0 && (body === null || body.length === 0)) return {};
  const reader = readerOf(endpoint, sent.contentType);
  if (endpoint.access.face !== "api" && !reader && !json.test(sent.contentType)) {
    const types = ["application/json", ...Object.keys(endpoint.files?.readers ?? {})];
    throw new Refusal("unsupported_media_type", `This route takes ${types.join(", ")}.`);
  }
  const inflate = reader ? gunzip : gunzipJson;
  const bytes = inflated(endpoint, body ?? Buffer.alloc(0), sent.contentEncoding, inflate);
  endpoint.files?.inspect?.(bytes);
  if (wholeBody === null) return readMembers(endpoint, bytes, sent.contentType);
  const limit = bodyLimitOf(endpoint);
  const parse = wholeBody.isList ? parseJsonList : parseJsonObject;
  const value = reader?.(bytes) ?? parse(bytes, limit);
  if (!reader) refuseMonsters(value);
  return { [wholeBody.name]: value };
}

function readMembers(endpoint: Endpoint, bytes: Uint8Array, contentType: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const members = parseJsonObject(bytes, bodyLimitOf(endpoint));
  if (!json.test(contentType))
    throw new Refusal("invalid_body", "The body's Content-Type is not application/json.");
  for (const [name, value] of Object.entries(members)) {
    const place = endpoint.fields.get(name)?.place;
    if (place === "body") input[name] = value;
    else if (endpoint.access.face === "api") throw fieldNotAllowed(endpoint, name);
    else if (place === undefined && name !== "__proto__") input[name] = value;
  }
  refuseMonsters(members);
  return input;
}

/** The reader of another program's files, by media type without its parameters. */
function readerOf({ files }: Endpoint, contentType: string): ((bytes: Uint8Array) => unknown) | undefined {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return files && Object.hasOwn(files.readers, type) ? files.readers[type] : undefined;
}

const json = /^application\/json[\t ]*(?:;|$)/i;

function inflated(
  endpoint: Endpoint,
  body: Buffer,
  encoding: string,
  inflate: (bytes: Uint8Array, limit: number) => Uint8Array,
): Uint8Array {
  const coding = encoding.toLowerCase();
  if (coding === "" || coding === "identity") return body;
  if (endpoint.access.face === "api")
    throw new Refusal("invalid_body", "The body has a Content-Encoding. Send plain JSON.");
  if (coding !== "gzip" && coding !== "x-gzip") {
    throw new Refusal("unsupported_media_type", "This route does not take bodies in that Content-Encoding.");
  }
  return inflate(body, bodyLimitOf(endpoint));
}
