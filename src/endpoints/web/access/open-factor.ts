import { z } from "zod";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { typedCode } from "../../../core/access/sign-in.ts";
import { openFactorByCode } from "../../../services/access/try-factor.ts";

export const openFactor = defineEndpoint({
  id: "second_factor.open",
  method: "POST",
  path: "/account/second-factor/open",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "Open codes of the second factor, which wrong ones closed, with the code that was mailed.",
  input: z.object({ code: typedCode() }),
  output: z.object({ email: z.string() }),
  errors: ["invalid_state"],
  example: {
    input: { code: "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA" },
    output: { email: "you@example.org" },
  },

  async handle({ code }, context) {
    const { db, secrets, now, fail } = context;
    const account = await db.write(openFactorByCode, secrets.digest(code), now);
    if (account) {
      noteSecurity(context, "second_factor_opened", { accountId: account.id });
      return { email: account.email };
    }
    noteSecurity(context, "code_refused", { detail: "closed second factor" });
    return fail("invalid_state", "This link was used already, has expired, or was replaced by a newer one.");
  },
});
