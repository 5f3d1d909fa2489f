import { createHash } from "node:crypto";
import type { z } from "zod";
import type { SentDocument, Upload } from "../contract/files/document-tasks.ts";
import { gunzip, gunzipJson, isGzip, refuseExpansion } from "../contract/files/gunzip.ts";
import { documentRefusal } from "../contract/endpoint/input.ts";
import { uploadLimits } from "../contract/limits/body-limits.ts";
import { longestUpload } from "../core/import/longest-upload.ts";
import { parseJsonObject, refuseMonsters } from "../contract/endpoint/json-body.ts";
import { Refusal } from "../core/errors.ts";
import { ImportError } from "../core/import/import-error.ts";

/**
 * Converts another program's file to our JSON; `digest` (SHA-256, hexadecimal) identifies the file, `query` says what
 * the file does not, unchecked.
 */
type Importer = (bytes: Uint8Array, digest: string, query: NonNullable<SentDocument["query"]>) => unknown;

export interface DocumentForm<T> {
  readonly schema: z.ZodType<T>;
  /** By media type. */
  readonly importers: Readonly<Record<string, Importer>>;
  /** Throws Refusal for bytes that are never taken, whatever their media type. */
  readonly inspect?: (bytes: Uint8Array) => void;
}

/** The first bytes of a file that show whether it is text. */
const headBytes = 512;

/** Throws Refusal if the document does not match its schema, or cannot be read. */
export function readUpload<T>(upload: Upload, form: DocumentForm<T>): T {
  const parsed = form.schema.safeParse(valueOf(upload.sent, form));
  if (parsed.success) return parsed.data;
  throw documentRefusal(upload, form.schema, parsed.error.issues);
}

function valueOf(sent: SentDocument, { importers, inspect }: DocumentForm<unknown>): unknown {
  const { type } = sent;
  const importer = type !== null && Object.hasOwn(importers, type) ? importers[type] : undefined;
  const isJson = type !== null && !importer;
  const inflate = isJson ? gunzipJson : gunzip;
  const bytes = sent.gzipped ? inflate(sent.bytes, longestUpload) : sent.bytes;
  inspect?.(bytes);
  if (isJson) return parsedJson(bytes);
  return importer ? imported(unzipped(bytes), importer, sent.query) : valueOfFile(bytes, importers);
}

/** Browsers know no media type for these files, so the first bytes decide. */
function valueOfFile(sent: Uint8Array, importers: Readonly<Record<string, Importer>>): unknown {
  const bytes = unzipped(sent);
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString("latin1");
  if (/^\s*\{/.test(head)) {
    refuseExpansion(sent, bytes, longestUpload);
    return parsedJson(bytes);
  }
  const isText = /^[\t\n\r\x20-\x7e]*$/.test(head);
  const type = Object.keys(importers).find((one) => one.startsWith("text/") === isText);
  const importer = type === undefined || head === "" ? undefined : importers[type];
  if (!importer)
    throw new Refusal(
      "unsupported_media_type",
      "This kind of file is not accepted here. Send a profile or a memory report.",
    );
  return imported(bytes, importer);
}

const unzipped = (bytes: Uint8Array): Uint8Array => (isGzip(bytes) ? gunzip(bytes, longestUpload) : bytes);

function parsedJson(bytes: Uint8Array): unknown {
  const value = parseJsonObject(bytes, uploadLimits);
  refuseMonsters(value);
  return value;
}

function imported(bytes: Uint8Array, importer: Importer, query: SentDocument["query"] = {}): unknown {
  try {
    return importer(bytes, createHash("sha256").update(bytes).digest("hex"), query);
  } catch (error) {
    throw error instanceof ImportError ? new Refusal("invalid_body", error.message) : error;
  }
}
