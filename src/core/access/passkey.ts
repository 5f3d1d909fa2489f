import { parsedJson } from "../parsed-json.ts";
import { z } from "zod";
import { minuteMs, type Instant } from "../time.ts";

/** Passkeys of one account: enough for several devices, and still a bounded list. */
export const mostPasskeys = 10;

/** A challenge may be answered for this long, ms; the browser's prompt has the same timeout. */
export const challengeMs = 5 * minuteMs;

/** A WebAuthn credential; the service stores only the public key. */
export interface Passkey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** base64url. */
  readonly credentialId: string;
  /** A COSE key, base64url. */
  readonly publicKey: string;
  /** Signature counter of the device; 0 if the device does not count, as with synced passkeys. */
  readonly counter: number;
  /** WebAuthn transports separated by spaces; a hint for browsers. */
  readonly transports: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** The relying party: a domain, and the one origin that may use its passkeys. */
export interface PasskeyParty {
  readonly id: string;
  readonly origin: string;
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const isAddress = (hostname: string): boolean => hostname.startsWith("[") || /^[\d.]+$/.test(hostname);

/**
 * The relying party for a base URL; null if browsers offer no passkeys there (WebAuthn, section 5.1.2). They
 * need https with a domain, or localhost, which also stands for loopback addresses.
 */
export function passkeyParty(baseUrl: string): PasskeyParty | null {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (loopback.has(hostname))
    return { id: "localhost", origin: `${protocol}//localhost${port === "" ? "" : `:${port}`}` };
  if (protocol !== "https:" || isAddress(hostname)) return null;
  return { id: hostname, origin: `${protocol}//${hostname}${port === "" ? "" : `:${port}`}` };
}

const base64url = (max: number): z.ZodString =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/);
const credentialId = base64url(1_400);
const common = { id: credentialId, type: z.literal("public-key") };

const Assertion = z.object({
  challenge: z.string().max(1_000),
  answer: z.object({
    ...common,
    response: z.object({
      clientDataJSON: base64url(2_000),
      authenticatorData: base64url(2_000),
      signature: base64url(1_000),
      userHandle: base64url(200).nullish(),
    }),
  }),
});
export type Assertion = z.infer<typeof Assertion>;

const Registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(2_000),
    attestationObject: base64url(8_000),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .default([]),
  }),
});
export type Registration = z.infer<typeof Registration>;

/** The assertion in a field that also takes codes; null if it is something else. */
export const assertionIn = (typed: string): Assertion | null => parsed(typed, Assertion);

export const registrationIn = (typed: string): Registration | null => parsed(typed, Registration);

function parsed<T>(text: string, schema: z.ZodType<T>): T | null {
  return text.startsWith("{") ? (schema.safeParse(parsedJson(text)).data ?? null) : null;
}
