import { WebhookSecrets } from "../../core/notice/webhook-secrets.ts";
import type { Sealer } from "./sealed.ts";

/** What the secrets of the webhook of an account are sealed for. */
export const webhookSecretsBinding = (accountId: string): string => `secrets of the webhook of ${accountId}`;

/** The secrets of an account's webhook as they are kept. */
export const sealWebhookSecrets = (sealing: Sealer, accountId: string, secrets: WebhookSecrets): string =>
  sealing.seal(JSON.stringify(secrets), webhookSecretsBinding(accountId));

/** Null when they open no more. */
export function openWebhookSecrets(
  sealing: Sealer,
  accountId: string,
  sealed: string,
): WebhookSecrets | null {
  const opened = sealing.open(sealed, webhookSecretsBinding(accountId));
  return opened === null ? null : WebhookSecrets.parse(JSON.parse(opened));
}
