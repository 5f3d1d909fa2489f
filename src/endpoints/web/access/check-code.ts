import { selectOneTimeCode } from "../../../store/access/one-time-codes.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { typedCode } from "../../../core/access/sign-in.ts";

export const checkCode = defineEndpoint({
  id: "accounts.check_code",
  method: "GET",
  path: "/account/codes/{code}",
  params: { code: "code" },
  access: { face: "web", who: "anyone" },
  summary: "Whether the code of a link can still be used, and which address it was sent to.",
  input: z.object({
    code: typedCode(),
    purpose: z.enum(["invitation", "verify_email", "reset_password", "open_factor"]),
    /** Whether its page is shown again because its form was refused: that was noted already. */
    again: z.boolean().default(false),
  }),
  output: z.object({ usable: z.boolean(), email: z.string().nullable() }),
  errors: [],
  example: {
    input: { code: "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA", purpose: "verify_email" },
    output: { usable: true, email: "you@example.org" },
  },

  async handle({ code, purpose, again }, context) {
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
