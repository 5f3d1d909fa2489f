import { z } from "zod";
import {
  factorStepMs,
  normalRecoveryCode,
  groupedCode,
  recoveryCodes,
  setUpMs,
} from "../../core/access/second-factor.ts";
import type { StoredPassword } from "../../core/access/stored-password.ts";
import type { Instant } from "../../core/time.ts";
import type { Secrets } from "./secrets.ts";
import { sealer, type Sealer } from "./sealed.ts";

/** The purpose is part of the key: with another name, no stored secret would open. */
export const factorSealer = (secrets: readonly string[]): Sealer => sealer(secrets, "second factors");

export const factorBinding = (accountId: string): string => `secret of ${accountId}`;
const setUpBinding = (accountId: string): string => `set-up of ${accountId}`;
const stepBinding = "sign-in";

export const sealFactorSecret = (factors: Sealer, accountId: string, secret: string): string =>
  factors.seal(secret, factorBinding(accountId));

/** Null if it cannot be opened. */
export const openFactorSecret = (factors: Sealer, accountId: string, sealed: string): string | null =>
  factors.open(sealed, factorBinding(accountId));

const SetUp = z.object({ secret: z.string(), until: z.int() });

/** A secret that its person has not confirmed yet: the page keeps it, and the service keeps nothing. */
export const sealSetUp = (factors: Sealer, accountId: string, secret: string, now: Instant): string =>
  factors.seal(JSON.stringify({ secret, until: now + setUpMs }), setUpBinding(accountId));

export function openSetUp(factors: Sealer, accountId: string, sealed: string, now: Instant): string | null {
  const text = factors.open(sealed, setUpBinding(accountId));
  const setUp = text === null ? null : SetUp.parse(JSON.parse(text));
  return setUp !== null && setUp.until > now ? setUp.secret : null;
}

const PasswordStep = z.object({ id: z.string(), email: z.string(), generation: z.int(), until: z.int() });
type PasswordStep = z.infer<typeof PasswordStep>;

/** Proves that the password was typed, which is the first of two steps of a sign-in. */
export const sealPasswordStep = (factors: Sealer, known: StoredPassword, now: Instant): string =>
  factors.seal(
    JSON.stringify({
      id: known.account.id,
      email: known.account.email,
      generation: known.deviceGeneration,
      until: now + factorStepMs,
    } satisfies PasswordStep),
    stepBinding,
  );

/** Null if it is too old, or was not sealed by this service. */
export function openPasswordStep(factors: Sealer, sealed: string, now: Instant): PasswordStep | null {
  const text = factors.open(sealed, stepBinding);
  const step = text === null ? null : PasswordStep.parse(JSON.parse(text));
  return step !== null && step.until > now ? step : null;
}

/** Only the digests are kept. A code has 16 of 31 characters, 79 bits, too many to guess it from a digest. */
export function newRecoveryCodes({ newLinkCode, digest }: Pick<Secrets, "newLinkCode" | "digest">): {
  readonly codes: string[];
  readonly digests: string[];
} {
  const codes = Array.from({ length: recoveryCodes }, () => groupedCode(newLinkCode() + newLinkCode()));
  return { codes, digests: codes.map((code) => digest(normalRecoveryCode(code))) };
}
