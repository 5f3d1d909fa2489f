import { bodyLimitOf } from "../contract/limits/body-limits.ts";
import type { ReadBody } from "../contract/call/app-context.ts";
import { gunzipJson } from "../contract/files/gunzip.ts";
import { isRead, type Endpoint } from "../contract/endpoint/endpoint.ts";
import { fieldNotAllowed } from "../contract/endpoint/input.ts";
import { parseJsonList, parseJsonObject, refuseMonsters } from "../contract/endpoint/json-body.ts";
import { Refusal } from "../core/errors.ts";
import { bytesOf, type Body } from "./body.ts";
import { decodeQuery } from "../contract/endpoint/query.ts";

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
export function requestInput(
  endpoint: Endpoint,
  sent: Sent,
  read: ReadBody,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  if (endpoint.files)
    return readDocument(endpoint, sent, read).then((input) => withAddress(endpoint, sent, input));
  return withAddress(endpoint, sent, isRead(endpoint) ? {} : readBody(endpoint, sent));
}

/** Adds what stands in the query and in the path. */
function withAddress(
  endpoint: Endpoint,
  sent: Sent,
  input: Record<string, unknown>,
): Record<string, unknown> {
  refuseBrokenEscapes(sent.rawQuery);
  Object.assign(input, decodeQuery(endpoint, sent.query));
  const { params } = endpoint;
  for (const placeholder in params) input[params[placeholder] ?? ""] = sent.params[placeholder] ?? "";
  return input;
}

/** Escapes that are no UTF-8 would reach a filter as they stand and find nothing. */
function refuseBrokenEscapes(rawQuery: string): void {
  if (!rawQuery.includes("%")) return;
  try {
    decodeURIComponent(rawQuery);
  } catch {
    throw new Refusal(
      "validation_error",
      "The query has percent-escapes that are not UTF-8. Encode it as UTF-8.",
    );
  }
}

function readBody(endpoint: Endpoint, sent: Sent): Record<string, unknown> {
  const body = bytesOf(sent.body);
  const { wholeBody } = endpoint;
  if (endpoint.bodyFields.length === 0 && (body === null || body.length === 0)) return {};
  if (endpoint.access.face !== "api") refuseOtherTypes(sent.contentType, []);
  const limit = bodyLimitOf(endpoint);
  const packed = body ?? Buffer.alloc(0);
  const bytes = isGzipped(endpoint, sent.contentEncoding) ? gunzipJson(packed, limit) : packed;
  if (wholeBody === null) return readMembers(endpoint, bytes, sent.contentType);
  const value = wholeBody.isList ? parseJsonList(bytes, limit) : parseJsonObject(bytes, limit);
  refuseMonsters(value);
  return { [wholeBody.name]: value };
}

/** Has a body read that is one large document: here only its headers are looked at. */
async function readDocument(
  endpoint: Endpoint,
  { body, contentType, contentEncoding }: Sent,
  read: ReadBody,
): Promise<Record<string, unknown>> {
  const bytes = bytesOf(body) ?? Buffer.alloc(0);
  refuseOtherTypes(contentType, endpoint.files?.types ?? []);
  const gzipped = isGzipped(endpoint, contentEncoding);
  const document = await read({ bytes, type: mediaType(contentType), gzipped });
  return { [endpoint.wholeBody?.name ?? ""]: document };
}

function refuseOtherTypes(contentType: string, types: readonly string[]): void {
  if (json.test(contentType) || types.includes(mediaType(contentType))) return;
  throw new Refusal(
    "unsupported_media_type",
    `This route does not take this Content-Type. Send ${["application/json", ...types].join(", ")}.`,
  );
}

function readMembers(endpoint: Endpoint, bytes: Uint8Array, contentType: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const members = parseJsonObject(bytes, bodyLimitOf(endpoint));
  if (!json.test(contentType))
    throw new Refusal(
      "invalid_body",
      "The body's Content-Type is not application/json. Send JSON with this type.",
    );
  for (const [name, value] of Object.entries(members)) {
    const location = endpoint.fields.get(name)?.place;
    if (location === "body") input[name] = value;
    else if (endpoint.access.face === "api") throw fieldNotAllowed(endpoint, name);
    else if (location === undefined && name !== "__proto__") input[name] = value;
  }
  refuseMonsters(members);
  return input;
}

/** A media type without its parameters. */
const mediaType = (contentType: string): string => contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";

const json = /^application\/json[\t ]*(?:;|$)/i;

function isGzipped(endpoint: Endpoint, encoding: string): boolean {
  const coding = encoding.toLowerCase();
  if (coding === "" || coding === "identity") return false;
  if (endpoint.access.face === "api")
    throw new Refusal("invalid_body", "The body has a Content-Encoding. Send plain JSON.");
  if (coding !== "gzip" && coding !== "x-gzip") {
    throw new Refusal(
      "unsupported_media_type",
      "This route does not take this Content-Encoding. Send gzip, or send the body uncompressed.",
    );
  }
  return true;
}
