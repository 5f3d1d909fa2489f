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

/** How what belongs to second factors is kept. The purpose is part of the key: another name would open none of it. */
export const factorSealer = (secrets: readonly string[]): Sealer => sealer(secrets, "second factors");

/** What the secret of the program that makes codes for an account is sealed for. */
export const factorBinding = (accountId: string): string => `secret of ${accountId}`;
const setUpBinding = (accountId: string): string => `set-up of ${accountId}`;
const stepBinding = "sign-in";

export const sealFactorSecret = (factors: Sealer, accountId: string, secret: string): string =>
  factors.seal(secret, factorBinding(accountId));

/** Null when it opens no more. */
export const openFactorSecret = (factors: Sealer, accountId: string, sealed: string): string | null =>
  factors.open(sealed, factorBinding(accountId));

const SetUp = z.object({ secret: z.string(), until: z.int() });

/** A secret that its person has not yet proved to have: the page keeps it, and the service keeps nothing. */
export const sealSetUp = (factors: Sealer, accountId: string, secret: string, now: Instant): string =>
  factors.seal(JSON.stringify({ secret, until: now + setUpMs }), setUpBinding(accountId));

export function openSetUp(factors: Sealer, accountId: string, sealed: string, now: Instant): string | null {
  const text = factors.open(sealed, setUpBinding(accountId));
  const setUp = text === null ? null : SetUp.parse(JSON.parse(text));
  return setUp !== null && setUp.until > now ? setUp.secret : null;
}

const PasswordStep = z.object({ id: z.string(), email: z.string(), generation: z.int(), until: z.int() });
type PasswordStep = z.infer<typeof PasswordStep>;

/** That somebody typed the password of an account, which is the first of two steps of a sign-in. */
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

/** Null when it is too old, or nobody sealed it. */
export function openPasswordStep(factors: Sealer, sealed: string, now: Instant): PasswordStep | null {
  const text = factors.open(sealed, stepBinding);
  const step = text === null ? null : PasswordStep.parse(JSON.parse(text));
  return step !== null && step.until > now ? step : null;
}

/**
 * New recovery codes, and the digests of them that are kept. Each has 16 characters of an alphabet of 31: 79 bits, so
 * that a digest of it tells nobody what it is.
 */
export function newRecoveryCodes({ newLinkCode, digest }: Pick<Secrets, "newLinkCode" | "digest">): {
  readonly codes: string[];
  readonly digests: string[];
} {
  const codes = Array.from({ length: recoveryCodes }, () => groupedCode(newLinkCode() + newLinkCode()));
  return { codes, digests: codes.map((code) => digest(normalRecoveryCode(code))) };
}
