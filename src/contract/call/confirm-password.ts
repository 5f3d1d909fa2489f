import { selectStoredPassword } from "../../store/access/account-entry.ts";
import { countPasskeys } from "../../store/access/passkeys.ts";
import { updateSessionProven } from "../../store/access/sessions.ts";
import type { SessionCaller } from "./caller.ts";
import type { Context, Fail } from "./context.ts";
import { notingRefusal } from "./security-notes.ts";
import { confirmFactor } from "./confirm-factor.ts";
import { countPasswordTry } from "../limits/attempt-limits.ts";

type Confirming = Pick<
  Context<SessionCaller, never>,
  "db" | "caller" | "now" | "secrets" | "people" | "security"
> & {
  readonly fail: Fail<"unauthorized" | "rate_limited">;
};

/**
 * Checks the password of a signed-in person, and the second factor if there is one. Tries are counted.
 * Afterwards the session counts as proven for a while.
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
  await confirmOwnFactor(secondFactor, context);
}

/** Checks password and second factor, or a passkey alone, which replaces both as in a sign-in. */
export async function confirmPasswordOrPasskey(
  password: string,
  secondFactor: string,
  context: Confirming,
): Promise<void> {
  const { db, caller } = context;
  const byPasskey = password === "" && secondFactor.startsWith("{");
  if (byPasskey && (await db.read(countPasskeys, caller.account.id)) > 0)
    return confirmOwnFactor(secondFactor, context);
  await confirmPassword(password, secondFactor, context);
}

async function confirmOwnFactor(secondFactor: string, context: Confirming): Promise<void> {
  const { db, caller, now } = context;
  const own = { kind: "session_factor", key: caller.account.id } as const;
  await confirmFactor(caller.account, secondFactor, own, context);
  await db.write(updateSessionProven, caller.session.id, now);
}
