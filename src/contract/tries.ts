import type { WindowRule, WindowState } from "../core/access/rate-window.ts";
import { tries } from "../core/access/sign-in.ts";
import { minuteMs } from "../core/time.ts";
import type { AnonymousCaller, SessionCaller } from "./caller.ts";
import type { Context, Fail } from "./context.ts";
import { secondsUntil } from "./windows.ts";

type Trying = Pick<Context<AnonymousCaller | SessionCaller, never>, "stores" | "now" | "secrets"> & {
  readonly fail: Fail<"rate_limited">;
};

const addressTry = (address: string): WindowRule => ({
  kind: "address_password",
  key: address,
  ...tries.address,
});

/** Told apart by the mail address, so that one that nobody has fills up like one of an account. */
const accountTry = (email: string, { secrets }: Pick<Trying, "secrets">): WindowRule => ({
  kind: "account_password",
  key: secrets.digest(email),
  ...tries.account,
});

/**
 * Counts one try of a password; refused before the password is looked at. What it answers takes the try back from
 * the account: it is called once the password proved right, so that guesses alone fill the window. The address's
 * own window counts every try, since each costs a hash.
 */
export async function countPasswordTry(
  email: string,
  { address }: { readonly address: string },
  trying: Trying,
): Promise<() => Promise<void>> {
  const ofAccount = accountTry(email, trying);
  const states = await countTry(
    [addressTry(address), ofAccount],
    "to sign in or to confirm a password",
    trying,
  );
  const resetAt = states[1]?.resetAt ?? null;
  return async () => {
    if (resetAt !== null) await trying.stores.rates.giveBack(ofAccount, resetAt);
  };
}

/** Forgets the tries of an account whose owner proved in another way to be that, and has a new password. */
export const forgetPasswordTries = (
  email: string,
  {
    stores,
    secrets,
  }: { readonly stores: Pick<Trying["stores"], "rates">; readonly secrets: Trying["secrets"] },
): Promise<void> => stores.rates.close(accountTry(email, { secrets }));

/** Counts one try of the set-up code. */
export async function countSetUpTry(
  { address }: { readonly address: string },
  trying: Trying,
): Promise<void> {
  await countTry([addressTry(address)], "to set this service up", trying);
}

/** Counts one new account of an address. */
export async function countSignUp({ address }: { readonly address: string }, trying: Trying): Promise<void> {
  await countTry([{ kind: "address_sign_up", key: address, ...tries.signUp }], "to make an account", trying);
}

/** Counts one mail that somebody asks for, whoever has the address it goes to. */
export async function countMail(
  email: string,
  { address }: { readonly address: string },
  trying: Trying,
): Promise<void> {
  await countTry(
    [
      { kind: "address_mail", key: address, ...tries.mailsOfAddress },
      { kind: "account_mail", key: trying.secrets.digest(email), ...tries.mail },
    ],
    "to have a mail sent",
    trying,
  );
}

async function countTry(
  rules: readonly WindowRule[],
  what: string,
  { stores, now, fail }: Trying,
): Promise<readonly WindowState[]> {
  const { granted, full, states } = await stores.rates.consume(rules, now);
  if (granted) return states;
  const resetAt = states[full ?? 0]?.resetAt ?? now + minuteMs;
  const minutes = Math.max(1, Math.ceil((resetAt - now) / minuteMs));
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return fail(
    "rate_limited",
    `There were too many tries ${what}. Wait ${wait}.`,
    {},
    secondsUntil(resetAt, now),
  );
}
