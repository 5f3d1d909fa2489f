import type { Session } from "../../core/access/session.ts";
import { selectStoredPasswordOf } from "../../store/access/account-entry.ts";
import { insertSession } from "../../store/access/sessions.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";

/** False if sessions were ended since the sign-in read `generation` (its password or a factor changed). */
export function* beginSession(session: Session, digest: string, generation: number): Work<boolean> {
  yield* lockAccount(session.accountId);
  const stored = yield* selectStoredPasswordOf(session.accountId);
  if (stored?.deviceGeneration !== generation) return false;
  yield* insertSession(session, digest);
  return true;
}
