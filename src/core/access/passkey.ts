import { z } from "zod";
import { minuteMs, type Instant } from "../time.ts";

/** Passkeys of one account: some for each device of its person, and not a list without end. */
export const mostPasskeys = 10;

/** How long a challenge may be answered, ms. The window of the browser waits for its person as long. */
export const challengeMs = 5 * minuteMs;

/** A key pair on a device of a person (WebAuthn): the service keeps the public half. */
export interface Passkey {
  readonly id: string;
  readonly accountId: string;
  /** As its person named it. */
  readonly name: string;
  /** As the device named it, base64url. */
  readonly credentialId: string;
  /** A COSE key, base64url. */
  readonly publicKey: string;
  /** Signatures that the device counted; 0 for ever where it counts none, as with keys that are on several devices. */
  readonly counter: number;
  /** How a browser reaches the device, in words of WebAuthn separated by spaces; a hint for browsers alone. */
  readonly transports: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** Whom passkeys are made for: a domain, and the one origin whose pages may use them. */
export interface PasskeyParty {
  readonly id: string;
  readonly origin: string;
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const isAddress = (hostname: string): boolean => hostname.startsWith("[") || /^[\d.]+$/.test(hostname);

/**
 * The party of a service with that base URL. Browsers offer passkeys over https to domains, and at localhost, which
 * a base URL of loopback is reached by as well; null for anything else (WebAuthn, section 5.1.2).
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

/** What a browser answers to a challenge, beside the challenge as it was sealed. */
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

/** What a browser answers when it made a passkey. */
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

/** The answer of a passkey where a code could have been typed; null for anything else. */
export const assertionIn = (typed: string): Assertion | null => parsed(typed, Assertion);

export const registrationIn = (typed: string): Registration | null => parsed(typed, Registration);

function parsed<T>(text: string, schema: z.ZodType<T>): T | null {
  if (!text.startsWith("{")) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
