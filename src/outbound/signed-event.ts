import { createHmac } from "node:crypto";
import { secondMs, type Instant } from "../core/time.ts";

/**
 * The headers of an event, as Standard Webhooks 1.0.0 defines them (www.standardwebhooks.com): `id.seconds.body` signed
 * by HMAC-SHA256 with every secret, so that a receiver needs only one of them.
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

/** The key is the base64 behind `whsec_`. */
const signed = (secret: string, text: string): string =>
  createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(text)
    .digest("base64");
