import { dayMs, hourMs, type Instant } from "../time.ts";

export type CodePurpose = "invitation" | "verify_email" | "reset_password" | "open_factor";

/** A code from a mailed link; only its digest is stored. */
export interface OneTimeCode {
  readonly id: string;
  readonly purpose: CodePurpose;
  /** Account whose address or password it is about; for an invitation, the inviting admin. */
  readonly accountId: string;
  /** Address it was sent to: the code is void if the account's address has changed since. */
  readonly email: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export const codeLifetimeMs: Readonly<Record<CodePurpose, number>> = {
  invitation: 7 * dayMs,
  verify_email: 3 * dayMs,
  reset_password: hourMs,
  open_factor: dayMs,
};

/** Characters of the set-up code (100 bits), shown in groups so that a person can copy it from a log. */
export const setUpCodeLength = 20;
const setUpGroup = 5;

export const formatSetUpCode = (code: string): string =>
  (code.match(new RegExp(`.{1,${setUpGroup}}`, "g")) ?? []).join("-");

export const normalizeSetUpCode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
