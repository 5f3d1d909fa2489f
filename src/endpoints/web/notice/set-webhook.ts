import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { withNewSecret } from "../../../core/notice/webhook-secrets.ts";
import { changeSettings } from "../../../services/notice/change-settings.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";
import { callableWebhook, WebhookAddress } from "./webhook-address.ts";

export const setWebhook = defineEndpoint({
  id: "notifications.set_webhook",
  method: "PUT",
  path: "/account/notifications/webhook",
  params: {},
  access: { face: "web", who: "person", freshProof: true },
  summary:
    "Set the signed webhook that alerts are posted to; null removes it with its secrets. Its first secret is shown in this answer alone.",
  input: z.strictObject({ url: WebhookAddress.nullable() }),
  output: z.object({ secret: z.string().nullable(), settings: NotificationView }),
  errors: ["not_found", "validation_error"],
  example: {
    input: { url: "https://ops.example.org/tickmark" },
    output: {
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
      settings: {
        ...exampleNotificationSettings,
        webhook: { set: true, host: "ops.example.org", old_secret_until: null },
      },
    },
  },

  async handle({ url }, context) {
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
