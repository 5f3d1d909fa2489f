import { action } from "../../contract/endpoint/action.ts";
import { addAccount } from "../../services/access/add-account.ts";
import { addInvitedAccount } from "../../services/access/add-invited-account.ts";
import { selectOneTimeCode } from "../../store/access/one-time-codes.ts";
import { z } from "zod";
import type { Context } from "../../contract/call/context.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { startSession } from "../../contract/call/person.ts";
import { countSignUp } from "../../contract/limits/attempt-limits.ts";
import type { Account } from "../../core/access/account.ts";
import { newEmail, newPasswordField, typedCode } from "../../core/access/sign-in.ts";
import { sendVerification } from "./send-verification.ts";

/** The operator may close sign-up or require an invitation. */
export const signUp = action({
  id: "accounts.sign_up",
  who: "anyone",
  input: {
    email: newEmail(),
    password: newPasswordField(),
    invitation: typedCode().nullable(),
    user_agent: z.string().nullable(),
    /** The cookie that remembers earlier sign-ins in this browser. */
    device: z.string().nullable().default(null),
  },
  errors: ["rate_limited", "invalid_state"],

  async run({ email, password, invitation, user_agent, device }, context) {
    const { db, caller, now, secrets, people, fail } = context;
    if (people.signUp === "closed")
      return fail("invalid_state", "This service takes no sign-ups. Ask its operator for an account.");
    if (people.signUp === "invite" && invitation === null) return fail("invalid_state", invitationNeeded);
    await countSignUp(caller, context);
    // Checked before the password is hashed, because hashing is expensive.
    const refuseInvitation = (): never => {
      noteSecurity(context, "code_refused", { detail: "invitation" });
      return fail("invalid_state", invitationOver);
    };
    if (
      invitation !== null &&
      !(await db.read(selectOneTimeCode, secrets.digest(invitation), "invitation", now))
    )
      return refuseInvitation();
    const account: Account = {
      id: secrets.newId(now),
      email,
      emailVerified: false,
      plan: "free",
      role: "user",
      createdAt: now,
    };
    const made = await make(account, await people.passwords.hash(password), invitation, context);
    if (made === "unknown_code") return refuseInvitation();
    if (made === "taken")
      return fail(
        "invalid_state",
        "There is an account with this address already. Sign in, or request a new password.",
      );
    people.afterwards(async () => void (await sendVerification(account, context)));
    const { secret } = await startSession(context, account, user_agent, now);
    const owner = { accountId: account.id, generation: 0 };
    return { secret, device: people.devices.remember(device, owner, now) };
  },
});

const invitationNeeded = "Sign-up here needs an invitation. Open the link that an administrator gave you.";
const invitationOver = "The invitation was used already, was withdrawn, or has expired. Ask for a new one.";

async function make(
  account: Account,
  passwordHash: string,
  invitation: string | null,
  { db, secrets }: Pick<Context<unknown, never>, "db" | "secrets">,
): Promise<"created" | "taken" | "unknown_code"> {
  if (invitation !== null)
    return db.write(addInvitedAccount, account, passwordHash, secrets.digest(invitation));
  return (await db.write(addAccount, account, passwordHash)) ? "created" : "taken";
}
