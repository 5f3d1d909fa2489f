import type { ClaimResult } from "../../core/server/records.ts";
import { revokeCredentials } from "../../store/access/credentials.ts";
import { type Work, all, one, run, type Database } from "../../store/engine/database.ts";
import { findClaim, insertCredential, lockClaim, lockClaimedCredentials } from "../../store/server/links.ts";
import { holdLinked } from "../../store/server/locks.ts";

function* issueCredential(claim: string, digest: string, now: number): Work<ClaimResult> {
  const code = yield* one(lockClaim, { claim });
  if (code?.server_id == null) return { kind: "unknown" };
  if ((yield* holdLinked(code.server_id)) === null) return { kind: "unknown" };
  const earlier = yield* all(lockClaimedCredentials, { claim });
  if (earlier.some(({ first_used_at }) => first_used_at !== null)) return { kind: "unknown" };
  yield* run(revokeCredentials, { server: code.server_id, now });
  yield* run(insertCredential, { digest, server: code.server_id, claim, now });
  return { kind: "linked", serverId: code.server_id };
}

/** Gives a plugin its server's credential. Early claims and guesses are answered without a write. */
export async function claimCredential(
  db: Database,
  claim: string,
  digest: string,
  now: number,
): Promise<ClaimResult> {
  const code = await db.read(() => one(findClaim, { claim }));
  if (!code) return { kind: "unknown" };
  if (code.server_id === null) return code.expires_at > now ? { kind: "pending" } : { kind: "unknown" };
  return db.write(() => issueCredential(claim, digest, now));
}
