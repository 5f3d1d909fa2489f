import { z } from "zod";
import { dayMs, type Instant } from "../time.ts";

/** How long a replaced secret signs beside the new one, ms. */
export const oldSecretMs = dayMs;

/** Secrets that sign at once: each adds 48 bytes to a header, and every receiver tries them all. */
export const mostSecrets = 5;

/** Newest first; `until` is null for the newest. */
export const WebhookSecrets = z.array(z.object({ secret: z.string(), until: z.number().nullable() }));
export type WebhookSecrets = z.infer<typeof WebhookSecrets>;

export const signingSecrets = (secrets: WebhookSecrets, now: Instant): WebhookSecrets =>
  secrets.filter(({ until }) => until === null || (until > now && until - now <= oldSecretMs));

/** The older secrets sign for 24 hours more; null if too many sign already. */
export function withNewSecret(secrets: WebhookSecrets, secret: string, now: Instant): WebhookSecrets | null {
  const old = signingSecrets(secrets, now);
  if (old.length >= mostSecrets) return null;
  return [
    { secret, until: null },
    ...old.map((each) => ({ secret: each.secret, until: each.until ?? now + oldSecretMs })),
  ];
}

/** Null if only the newest secret signs. */
export const lastOldSecretUntil = (secrets: WebhookSecrets, now: Instant): Instant | null =>
  signingSecrets(secrets, now).reduce<Instant | null>(
    (latest, { until }) => (until === null ? latest : Math.max(latest ?? until, until)),
    null,
  );
