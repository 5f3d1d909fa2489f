import { codeLifetimeMs, type CodePurpose, type OneTimeCode } from "../../core/access/one-time-code.ts";
import type { Instant } from "../../core/time.ts";
import type { Secrets } from "./secrets.ts";

interface Making {
  readonly secrets: Secrets;
  readonly now: Instant;
}

/** `kept` and `digest` are stored; `id` is the account that the code is about. */
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
