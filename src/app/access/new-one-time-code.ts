import { codeLifetimeMs, type CodePurpose, type OneTimeCode } from "../../core/access/one-time-code.ts";
import type { Instant } from "../../core/time.ts";
import type { Secrets } from "./secrets.ts";

interface Making {
  readonly secrets: Secrets;
  readonly now: Instant;
}

/** A new code for a link to that address, and what is kept of it. `id` is that of the account it is about. */
export function newOneTimeCode(
  purpose: CodePurpose,
  { id, email }: { readonly id: string; readonly email: string | null },
  { secrets, now }: Making,
): { readonly code: string; readonly kept: OneTimeCode; readonly digest: string } {
  const code = secrets.newNonce();
  const expiresAt = now + codeLifetimeMs[purpose];
  const kept = { id: secrets.newId(now), purpose, accountId: id, email, createdAt: now, expiresAt };
  return { code, kept, digest: secrets.digest(code) };
}
