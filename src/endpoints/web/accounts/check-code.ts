import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { typedCode } from "../../../core/access/sign-in.ts";

export const checkCode = defineEndpoint({
  id: "accounts.check_code",
  method: "GET",
  path: "/account/codes/{code}",
  params: { code: "code" },
  access: { face: "web", who: "anyone" },
  summary: "Whether the code of a link can still be used, and which address it was sent to.",
  input: z.object({ code: typedCode(), purpose: z.enum(["invitation", "verify_email", "reset_password"]) }),
  output: z.object({ usable: z.boolean(), email: z.string().nullable() }),
  errors: [],
  example: {
    input: { code: "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA", purpose: "verify_email" },
    output: { usable: true, email: "you@example.org" },
  },

  async handle({ code, purpose }, { stores, secrets, now }) {
    const known = await stores.codes.find(secrets.digest(code), purpose, now);
    return { usable: known !== null, email: known?.email ?? null };
  },
});
