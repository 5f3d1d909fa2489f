import { selectStoredPassword } from "../../store/access/account-entry.ts";
import type { SessionCaller } from "../call/caller.ts";
import type { Context, Fail } from "../call/context.ts";
import { notingRefusal } from "../call/security-notes.ts";
import { confirmFactor } from "./confirm-factor.ts";
import { countPasswordTry } from "../limits/attempt-limits.ts";

type Confirming = Pick<
  Context<SessionCaller, never>,
  "db" | "caller" | "now" | "secrets" | "people" | "security"
> & {
  readonly fail: Fail<"unauthorized" | "rate_limited">;
};

/**
 * Makes sure that whoever sits at a signed-in browser knows the account's password, and has its second factor if it
 * has one; tries are counted.
 */
export async function confirmPassword(
  password: string,
  secondFactor: string,
  context: Confirming,
): Promise<void> {
  const { db, caller, people, fail } = context;
  const { email, id } = caller.account;
  await notingRefusal(context, "password_refused", {}, async () => {
    const own = { kind: "session_password", key: id } as const;
    const giveTryBack = await countPasswordTry(email, caller, own, context);
    const known = await db.read(selectStoredPassword, email);
    if (await people.passwords.matches(password, known?.passwordHash ?? null)) return giveTryBack();
    fail(
      "unauthorized",
      "The password is wrong, and nothing was changed. Type the password of this account again.",
    );
  });
  await confirmFactor(caller.account, secondFactor, { kind: "session_factor", key: id }, context);
}
