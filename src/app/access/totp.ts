import { Secret, TOTP } from "otpauth";
import { stepMs } from "../../core/access/second-factor.ts";
import type { Instant } from "../../core/time.ts";

/** SHA-1, six digits, 30 seconds: programs that make codes ignore anything else in the link (RFC 6238). */
const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: "Tickmark",
    label,
    algorithm: "SHA1",
    digits: 6,
    period: stepMs / 1000,
    secret: Secret.fromBase32(secret),
  });

/** A new secret of 160 bits, in Base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The link that a program which makes codes opens. */
export const totpLink = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The step whose code this is, of the one at `now` and those beside it; null when it is none of them. */
export function stepOfCode(secret: string, code: string, now: Instant): number | null {
  const delta = totpOf(secret, "").validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / stepMs) + delta;
}
