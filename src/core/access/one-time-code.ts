import { dayMs, hourMs, type Instant } from "../time.ts";

/** What a code that works once lets its holder do. */
export type CodePurpose = "invitation" | "verify_email" | "reset_password" | "open_factor";

/** A code that works once and for a time, sent to a person in a link. Of the code itself only a digest is kept. */
export interface OneTimeCode {
  readonly id: string;
  readonly purpose: CodePurpose;
  /** Whose address or password it is about; of an invitation the admin who made it. */
  readonly accountId: string;
  /** The address it was sent to: one that is no longer the account's confirms and resets nothing. */
  readonly email: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** How long a code can be used, ms. */
export const codeLifetimeMs: Readonly<Record<CodePurpose, number>> = {
  invitation: 7 * dayMs,
  verify_email: 3 * dayMs,
  reset_password: hourMs,
  open_factor: dayMs,
};

/** The code that makes the first account: 100 bits, in groups that a person can copy from a log. */
export const setUpCodeLength = 20;
const setUpGroup = 5;

export const formatSetUpCode = (code: string): string =>
  (code.match(new RegExp(`.{1,${setUpGroup}}`, "g")) ?? []).join("-");

/** The code in its one spelling, however it was typed. */
export const normalizeSetUpCode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
