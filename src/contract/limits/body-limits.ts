import { longestUpload } from "../../core/import/longest-upload.ts";

/** Limits of JSON text, counted before it is parsed. */
export interface JsonLimits {
  readonly values: number;
  /** Different member names; a repeated name counts once. */
  readonly names: number;
}

export interface BodyLimits extends JsonLimits {
  /** Bytes once decompressed. */
  readonly bytes: number;
}

/**
 * A limit of values is the limit of bytes divided by this. The densest honest upload, a profile's list of
 * nodes, has 9 bytes per value (`{"parent":0,"frame":0,"samples":1},` is 35 bytes and four values); regions,
 * samples and events have 11 to 20. `[],` is a value in 3 bytes.
 */
const bytesPerValue = 8;
const kib = 1024;
const mib = 1024 * kib;

/** The longest body on routes without a credential, bytes: they take a few short names. */
export const openBodyLimit = 4 * kib;

/**
 * The longest sign-in form, bytes. A passkey's answer has up to 7,600 characters of base64url: a credential
 * id of 1,023 bytes is 1,364, a signature of RSA-4096 683 (WebAuthn Level 3, sections 4 and 5.8.5). The rest
 * is its JSON in a form, and the page to go to afterwards.
 */
export const signInFormLimit = 12 * kib;

const openLimits: BodyLimits = { bytes: openBodyLimit, values: openBodyLimit / bytesPerValue, names: 100 };

/**
 * Heartbeats and calls of runners. The largest heartbeat has 64 regions and 3 worlds with names of 120
 * characters of four bytes: 59,000 bytes, 1,055 values and 52 names.
 */
export const heartbeatLimits: BodyLimits = { bytes: 64 * kib, values: 4 * kib, names: 400 };

/**
 * Calls of the API and messages to the connector. Private notes of 10,000 characters, each written as two
 * escapes, take 120,000 bytes; a call has at most some hundred values, and a batch 20 calls.
 */
export const apiLimits: BodyLimits = { bytes: 256 * kib, values: 8 * kib, names: 400 };

/**
 * Samples, events, software, reports and unit tests. 500 events in 2 MiB, each with ten metadata names of its
 * own, are more than any plugin was seen to send.
 */
export const batchLimits: BodyLimits = { bytes: 2 * mib, values: (2 * mib) / bytesPerValue, names: 5000 };

/** Uploads of profiles and memory reports: only configuration and parameters have names that we do not choose. */
export const uploadLimits: BodyLimits = {
  bytes: longestUpload,
  values: longestUpload / bytesPerValue,
  names: 5000,
};

interface TakesBody {
  readonly access: { readonly face: string; readonly credential?: string };
  readonly files: object | null;
  readonly batch: string | null;
}

export function bodyLimitsOf({ access, files, batch }: TakesBody): BodyLimits {
  if (access.face === "plugin" && access.credential === "none") return openLimits;
  if (files !== null) return uploadLimits;
  if (batch !== null) return batchLimits;
  return access.face === "plugin" || access.face === "agent" ? heartbeatLimits : apiLimits;
}

/** Longer bodies, bytes once decompressed, are read in a worker thread: the main thread would stall. */
export const readHereLimit = 64 * kib;

/**
 * How many bytes JSON may have for each compressed byte. A recorded profile packs 8 to 1, a thousand samples
 * of a server in use 30 to 1, a thousand equal ones (0.6 MiB) 114 to 1; gzip reaches 1,032 to 1.
 */
const mostExpansion = 100;

/** Compressed JSON may always grow to this, bytes, because idle servers repeat much. */
const alwaysInflated = mib;

/** The longest that compressed JSON may become, bytes. */
export const mostInflated = (compressed: number, bodyLimit: number): number =>
  Math.min(bodyLimit, Math.max(alwaysInflated, mostExpansion * compressed));
