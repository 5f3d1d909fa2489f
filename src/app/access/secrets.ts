import { createHmac, hash, randomBytes, randomInt } from "node:crypto";
import { V7Generator } from "uuidv7";
import { formatSecret, type SecretKind } from "../../core/access/secret.ts";
import { shortIdAlphabet, shortIdLength } from "../../core/id-form.ts";
import { linkCodeAlphabet, linkCodeLength } from "../../core/server/link-code.ts";
import { statusAddressAlphabet, statusAddressLength } from "../../core/status-page/status-page.ts";
import type { Instant } from "../../core/time.ts";

/** Randomness and digests, which the pure core cannot make. */
export interface Secrets {
  newId(now: Instant): string;
  newShortId(): string;
  newLinkCode(): string;
  /** Nobody can guess this address of a public status page. */
  newStatusAddress(): string;
  /** Names a scheduled run to its agent and to the plugin that uploads for it. */
  newNonce(): string;
  newSecret(kind: SecretKind): string;
  /** Signs events for a webhook: `whsec_` and 32 random bytes in base64, the form of Standard Webhooks. */
  newWebhookSecret(): string;
  /** SHA-256, hexadecimal: the only form in which a secret is stored. */
  digest(secret: string): string;
}

/** How far the clock may step back before ids stop being in order, ms. */
const rollbackAllowanceMs = 10_000;

const drawFrom = (alphabet: string, length: number): string => {
  let text = "";
  for (let index = 0; index < length; index += 1) text += alphabet.charAt(randomInt(alphabet.length));
  return text;
};

/** A secret that only the holder of the key can make again. */
export const derivedSecret =
  (kind: SecretKind, key: Buffer) =>
  (purpose: string, from: string): string =>
    formatSecret(kind, createHmac("sha256", key).update(`${purpose} ${from}`).digest());

/** Uses the operating system's randomness; ids are in the order of their making. */
export function systemSecrets(): Secrets {
  const generator = new V7Generator();
  return {
    newId: (now) => generator.generateOrResetCore(now, rollbackAllowanceMs).toString(),
    newShortId: () => drawFrom(shortIdAlphabet, shortIdLength),
    newLinkCode: () => drawFrom(linkCodeAlphabet, linkCodeLength),
    newStatusAddress: () => drawFrom(statusAddressAlphabet, statusAddressLength),
    newNonce: () => randomBytes(24).toString("base64url"),
    newSecret: (kind) => formatSecret(kind, randomBytes(32)),
    newWebhookSecret: () => `whsec_${randomBytes(32).toString("base64")}`,
    digest: (secret) => hash("sha256", secret),
  };
}
