import { action } from "../../contract/endpoint/action.ts";
import { confirmAddress } from "../../services/notice/confirm-address.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { normalizeLinkCode } from "../../core/server/link-code.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { showSettings } from "./show-settings.ts";

/** Alerts go to the address from then on. */
export const confirmNotificationEmail = action({
  id: "notifications.confirm_email",
  who: "person",
  input: { code: plainText(64, 1) },
  errors: ["not_found", "validation_error", "invalid_state"],

  async run({ code }, context) {
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
