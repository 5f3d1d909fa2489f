import type { Instant } from "../time.ts";
import type { Account, ApiToken, PresentedToken } from "./account.ts";
import type { PlanName } from "./plan.ts";
import type { Consumed, WindowRule, WindowState } from "./rate-window.ts";
import type { Role } from "./scope.ts";
import type { Session } from "./session.ts";

export interface AccountStore {
  /** False when the e-mail address is taken (compared without case). */
  create(account: Account, passwordHash: string | null): Promise<boolean>;
  list(): Promise<Account[]>;
  /** An account with what its password is checked against. */
  credentials(email: string): Promise<{ account: Account; passwordHash: string | null } | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** An upgrade keeps the author's reports that have not expired yet for good; a lapse sets no expiry. */
  setPlan(id: string, plan: PlanName, now: Instant): Promise<void>;
  setRole(id: string, role: Role): Promise<void>;
  setEmailVerified(id: string, verified: boolean): Promise<void>;
  setPasswordHash(id: string, passwordHash: string): Promise<void>;
}

export interface TokenStore {
  /** False when the account already has `limit` active tokens; counted in the same step as the insertion. */
  create(token: ApiToken, digest: string, limit: number): Promise<boolean>;
  present(digest: string, now: Instant): Promise<PresentedToken | null>;
  revoke(id: string, now: Instant): Promise<void>;
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
  /** Ends every session of the account but one; null ends all. */
  endOthers(accountId: string, kept: string | null): Promise<void>;
}

export interface RateWindowStore {
  /**
   * Counts one call in every rule's window, or in none when one of them is full: a single atomic step
   * whatever number of processes asks.
   */
  consume(rules: readonly WindowRule[], now: Instant): Promise<Consumed>;
  /** The states without counting. */
  peek(rules: readonly WindowRule[], now: Instant): Promise<WindowState[]>;
}
