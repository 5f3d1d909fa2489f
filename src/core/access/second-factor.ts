import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { minuteMs, type Instant } from "../time.ts";

/** One code is valid for this long, ms (the time step of RFC 6238 that authenticator apps use). */
export const stepMs = 30_000;

export const recoveryCodes = 10;

/** Time between the password and the code, and time to set up the second factor, ms. */
export const factorStepMs = 5 * minuteMs;
export const setUpMs = 30 * minuteMs;

export interface SecondFactor {
  readonly accountId: string;
  readonly sealedSecret: string;
  /** Newest time step with a used code: this and earlier steps are refused. */
  readonly lastStep: number;
  readonly enabledAt: Instant;
}

/**
 * A code of the app, a recovery code, or a passkey's assertion as JSON; empty if the account has no second
 * factor.
 */
export const typedFactor = (): z.ZodType<string> =>
  accepting(
    z.string().max(10_000),
    "a code of the second factor, a recovery code, or the answer of a passkey",
  );

/** The six digits of an app's code; null if it is something else. */
export function stepCodeOf(typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, "");
  return /^\d{6}$/.test(code) ? code : null;
}

/** The form whose digest is stored. */
export const normalRecoveryCode = (typed: string): string => typed.replaceAll(/[\s-]/g, "").toUpperCase();

export const groupedCode = (code: string): string => code.replaceAll(/(.{4})(?!$)/g, "$1-");
