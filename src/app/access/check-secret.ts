import { secretAccepted } from "../../core/service-log/entries.ts";
import {
  refusedSecretWords,
  totalOfState,
  totalSealed,
  type SealCounts,
  type SealState,
  type SecretCheck,
} from "../../core/access/stored-seals.ts";
import type { Instant } from "../../core/time.ts";
import { acceptSecret } from "../../services/access/accept-secret.ts";
import { insertSecretCheck, replaceSecretCheck, selectSecretCheck } from "../../store/access/secret-check.ts";
import type { Database } from "../../store/engine/database.ts";
import { countSealed, storedSeals, type StoredSeals } from "./stored-seals.ts";

/** The secret does not open what the database holds; the message says what would be lost. */
export class SecretRefused extends Error {
  override readonly name = "SecretRefused";
  /** Exit status of the command line for a wrong configuration. */
  readonly status = 2;
}

export const whenLost = "If it is lost, tickmark serve --accept-new-secret starts without what it sealed.";

export interface SecretSource {
  /** The variable, or the file. */
  readonly place: string;
  /** The secrets that exist, the one in use first; makes none. */
  readonly present: () => readonly string[];
  /** Like `present`, but makes and keeps a secret if there is none. */
  readonly made: () => readonly string[];
}

export interface CheckedSecret {
  readonly seals: StoredSeals;
  /** Number of values that only the earlier secret opens. */
  readonly earlier: number;
  /** Number of values that no secret opens. */
  readonly closed: number;
  /** Whether a different secret was accepted. */
  readonly isNew: boolean;
}

/**
 * Runs before anything is sealed or opened. Throws SecretRefused if the secret is not that of the database,
 * unless `accept` gives up what it does not open. A database without a known text gets one here.
 */
export async function checkSecret(
  db: Database,
  source: SecretSource,
  accept: boolean,
  now: Instant,
): Promise<CheckedSecret> {
  const present = source.present();
  const seals = present.length === 0 ? null : storedSeals(present);
  const check = await db.read(selectSecretCheck);
  const known = check === null ? null : (seals?.stateOfKnown(check.sealed) ?? "closed");
  if (seals !== null && check !== null && known === "current" && check.earlier === 0)
    return { seals, earlier: 0, closed: check.closed, isNew: false };
  const counts = await countSealed(db, seals);
  if (isWrong(counts, known, check)) {
    if (!accept) throw new SecretRefused(refusedSecretWords(source.place, seals !== null, counts, whenLost));
    return accepted(db, storedSeals(source.made()), now);
  }
  const own = seals ?? storedSeals(source.made());
  const [earlier, closed] = [totalOfState(counts, "earlier"), totalOfState(counts, "closed")];
  // The known text is sealed again last: until then, a process with only the new secret is refused.
  const sealed = earlier === 0 ? own.sealKnown("current") : (check?.sealed ?? own.sealKnown("earlier"));
  const counted = { sealed, earlier, closed, countedAt: now };
  if (check !== null) {
    await db.write(replaceSecretCheck, check.sealed, counted);
    return { seals: own, earlier, closed, isNew: false };
  }
  await db.write(insertSecretCheck, counted);
  // Another process may have been first, with another secret.
  return checkSecret(db, source, accept, now);
}

/**
 * Whether a secret is not that of the database. `known` is the state of the known text, `before` the last
 * count; both null if there is none yet. Values that nothing opened before, and values that another process
 * sealed with its own secret, do not prevent a start.
 */
export function isWrong(
  counts: SealCounts,
  known: SealState | null,
  before: Pick<SecretCheck, "earlier" | "closed"> | null,
): boolean {
  const closed = totalOfState(counts, "closed");
  if (known === "closed") return true;
  if (before === null) return closed > 0 && closed === totalSealed(counts);
  return before.earlier > 0 && closed > before.closed;
}

async function accepted(db: Database, seals: StoredSeals, now: Instant): Promise<CheckedSecret> {
  const counts = await countSealed(db, seals);
  const [earlier, closed] = [totalOfState(counts, "earlier"), totalOfState(counts, "closed")];
  const check = { sealed: seals.sealKnown("current"), earlier, closed, countedAt: now };
  await db.write(acceptSecret, check, secretAccepted(counts), now);
  return { seals, earlier, closed, isNew: true };
}
