import type { Endpoint } from "../endpoint/endpoint.ts";

/** Where no credential is asked for, a body is at most this long, bytes: such a route takes a few short names. */
export const openBodyLimit = 4 * 1024;

/**
 * The longest form of the page on which people sign in, bytes. The answer of a passkey that the service takes has up to
 * 7,600 characters of base64url: a credential id of 1,023 bytes is 1,364 of them, a signature of RSA-4096 683 (WebAuthn
 * Level 3, sections 4 and 5.8.5). The rest is its JSON in a form, and the page to go to afterwards.
 */
export const signInFormLimit = 12 * 1024;

/** The longest API body, bytes: private notes of 10,000 characters, each written as two escapes, take 120,000. */
export const apiBodyLimit = 1024 * 1024;

/** The longest body of a linked server or a runner, bytes once decompressed, but for files. */
export const pluginBodyLimit = 2 * 1024 * 1024;

/** The longest body that a route takes, bytes once decompressed. */
export function bodyLimitOf({ access, files }: Pick<Endpoint, "access" | "files">): number {
  if (access.face === "plugin" && access.credential === "none") return openBodyLimit;
  return files?.limit ?? (access.face === "api" ? apiBodyLimit : pluginBodyLimit);
}

/**
 * Bytes of the longest body for each value it may hold. The densest honest upload, a profile's list of nodes, takes 9
 * bytes for a value (`{"parent":0,"frame":0,"samples":1},` is 35 bytes and four values); regions, samples and
 * events take 11 to 20. `[],` is a value in 3 bytes.
 */
const bytesPerValue = 8;

/** The most values a JSON body may hold, counted while it is read. */
export const mostValuesIn = (bodyLimit: number): number => Math.floor(bodyLimit / bytesPerValue);

/**
 * What JSON may become for each compressed byte. A recorded profile packs 8 to 1, a thousand samples of a server in use
 * 30 to 1, a thousand equal ones (0.6 MiB) 114 to 1; gzip reaches 1,032 to 1.
 */
const mostExpansion = 100;

/** The longest that compressed JSON may become, bytes: as much as an API body in any case, for idle servers repeat much. */
export const mostInflated = (compressed: number, bodyLimit: number): number =>
  Math.min(bodyLimit, Math.max(apiBodyLimit, mostExpansion * compressed));
