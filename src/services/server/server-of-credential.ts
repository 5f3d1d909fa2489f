import type { PresentedServer } from "../../core/server/records.ts";
import {
  type CredentialRow,
  markCredentialUsed,
  verifyServer,
  findByCredential,
  findFormerCredential,
} from "../../store/access/presented-credentials.ts";
import { type Work, run, one, type Database } from "../../store/engine/database.ts";
import { lockServer } from "../../store/server/locks.ts";
import { toMonitored } from "../../store/server/server-rows.ts";

const isFirstUse = ({ revoked_at, first_used_at, verified_at }: CredentialRow): boolean =>
  revoked_at === null && (first_used_at === null || verified_at === null);

/**
 * Checks again under the lock, because a repeated claim may be replacing the credential. It locks the server
 * before the credential, as leaving the account does.
 */
function* verifyByFirstUse(digest: string, id: string, now: number): Work<CredentialRow | null> {
  yield* lockServer(id);
  const found = yield* one(findByCredential, { digest });
  if (!found || !isFirstUse(found)) return found;
  yield* run(markCredentialUsed, { digest, now });
  yield* run(verifyServer, { id, now });
  return { ...found, first_used_at: found.first_used_at ?? now, verified_at: found.verified_at ?? now };
}

/** For a credential that no linked server has. */
async function formerly(db: Database, digest: string): Promise<PresentedServer | null> {
  const known = await db.read(() => one(findFormerCredential, { digest }));
  return known && { kind: "revoked", serverId: null };
}

/** Also records the first use. Null if the credential is unknown. */
export async function serverOfCredential(
  db: Database,
  digest: string,
  now: number,
): Promise<PresentedServer | null> {
  const found = await db.read(() => one(findByCredential, { digest }));
  if (!found) return await formerly(db, digest);
  const row = isFirstUse(found)
    ? await db.writeFor(found.id, verifyByFirstUse, digest, found.id, now)
    : found;
  if (!row) return await formerly(db, digest);
  return row.revoked_at === null
    ? { kind: "linked", server: toMonitored(row) }
    : { kind: "revoked", serverId: row.id };
}
