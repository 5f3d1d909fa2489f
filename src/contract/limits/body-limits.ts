/** The most that JSON text may hold, counted before it is parsed. */
export interface JsonLimits {
  readonly values: number;
  /** Names of members, each counted once however often it stands there. */
  readonly names: number;
}

/** The most that a body may hold. */
export interface BodyLimits extends JsonLimits {
  /** Its length, bytes once decompressed. */
  readonly bytes: number;
}

/**
 * Bytes of the longest body for each value it may hold. The densest honest upload, a profile's list of nodes, takes 9
 * bytes for a value (`{"parent":0,"frame":0,"samples":1},` is 35 bytes and four values); regions, samples and
 * events take 11 to 20. `[],` is a value in 3 bytes.
 */
const bytesPerValue = 8;
const kib = 1024;
const mib = 1024 * kib;

/** Where no credential is asked for, a body is at most this long, bytes: such a route takes a few short names. */
export const openBodyLimit = 4 * kib;

/**
 * The longest form of the page on which people sign in, bytes. The answer of a passkey that the service takes has up to
 * 7,600 characters of base64url: a credential id of 1,023 bytes is 1,364 of them, a signature of RSA-4096 683 (WebAuthn
 * Level 3, sections 4 and 5.8.5). The rest is its JSON in a form, and the page to go to afterwards.
 */
export const signInFormLimit = 12 * kib;

const openLimits: BodyLimits = { bytes: openBodyLimit, values: openBodyLimit / bytesPerValue, names: 100 };

/**
 * A heartbeat, or a word of a runner. The largest heartbeat has 64 regions and 3 worlds with names of 120 characters of
 * four bytes: 59,000 bytes, 1,055 values and 52 names.
 */
export const heartbeatLimits: BodyLimits = { bytes: 64 * kib, values: 4 * kib, names: 400 };

/**
 * A call of the API, or a message to the connector. Private notes of 10,000 characters, each written as two escapes, take
 * 120,000 bytes; no call has more than some hundred values, and a batch has 20 of them.
 */
export const apiLimits: BodyLimits = { bytes: 256 * kib, values: 8 * kib, names: 400 };

/**
 * Samples, events, software, reports and single tests. 500 events of 2 MiB that each have ten names of their own in their
 * metadata are more than any plugin was seen to send.
 */
export const batchLimits: BodyLimits = { bytes: 2 * mib, values: (2 * mib) / bytesPerValue, names: 5000 };

/** The longest profile or memory report, bytes once decompressed. */
export const fileLimit = 16 * mib;

/** A profile or a memory report: configuration and parameters alone have names that are not ours. */
export const fileLimits: BodyLimits = { bytes: fileLimit, values: fileLimit / bytesPerValue, names: 5000 };

/** As much of an endpoint as tells what its body may hold. */
interface TakesBody {
  readonly access: { readonly face: string; readonly credential?: string };
  readonly files: object | null;
  readonly batch: string | null;
}

/** What a body of an endpoint may hold. */
export function bodyLimitsOf({ access, files, batch }: TakesBody): BodyLimits {
  if (access.face === "plugin" && access.credential === "none") return openLimits;
  if (files !== null) return fileLimits;
  if (batch !== null) return batchLimits;
  return access.face === "plugin" || access.face === "agent" ? heartbeatLimits : apiLimits;
}

/** A longer body, bytes once decompressed, is not read in the thread that answers calls: it would wait for it. */
export const readHereLimit = 64 * kib;

/**
 * What JSON may become for each compressed byte. A recorded profile packs 8 to 1, a thousand samples of a server in use
 * 30 to 1, a thousand equal ones (0.6 MiB) 114 to 1; gzip reaches 1,032 to 1.
 */
const mostExpansion = 100;

/** Compressed JSON may become so long in any case, bytes: idle servers repeat much. */
const alwaysInflated = mib;

/** The longest that compressed JSON may become, bytes. */
export const mostInflated = (compressed: number, bodyLimit: number): number =>
  Math.min(bodyLimit, Math.max(alwaysInflated, mostExpansion * compressed));
