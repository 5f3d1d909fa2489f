import { z } from "zod";
import { created, defineEndpoint } from "../../../contract/endpoint.ts";
import { startSession } from "../../../contract/person.ts";
import { countPasswordTry } from "../../../contract/tries.ts";
import { typedEmail, typedPassword } from "../../../core/access/sign-in.ts";

export const signIn = defineEndpoint({
  id: "sessions.sign_in",
  method: "POST",
  path: "/account/sessions",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "Sign a browser in: a session of its own, in place of the one it had.",
  input: z.object({ email: typedEmail(), password: typedPassword(), user_agent: z.string().nullable() }),
  output: z.object({ secret: z.string() }),
  success: [201],
  errors: ["unauthorized", "rate_limited"],
  example: {
    input: { email: "you@example.org", password: "correct horse battery", user_agent: "Firefox" },
    output: { secret: "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA" },
  },

  async handle({ email, password, user_agent }, context) {
    const { stores, caller, now, people, fail } = context;
    const giveTryBack = await countPasswordTry(email, caller, context);
    const known = await stores.accounts.credentials(email);
    const right = await people.passwords.matches(password, known?.passwordHash ?? null);
    if (!known || !right) return fail("unauthorized", "The e-mail address or the password is wrong.");
    await giveTryBack();
    if (known.account.role === "suspended")
      return fail("unauthorized", "This account is suspended. The operator of this service knows why.");
    if (caller.kind === "session") await stores.sessions.end(caller.session.id, caller.account.id);
    const { secret } = await startSession(context, known.account, user_agent, now);
    return created({ secret });
  },
});
