import { action } from "../../contract/endpoint/action.ts";
import { selectStoredPassword } from "../../store/access/account-entry.ts";
import { hasSecondFactor } from "../../store/access/second-factors.ts";
import { sealPasswordStep } from "../../app/access/factor-secrets.ts";
import { letIn, ownerOf } from "./let-in.ts";
import { z } from "zod";
import type { AnonymousCaller, SessionCaller } from "../../contract/call/caller.ts";
import type { Context, Fail } from "../../contract/call/context.ts";
import { noteSecurity, notingRefusal } from "../../contract/call/security-notes.ts";
import { countPasswordTry } from "../../contract/limits/attempt-limits.ts";
import { typedEmail, typedPassword } from "../../core/access/sign-in.ts";
import type { StoredPassword } from "../../core/access/stored-password.ts";

/** The new session replaces the one that the browser had. */
export const signIn = action({
  id: "sessions.sign_in",
  who: "anyone",
  input: {
    email: typedEmail(),
    password: typedPassword(),
    user_agent: z.string().nullable(),
    /** The cookie that remembers earlier sign-ins in this browser. */
    device: z.string().nullable().default(null),
  },
  errors: ["unauthorized", "rate_limited"],

  async run({ email, password, user_agent, device }, context) {
    const { db, now, people, fail } = context;
    const known = await db.read(selectStoredPassword, email);
    const name = known && people.devices.nameOf(device, ownerOf(known), now);
    const accountId = known?.account.id ?? null;
    const right = await notingRefusal(context, "sign_in_refused", { accountId }, () =>
      checkPassword(email, password, known, name, context),
    );
    const { account } = right;
    if (account.role === "suspended") {
      noteSecurity(context, "sign_in_refused", { accountId, detail: "suspended account" });
      return fail("unauthorized", "This account is suspended. Ask the operator of this service.");
    }
    // If the account has a second factor, the password alone does not sign in.
    if (await db.read(hasSecondFactor, account.id))
      return { let_in: null, password_step: sealPasswordStep(people.factors, right, now) };
    return { let_in: await letIn(right, { user_agent, device }, context), password_step: null };
  },
});

type SigningIn = Omit<Context<AnonymousCaller | SessionCaller, never>, "fail">;

/** Counts the try before the password is checked; a known browser has its own window. */
async function checkPassword(
  email: string,
  password: string,
  known: StoredPassword | null,
  device: string | null,
  context: SigningIn & { readonly fail: Fail<"unauthorized" | "rate_limited"> },
): Promise<StoredPassword> {
  const { caller, people, fail } = context;
  const own = device === null ? null : ({ kind: "device_password", key: device } as const);
  const giveTryBack = await countPasswordTry(email, caller, own, context);
  const right = await people.passwords.matches(password, known?.passwordHash ?? null);
  if (!known || !right)
    return fail(
      "unauthorized",
      "The e-mail address or the password is wrong. Try again, or request a new password.",
    );
  await giveTryBack();
  return known;
}
