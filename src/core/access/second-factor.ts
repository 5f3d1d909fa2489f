import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { minuteMs, type Instant } from "../time.ts";

/** One code of the program that makes them is good for so long, ms (RFC 6238, the step that every such program has). */
export const stepMs = 30_000;

/** Codes that get a person in who lost the program that makes codes; each works once. */
export const recoveryCodes = 10;

/** How long somebody may take from the password to the code, and to set the second factor up. */
export const factorStepMs = 5 * minuteMs;
export const setUpMs = 30 * minuteMs;

export interface SecondFactor {
  readonly accountId: string;
  readonly sealedSecret: string;
  /** The newest step whose code was used: none is accepted twice. */
  readonly lastStep: number;
  readonly enabledAt: Instant;
}

/**
 * A code as somebody typed it, of the program or a recovery code, or the answer of a passkey as JSON; empty where the
 * account has no second factor.
 */
export const typedFactor = (): z.ZodType<string> =>
  accepting(
    z.string().max(10_000),
    "a code of the second factor, a recovery code, or the answer of a passkey",
  );

/** The digits of a code of the program; null for anything else. */
export function stepCodeOf(typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, "");
  return /^\d{6}$/.test(code) ? code : null;
}

/** A recovery code in the one form whose digest is kept. */
export const normalRecoveryCode = (typed: string): string => typed.replaceAll(/[\s-]/g, "").toUpperCase();

/** Characters of a recovery code as a person reads them, in groups of four. */
export const groupedCode = (code: string): string => code.replaceAll(/(.{4})(?!$)/g, "$1-");
