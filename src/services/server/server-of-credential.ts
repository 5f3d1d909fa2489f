import type { PresentedServer } from "../../core/server/records.ts";
import {
  type CredentialRow,
  markCredentialUsed,
  verifyServer,
  findByCredential,
  findFormerCredential,
} from "../../store/access/presented-credentials.ts";
import { type Step, type Result, run, one, type Database } from "../../store/engine/database.ts";
import { toMonitored } from "../../store/server/server-rows.ts";

/** The first use counts only while the credential stands: a repeated claim may be replacing it right now. */
function* verifyByFirstUse(
  digest: string,
  id: string,
  now: number,
): Generator<Step, CredentialRow | null, Result> {
  if ((yield* run(markCredentialUsed, { digest, now })) === 1) yield* run(verifyServer, { id, now });
  return yield* one(findByCredential, { digest });
}

/** What is said of a credential that no linked server has. */
async function formerly(db: Database, digest: string): Promise<PresentedServer | null> {
  const known = await db.read(() => one(findFormerCredential, { digest }));
  return known && { kind: "revoked", serverId: null };
}

/** What a credential presents, with its first use noted; null when nobody ever had it. */
export async function serverOfCredential(
  db: Database,
  digest: string,
  now: number,
): Promise<PresentedServer | null> {
  const found = await db.read(() => one(findByCredential, { digest }));
  if (!found) return await formerly(db, digest);
  const first = found.revoked_at === null && (found.first_used_at === null || found.verified_at === null);
  const row = first ? await db.write(() => verifyByFirstUse(digest, found.id, now)) : found;
  if (!row) return await formerly(db, digest);
  return row.revoked_at === null
    ? { kind: "linked", server: toMonitored(row) }
    : { kind: "revoked", serverId: row.id };
}
