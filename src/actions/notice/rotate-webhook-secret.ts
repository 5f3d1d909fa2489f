import { action } from "../../contract/endpoint/action.ts";
import { mostSecrets, oldSecretMs, withNewSecret } from "../../core/notice/webhook-secrets.ts";
import { hourMs } from "../../core/time.ts";
import { changeSettings } from "../../services/notice/change-settings.ts";
import { showSettings } from "./show-settings.ts";

/** The previous secret also signs for 24 hours. */
export const rotateWebhookSecret = action({
  id: "notifications.rotate_webhook_secret",
  who: "person",
  freshProof: true,
  errors: ["not_found", "invalid_state"],

  async run(_input, context) {
    const { db, caller, now, addresses, secrets, fail, found } = context;
    const { id } = caller.account;
    const secret = secrets.newWebhookSecret();
    await db.write(changeSettings, id, now, (settings) => {
      if (settings.sealedWebhook === null)
        return fail("invalid_state", "No webhook is set. Set its address first.");
      const sealed = settings.sealedWebhookSecrets;
      const next = withNewSecret(
        sealed === null ? [] : (addresses.openSecrets(id, sealed) ?? []),
        secret,
        now,
      );
      if (next === null)
        return fail(
          "invalid_state",
          `${mostSecrets} secrets sign already. A replaced one ends after ${oldSecretMs / hourMs} hours: wait for that, or remove the webhook and set it again.`,
        );
      return { ...settings, sealedWebhookSecrets: addresses.sealSecrets(id, next) };
    });
    return { secret, settings: await showSettings(context, found) };
  },
});
