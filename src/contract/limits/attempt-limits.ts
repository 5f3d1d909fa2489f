import type { Database } from "../../store/engine/database.ts";
import { consumeWindows, giveBackToWindow, closeWindow } from "../../store/access/rate-windows.ts";
import type { Account } from "../../core/access/account.ts";
import type { WindowRule, WindowState } from "../../core/access/rate-window.ts";
import { attemptsAllowed } from "../../core/access/sign-in.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import type { AnonymousCaller, SessionCaller } from "../call/caller.ts";
import type { Context, Fail } from "../call/context.ts";
import { secondsUntil } from "./quota.ts";
import { Refusal } from "../../core/errors.ts";

type Trying = Pick<Context<AnonymousCaller | SessionCaller, never>, "db" | "now" | "secrets"> & {
  readonly fail: Fail<"rate_limited">;
};

const addressTry = (address: string): WindowRule => ({
  kind: "address_password",
  key: address,
  ...attemptsAllowed.address,
});

/** Counted by mail address, so that an address without an account fills up like that of an account. */
const accountTry = (email: string, { secrets }: Pick<Trying, "secrets">): WindowRule => ({
  kind: "account_password",
  key: secrets.digest(email),
  ...attemptsAllowed.account,
});

/** A browser of the account's own: the account it is signed in to, or the name it is remembered by. */
export type OwnBrowser =
  | { readonly kind: "session_password"; readonly key: string }
  | { readonly kind: "device_password"; readonly key: string };

/** Whoever does not know the password fills the account's window; its own browsers have windows apart from that. */
const windowsOf = (
  email: string,
  address: string,
  own: OwnBrowser | null,
  trying: Pick<Trying, "secrets">,
): [ofAddress: WindowRule, whose: WindowRule] =>
  own === null
    ? [addressTry(address), accountTry(email, trying)]
    : [
        { kind: "address_own_password", key: address, ...attemptsAllowed.ownBrowsersOfAddress },
        { ...own, ...attemptsAllowed.ownBrowser },
      ];

/**
 * Counts one try of a password; refused before the password is looked at. What it answers takes the try back from
 * its window: it is called once the password proved right, so that guesses alone fill the window. The address's
 * own window counts every try, since each costs a hash.
 */
export async function countPasswordTry(
  email: string,
  { address }: { readonly address: string },
  own: OwnBrowser | null,
  trying: Trying,
): Promise<() => Promise<void>> {
  const rules = windowsOf(email, address, own, trying);
  const states = await countTry(rules, "to sign in or to confirm a password", trying);
  const resetAt = states[1]?.resetAt ?? null;
  return async () => {
    if (resetAt !== null) await trying.db.writeRelaxed(giveBackToWindow, rules[1], resetAt);
  };
}

/** Where a code of a second factor is typed; a browser of the account's own has tries apart from those of others. */
export interface FactorBrowser {
  readonly kind: "account_factor" | "session_factor" | "device_factor";
  readonly key: string;
}

/** Counts one code of a second factor; what it answers takes the try back once the code proved right. */
export async function countFactorTry(
  browser: FactorBrowser,
  trying: Trying & { readonly caller: { readonly address: string } },
): Promise<() => Promise<void>> {
  const own: WindowRule = { ...browser, ...attemptsAllowed.factor };
  const ofAddress: WindowRule = {
    kind: "address_factor",
    key: trying.caller.address,
    ...attemptsAllowed.factorsOfAddress,
  };
  const states = await countTry([ofAddress, own], "of a second factor", trying);
  const resetAt = states[1]?.resetAt ?? null;
  return async () => {
    if (resetAt !== null) await trying.db.writeRelaxed(giveBackToWindow, own, resetAt);
  };
}

/** Forgets the tries of an account whose owner proved in another way to be that, and has a new password. */
export async function forgetPasswordTries(
  { id, email }: Pick<Account, "id" | "email">,
  { db, secrets }: { readonly db: Database; readonly secrets: Trying["secrets"] },
): Promise<void> {
  await db.writeRelaxed(closeWindow, accountTry(email, { secrets }));
  await db.writeRelaxed(closeWindow, { kind: "session_password", key: id, ...attemptsAllowed.ownBrowser });
}

/** Counts one try of the set-up code. */
export async function countSetUpTry(
  { address }: { readonly address: string },
  trying: Trying,
): Promise<void> {
  await countTry([addressTry(address)], "to set this service up", trying);
}

/** Counts one new account of an address. */
export async function countSignUp({ address }: { readonly address: string }, trying: Trying): Promise<void> {
  await countTry(
    [{ kind: "address_sign_up", key: address, ...attemptsAllowed.signUp }],
    "to make an account",
    trying,
  );
}

/** Counts one mail that somebody asks for, whoever has the address it goes to. */
export async function countMail(
  email: string,
  { address }: { readonly address: string },
  trying: Trying,
): Promise<void> {
  await countTry(
    [
      { kind: "address_mail", key: address, ...attemptsAllowed.mailsOfAddress },
      { kind: "account_mail", key: trying.secrets.digest(email), ...attemptsAllowed.mail },
    ],
    "to request a mail",
    trying,
  );
}

async function countTry(
  rules: readonly WindowRule[],
  what: string,
  { db, now, fail }: Trying,
): Promise<readonly WindowState[]> {
  const { granted, full, states } = await consumeWindows(db, rules, now);
  if (granted) return states;
  const resetAt = states[full ?? 0]?.resetAt ?? now + minuteMs;
  const minutes = Math.max(1, Math.ceil((resetAt - now) / minuteMs));
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return fail(
    "rate_limited",
    `Too many attempts ${what}. Wait ${wait}, then try again.`,
    {},
    secondsUntil(resetAt, now),
  );
}

/** How often one address may try something for which it needs no credential. */
export type AttemptLimit = Omit<WindowRule, "key">;
/** Counts an attempt of an address, whatever comes of it: null, or the seconds it has to wait for the next one. */
export async function countAttempt(
  db: Database,
  limit: AttemptLimit,
  address: string,
  now: Instant,
): Promise<number | null> {
  const { granted, states } = await consumeWindows(db, [{ ...limit, key: address }], now);
  return granted ? null : secondsUntil(states[0]?.resetAt ?? now + limit.lengthMs, now);
}

export const tooManyAttempts = (message: string, retryAfterSeconds: number): Refusal =>
  new Refusal("rate_limited", message, {}, retryAfterSeconds);
