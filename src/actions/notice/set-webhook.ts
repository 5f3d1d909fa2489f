import { action } from "../../contract/endpoint/action.ts";
import { withNewSecret } from "../../core/notice/webhook-secrets.ts";
import { changeSettings } from "../../services/notice/change-settings.ts";
import { showSettings } from "./show-settings.ts";
import { callableWebhook, WebhookAddress } from "./webhook-address.ts";

/** Null removes the webhook and its secrets. Only this answer shows its first secret. */
export const setWebhook = action({
  id: "notifications.set_webhook",
  who: "person",
  freshProof: true,
  input: { url: WebhookAddress.nullable() },
  errors: ["not_found", "validation_error"],

  async run({ url }, context) {
    const { db, caller, now, addresses, secrets, found } = context;
    const { id } = caller.account;
    if (url === null) {
      const none = { sealedWebhook: null, sealedWebhookSecrets: null };
      await db.write(changeSettings, id, now, (settings) => ({ ...settings, ...none }));
      return { secret: null, settings: await showSettings(context, found) };
    }
    const sealedWebhook = addresses.seal(id, "webhook", (await callableWebhook(url, context)).href);
    const fresh = secrets.newWebhookSecret();
    let secret: string | null = null;
    await db.write(changeSettings, id, now, (settings) => {
      const sealed = settings.sealedWebhookSecrets;
      const kept = sealed !== null && addresses.openSecrets(id, sealed) !== null;
      secret = kept ? null : fresh;
      const sealedWebhookSecrets = kept
        ? sealed
        : addresses.sealSecrets(id, withNewSecret([], fresh, now) ?? []);
      return { ...settings, sealedWebhook, sealedWebhookSecrets };
    });
    return { secret, settings: await showSettings(context, found) };
  },
});
