import { openPasswordStep } from "../../app/access/factor-secrets.ts";
import type { AnonymousCaller, SessionCaller } from "../../contract/call/caller.ts";
import type { Context, Fail } from "../../contract/call/context.ts";
import type { StoredPassword } from "../../core/access/stored-password.ts";
import { selectStoredPassword } from "../../store/access/account-entry.ts";

/** Refuses a password step that is too old, or older than a change of the account. */
export async function accountOfStep(
  passwordStep: string,
  {
    db,
    now,
    people,
    fail,
  }: Pick<Context<AnonymousCaller | SessionCaller, never>, "db" | "now" | "people"> & {
    readonly fail: Fail<"invalid_state">;
  },
): Promise<StoredPassword> {
  const step = openPasswordStep(people.factors, passwordStep, now);
  const known = step && (await db.read(selectStoredPassword, step.email));
  if (
    !step ||
    !known ||
    known.account.id !== step.id ||
    known.deviceGeneration !== step.generation ||
    known.account.role === "suspended"
  )
    return fail("invalid_state", "This took too long, or the account changed. Type the password again.");
  return known;
}
