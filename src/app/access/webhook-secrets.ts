import { WebhookSecrets } from "../../core/notice/webhook-secrets.ts";
import type { Sealer } from "./sealed.ts";

export const webhookSecretsBinding = (accountId: string): string => `secrets of the webhook of ${accountId}`;

export const sealWebhookSecrets = (sealing: Sealer, accountId: string, secrets: WebhookSecrets): string =>
  sealing.seal(JSON.stringify(secrets), webhookSecretsBinding(accountId));

/** Null if they cannot be opened. */
export function openWebhookSecrets(
  sealing: Sealer,
  accountId: string,
  sealed: string,
): WebhookSecrets | null {
  const opened = sealing.open(sealed, webhookSecretsBinding(accountId));
  return opened === null ? null : WebhookSecrets.parse(JSON.parse(opened));
}
