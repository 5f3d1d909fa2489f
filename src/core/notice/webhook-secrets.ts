import { z } from "zod";
import { dayMs, type Instant } from "../time.ts";

/** A replaced secret signs for so long beside the new one, ms. */
export const oldSecretMs = dayMs;

/** Secrets that sign at once: each adds 48 bytes to a header, and every receiver tries them all. */
export const mostSecrets = 5;

/** The secrets of a webhook, the newest first; `until` is null for that one. */
export const WebhookSecrets = z.array(z.object({ secret: z.string(), until: z.number().nullable() }));
export type WebhookSecrets = z.infer<typeof WebhookSecrets>;

/** Those that sign at `now`. */
export const signingSecrets = (secrets: WebhookSecrets, now: Instant): WebhookSecrets =>
  secrets.filter(({ until }) => until === null || (until > now && until - now <= oldSecretMs));

/** The secrets with a new one, beside which the others sign for 24 hours; null when too many sign already. */
export function withNewSecret(secrets: WebhookSecrets, secret: string, now: Instant): WebhookSecrets | null {
  const old = signingSecrets(secrets, now);
  if (old.length >= mostSecrets) return null;
  return [
    { secret, until: null },
    ...old.map((each) => ({ secret: each.secret, until: each.until ?? now + oldSecretMs })),
  ];
}

/** When the last of the replaced secrets stops signing; null when only the newest signs. */
export const lastOldSecretUntil = (secrets: WebhookSecrets, now: Instant): Instant | null =>
  signingSecrets(secrets, now).reduce<Instant | null>(
    (latest, { until }) => (until === null ? latest : Math.max(latest ?? until, until)),
    null,
  );
