import { action } from "../../contract/endpoint/action.ts";
import { selectOneTimeCode } from "../../store/access/one-time-codes.ts";
import { z } from "zod";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { typedCode } from "../../core/access/sign-in.ts";

/** Whether the code of a mailed link is still valid, and the address that it was sent to. */
export const checkCode = action({
  id: "accounts.check_code",
  who: "anyone",
  input: {
    code: typedCode(),
    purpose: z.enum(["invitation", "verify_email", "reset_password", "open_factor"]),
    /** True when the page is shown again after a refusal, which was noted before. */
    again: z.boolean().default(false),
  },
  errors: [],

  async run({ code, purpose, again }, context) {
    const { db, secrets, now } = context;
    const known = await db.read(selectOneTimeCode, secrets.digest(code), purpose, now);
    if (!known && !again) noteSecurity(context, "code_refused", { detail: names[purpose] });
    return { usable: known !== null, email: known?.email ?? null };
  },
});

const names = {
  invitation: "invitation",
  verify_email: "e-mail address",
  reset_password: "new password",
  open_factor: "closed second factor",
} as const;
