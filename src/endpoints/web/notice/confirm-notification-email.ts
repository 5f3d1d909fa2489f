import { confirmAddress } from "../../../services/notice/confirm-address.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { normalizeLinkCode } from "../../../core/server/link-code.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";

export const confirmNotificationEmail = defineEndpoint({
  id: "notifications.confirm_email",
  method: "POST",
  path: "/account/notifications/email/confirm",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Confirm an address with the code that was mailed to it: from then on alerts go there.",
  input: z.strictObject({ code: plainText(64, 1) }),
  output: NotificationView,
  errors: ["not_found", "validation_error", "invalid_state"],
  example: {
    input: { code: "H7KQ2MRT" },
    output: {
      ...exampleNotificationSettings,
      email: { source: "other", address_hint: "o…@example.org", verified: true },
    },
  },

  async handle({ code }, context) {
    const { db, caller, now, secrets, fail, found } = context;
    const read = normalizeLinkCode(code.trim());
    const digest = secrets.digest(read ?? "");
    const result = await db.write(confirmAddress, caller.account.id, digest, now);
    if (result === "none" || result === "wrong")
      noteSecurity(context, "code_refused", { detail: "notification address" });
    if (result === "none")
      fail(
        "invalid_state",
        "No address waits for a code, or the code has expired, or it was typed wrongly too often. Request a new code.",
      );
    if (result === "wrong")
      fail("validation_error", "The code is wrong. Copy it from the mail again.", { field: "code" });
    return showSettings(context, found);
  },
});
