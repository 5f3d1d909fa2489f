import type { Instant } from "../time.ts";
import type { Account, ApiToken, PresentedToken } from "./account.ts";
import type { PlanName } from "./plan.ts";
import type { Consumed, WindowRule, WindowState } from "./rate-window.ts";
import type { Role } from "./scope.ts";

export interface AccountStore {
  /** False when the e-mail address is taken (compared without case). */
  create(account: Account, passwordHash: string | null): Promise<boolean>;
  list(): Promise<Account[]>;
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

export interface RateWindowStore {
  /**
   * Counts one call in every rule's window, or in none when one of them is full: a single atomic step
   * whatever number of processes asks.
   */
  consume(rules: readonly WindowRule[], now: Instant): Promise<Consumed>;
  /** The states without counting. */
  peek(rules: readonly WindowRule[], now: Instant): Promise<WindowState[]>;
}
