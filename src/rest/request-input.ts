import { bodyLimitsOf, readHereLimit } from "../contract/limits/body-limits.ts";
import { CheckedInput, type BodyReading } from "../contract/files/body-reading.ts";
import type { JsonForm } from "../contract/files/document-tasks.ts";
import { gunzipJson, gunzipShort } from "../contract/files/gunzip.ts";
import { isRead, type Endpoint } from "../contract/endpoint/endpoint.ts";
import { fieldNotAllowed } from "../contract/endpoint/input.ts";
import { parseJsonList, parseJsonObject, refuseMonsters } from "../contract/endpoint/json-body.ts";
import { Refusal } from "../core/errors.ts";
import { bytesOf, type Body } from "./body.ts";
import { decodeQuery } from "../contract/endpoint/query.ts";

export interface Sent {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly rawQuery: string;
  readonly body: Body;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** Called with the length of the body after decompression in this thread. */
  readonly onLength: (bytes: number) => void;
}

type FlatInput = Record<string, unknown>;

/**
 * Joins path, query and body. Reads the body first, so that refusals come in the order `invalid_json`,
 * `invalid_body`, `field_not_allowed`, `validation_error`.
 */
export function requestInput(
  endpoint: Endpoint,
  sent: Sent,
  reading: BodyReading,
): FlatInput | Promise<FlatInput | CheckedInput> {
  if (isRead(endpoint)) return withAddress(endpoint, sent, {});
  const body = endpoint.files ? readDocument(endpoint, sent, reading) : readBody(endpoint, sent, reading);
  return body instanceof Promise
    ? body.then((input) => whole(endpoint, sent, input))
    : withAddress(endpoint, sent, body);
}

/** The body is the whole input of a batch; its query is only checked. */
function whole(endpoint: Endpoint, sent: Sent, input: FlatInput | CheckedInput): FlatInput | CheckedInput {
  if (!(input instanceof CheckedInput)) return withAddress(endpoint, sent, input);
  withAddress(endpoint, sent, {});
  return input;
}

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

/** Escapes that are not UTF-8 would reach a filter unchanged and find nothing. */
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

/** Reads short bodies here and long ones in a worker thread, with the same refusals. */
function readBody(
  endpoint: Endpoint,
  sent: Sent,
  reading: BodyReading,
): FlatInput | Promise<FlatInput | CheckedInput> {
  const body = bytesOf(sent.body);
  if (endpoint.bodyFields.length === 0 && (body === null || body.length === 0)) return {};
  if (endpoint.access.face !== "api") refuseOtherTypes(sent.contentType, []);
  const packed = body ?? Buffer.alloc(0);
  const gzipped = isGzipped(endpoint, sent.contentEncoding);
  const bytes = gzipped ? inflated(endpoint, packed) : packed;
  if (bytes !== null) sent.onLength(bytes.length);
  const isShort = bytes !== null && bytes.length <= readHereLimit;
  if (!isShort && endpoint.batch !== null)
    return reading.batch({ bytes: packed, type: mediaType(sent.contentType), gzipped });
  const form = formOf(endpoint);
  // Only bodies of batches become long after decompression.
  const text = bytes ?? packed;
  if (!isShort) return reading.json(text, form).then((value) => inputIn(endpoint, value, sent.contentType));
  const limits = bodyLimitsOf(endpoint);
  const value = form === "list" ? parseJsonList(text, limits) : parseJsonObject(text, limits);
  return inputIn(endpoint, value, sent.contentType);
}

/** Decompresses a body; null if it is too long to be read here. */
function inflated(endpoint: Endpoint, packed: Buffer): Uint8Array | null {
  const limit = bodyLimitsOf(endpoint).bytes;
  return limit <= readHereLimit ? gunzipJson(packed, limit) : gunzipShort(packed, readHereLimit);
}

const formOf = ({ wholeBody }: Endpoint): JsonForm => (wholeBody?.isList ? "list" : "object");

function inputIn(endpoint: Endpoint, value: unknown, contentType: string): FlatInput {
  const { wholeBody } = endpoint;
  if (wholeBody === null) return membersIn(endpoint, value, contentType);
  refuseMonsters(value);
  return { [wholeBody.name]: value };
}

/** A worker thread reads the document; only its headers are checked here. */
async function readDocument(
  endpoint: Endpoint,
  { body, contentType, contentEncoding, query }: Sent,
  reading: BodyReading,
): Promise<FlatInput> {
  const bytes = bytesOf(body) ?? Buffer.alloc(0);
  refuseOtherTypes(contentType, endpoint.files?.types ?? []);
  const gzipped = isGzipped(endpoint, contentEncoding);
  const document = await reading.document({ bytes, type: mediaType(contentType), gzipped, query });
  return { [endpoint.wholeBody?.name ?? ""]: document };
}

function refuseOtherTypes(contentType: string, types: readonly string[]): void {
  if (json.test(contentType) || types.includes(mediaType(contentType))) return;
  throw new Refusal(
    "unsupported_media_type",
    `This route does not take this Content-Type. Send ${["application/json", ...types].join(", ")}.`,
  );
}

function membersIn(endpoint: Endpoint, members: unknown, contentType: string): FlatInput {
  const input: FlatInput = {};
  if (!json.test(contentType))
    throw new Refusal(
      "invalid_body",
      "The body's Content-Type is not application/json. Send JSON with this type.",
    );
  for (const [name, value] of Object.entries(members as FlatInput)) {
    const location = endpoint.fields.get(name)?.place;
    if (location === "body") input[name] = value;
    else if (endpoint.access.face === "api") throw fieldNotAllowed(endpoint, name);
    else if (location === undefined && name !== "__proto__") input[name] = value;
  }
  refuseMonsters(members);
  return input;
}

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
