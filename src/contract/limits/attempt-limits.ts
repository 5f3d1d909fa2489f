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

/** Counted by mail address, so that unknown addresses fill up just as those of accounts do. */
const accountTry = (email: string, { secrets }: Pick<Trying, "secrets">): WindowRule => ({
  kind: "account_password",
  key: secrets.digest(email),
  ...attemptsAllowed.account,
});

/** A browser that is signed in to the account, or remembered by it. */
export type OwnBrowser =
  | { readonly kind: "session_password"; readonly key: string }
  | { readonly kind: "device_password"; readonly key: string };

/** Guesses from elsewhere fill the account's window; its own browsers have separate windows. */
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
 * Call it before the password is checked. The function it returns takes the attempt back from the account's
 * window, so that only wrong passwords fill it. The address's window counts every attempt, because each costs
 * a hash.
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

/** The account's own browsers have separate windows. */
export interface FactorBrowser {
  readonly kind: "account_factor" | "session_factor" | "device_factor";
  readonly key: string;
}

/** Counts one attempt of a second factor. The function it returns takes it back after a right code. */
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

/** For an account whose password was just reset. */
export async function forgetPasswordTries(
  { id, email }: Pick<Account, "id" | "email">,
  { db, secrets }: { readonly db: Database; readonly secrets: Trying["secrets"] },
): Promise<void> {
  await db.writeRelaxed(closeWindow, accountTry(email, { secrets }));
  await db.writeRelaxed(closeWindow, { kind: "session_password", key: id, ...attemptsAllowed.ownBrowser });
}

export async function countSetUpTry(
  { address }: { readonly address: string },
  trying: Trying,
): Promise<void> {
  await countTry([addressTry(address)], "to set this service up", trying);
}

export async function countSignUp({ address }: { readonly address: string }, trying: Trying): Promise<void> {
  await countTry(
    [{ kind: "address_sign_up", key: address, ...attemptsAllowed.signUp }],
    "to make an account",
    trying,
  );
}

/** Counts a requested mail, by client address and by recipient. */
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

/** How often one address may try something that needs no credential. */
export type AttemptLimit = Omit<WindowRule, "key">;
/** Counts an attempt, whether it succeeds or not: null, or the seconds until the next one is allowed. */
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
