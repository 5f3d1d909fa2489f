import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { mostSecrets, oldSecretMs, withNewSecret } from "../../../core/notice/webhook-secrets.ts";
import { hourMs } from "../../../core/time.ts";
import { changeSettings } from "../../../services/notice/change-settings.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";

export const rotateWebhookSecret = defineEndpoint({
  id: "notifications.rotate_webhook_secret",
  method: "POST",
  path: "/account/notifications/webhook/secret",
  params: {},
  access: { face: "web", who: "person", freshProof: true },
  summary: "Make another secret for the signed webhook; the one before it signs for 24 hours too.",
  input: z.strictObject({}),
  output: z.object({ secret: z.string(), settings: NotificationView }),
  errors: ["not_found", "invalid_state"],
  example: {
    input: {},
    output: {
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
      settings: {
        ...exampleNotificationSettings,
        webhook: { set: true, host: "ops.example.org", old_secret_until: "2026-11-21T07:34:00.000Z" },
      },
    },
  },

  async handle(_input, context) {
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
