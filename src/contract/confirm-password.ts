import { verify } from "@node-rs/argon2";
import type { SessionCaller } from "./caller.ts";
import type { Context, Fail } from "./context.ts";

type Confirming = Pick<Context<SessionCaller, never>, "stores" | "caller"> & {
  readonly fail: Fail<"unauthorized" | "rate_limited">;
};

/** Makes sure that whoever sits at a signed-in browser knows the account's password. */
export async function confirmPassword(
  password: string,
  { stores, caller, fail }: Confirming,
): Promise<void> {
  const known = await stores.accounts.credentials(caller.account.email);
  const hash = known?.passwordHash ?? null;
  if (hash !== null && (await verify(hash, password.normalize("NFKC")))) return;
  fail("unauthorized", "That is not the password of this account. Nothing was changed.");
}
