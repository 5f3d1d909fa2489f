import { createHash } from "node:crypto";
import type { FileIntake } from "./endpoint.ts";
import { gunzip, isGzip } from "./gunzip.ts";
import { Refusal } from "../core/errors.ts";
import { ImportError } from "../core/import/import-error.ts";

/** The longest profile or memory report, bytes once decompressed: 16 MiB. */
export const fileLimit = 16 * 1024 * 1024;

/** Makes of a file what JSON of ours would say; `digest` (SHA-256, hexadecimal) names the file. */
type Importer = (bytes: Uint8Array, digest: string) => unknown;

/** Takes files of other programs, gzipped or not, by media type. */
export function takeFiles(importers: Readonly<Record<string, Importer>>): FileIntake {
  const readers = Object.entries(importers).map(([type, importer]) => [type, readerOf(importer)]);
  return { limit: fileLimit, readers: Object.fromEntries(readers) as FileIntake["readers"] };
}

const readerOf =
  (importer: Importer) =>
  (sent: Uint8Array): unknown => {
    const bytes = isGzip(sent) ? gunzip(sent, fileLimit) : sent;
    try {
      return importer(bytes, createHash("sha256").update(bytes).digest("hex"));
    } catch (error) {
      throw error instanceof ImportError ? new Refusal("invalid_body", error.message) : error;
    }
  };
