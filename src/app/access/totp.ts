import { Secret, TOTP } from "otpauth";
import { stepMs } from "../../core/access/second-factor.ts";
import type { Instant } from "../../core/time.ts";

/** SHA-1, six digits, 30 seconds: authenticator apps ignore other values in the link (RFC 6238). */
const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: "Tickmark",
    label,
    algorithm: "SHA1",
    digits: 6,
    period: stepMs / 1000,
    secret: Secret.fromBase32(secret),
  });

/** 160 bits, in Base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** Authenticator apps open this link. */
export const totpLink = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The time step of the code, at `now` or one beside it; null if the code is wrong. */
export function stepOfCode(secret: string, code: string, now: Instant): number | null {
  const delta = totpOf(secret, "").validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / stepMs) + delta;
}
