import type { Act } from "../service-log/entry.ts";
import type { Instant } from "../time.ts";
import type { Account, ApiToken, ListedToken, PresentedToken } from "./account.ts";
import type { CodePurpose, OneTimeCode } from "./one-time-code.ts";
import type { PlanName } from "./plan.ts";
import type { Consumed, WindowRule, WindowState } from "./rate-window.ts";
import type { Role } from "./scope.ts";
import type { Session } from "./session.ts";

/** What a sign-in is checked against. */
export interface StoredPassword {
  readonly account: Account;
  readonly passwordHash: string | null;
  /** A browser is known to the account as long as it was remembered for this one. */
  readonly deviceGeneration: number;
}

/** An act that is told is written into the service's log, with the change or not at all. */
export interface AccountStore {
  /** False when the e-mail address is taken (compared without case). */
  create(account: Account, passwordHash: string | null, act?: Act): Promise<boolean>;
  list(): Promise<Account[]>;
  findByEmail(email: string): Promise<Account | null>;
  /** An upgrade keeps the author's reports that have not expired yet for good; a lapse sets no expiry. */
  setPlan(id: string, plan: PlanName, now: Instant, act?: Act): Promise<void>;
  setRole(id: string, role: Role): Promise<void>;
  setEmailVerified(id: string, verified: boolean, act?: Act): Promise<void>;
  /** Whether the service has an account at all. */
  any(): Promise<boolean>;
  /** The first account of a service; false when there is one already, however many ask at once. */
  createFirst(account: Account, passwordHash: string, act?: Act): Promise<boolean>;
  /** Makes an account and uses the invitation up, both or neither. */
  createInvited(
    account: Account,
    passwordHash: string,
    invitation: string,
  ): Promise<"created" | "taken" | "unknown_code">;
  /** What a sign-in is checked against; null when no account has that address. */
  credentials(email: string): Promise<StoredPassword | null>;
  /** A new password ends every session but `keptSession`, and every code that would reset it. */
  changePassword(id: string, passwordHash: string, keptSession: string | null, act?: Act): Promise<void>;
  /** The address is unverified from then on; false when another account has it. */
  setEmail(id: string, email: string): Promise<boolean>;
  /** Uses the code up, and verifies the address it was sent to; null when it cannot be used. */
  verifyEmailBy(digest: string, now: Instant): Promise<Account | null>;
  /** Uses the code up, and changes the password; every session of the account ends. */
  resetPasswordBy(digest: string, passwordHash: string, now: Instant): Promise<Account | null>;
}

/** Of invitations alone an act is written into the service's log. */
export interface OneTimeCodeStore {
  /** Takes the place of the account's codes for the same purpose; invitations stand beside one another. */
  create(code: OneTimeCode, digest: string, act?: Act): Promise<void>;
  /** The code, while it can be used. */
  find(digest: string, purpose: CodePurpose, now: Instant): Promise<OneTimeCode | null>;
  /** Invitations that can be used, newest first. */
  invitations(now: Instant): Promise<OneTimeCode[]>;
  /** Takes an invitation back; false when there is none to use. */
  withdraw(id: string, now: Instant, act?: Act): Promise<boolean>;
}

export interface TokenStore {
  /** False when the account already has `limit` active tokens; counted in the same step as the insertion. */
  create(token: ApiToken, digest: string, limit: number): Promise<boolean>;
  present(digest: string, now: Instant): Promise<PresentedToken | null>;
  /** The account's tokens that are not revoked and have not expired before `from`, newest first. */
  list(accountId: string, from: Instant): Promise<ListedToken[]>;
  revoke(id: string, now: Instant): Promise<void>;
  /** False when the account has no such token; true for one that was revoked before. */
  revokeOf(accountId: string, id: string, now: Instant): Promise<boolean>;
  markUsed(id: string, now: Instant): Promise<void>;
}

export interface SessionStore {
  create(session: Session, digest: string): Promise<void>;
  /** The session of that secret, and its account as of this moment; null when it is over, or never was. */
  present(digest: string, now: Instant): Promise<{ session: Session; account: Account } | null>;
  markUsed(id: string, now: Instant, expiresAt: Instant): Promise<void>;
  /** Sessions of the account that are not over, the last used first. */
  list(accountId: string, now: Instant): Promise<Session[]>;
  /** Ends one session of the account; false when it has no such session. */
  end(id: string, accountId: string): Promise<boolean>;
  /** Ends every session of the account but one, null ends all; and forgets the browsers it remembered. */
  endOthers(accountId: string, kept: string | null): Promise<void>;
}

export interface RateWindowStore {
  /**
   * Counts one call in every rule's window, or in none when one of them is full: a single atomic step
   * whatever number of processes asks.
   */
  consume(rules: readonly WindowRule[], now: Instant): Promise<Consumed>;
  /** Takes one counted call back, unless the window that counted it, which ends at `resetAt`, is over. */
  giveBack(rule: WindowRule, resetAt: Instant): Promise<void>;
  /** Closes a window: the next call opens it anew. */
  close(rule: WindowRule): Promise<void>;
  /** The states without counting. */
  peek(rules: readonly WindowRule[], now: Instant): Promise<WindowState[]>;
}
