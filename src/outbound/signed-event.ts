import { createHmac } from "node:crypto";
import { secondMs, type Instant } from "../core/time.ts";

/**
 * Standard Webhooks 1.0.0 (www.standardwebhooks.com): `id.seconds.body` is signed with every secret, so that
 * a receiver needs only one.
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  now: Instant,
): Record<string, string> {
  const seconds = String(Math.floor(now / secondMs));
  const signature = secrets.map((secret) => `v1,${signed(secret, `${id}.${seconds}.${body}`)}`).join(" ");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature };
}

/** The key is the base64 after `whsec_`. */
const signed = (secret: string, text: string): string =>
  createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(text)
    .digest("base64");
