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

/** The secret does not open what the database holds: one line says what would be lost. */
export class SecretRefused extends Error {
  override readonly name = "SecretRefused";
  /** The command line's exit status for being configured wrongly. */
  readonly status = 2;
}

export const whenLost = "If it is lost, tickmark serve --accept-new-secret starts without what it sealed.";

/** Where a service takes its secrets from. */
export interface SecretSource {
  /** The variable, or the file. */
  readonly place: string;
  /** Those that are there, the one in use first; none are made. */
  readonly present: () => readonly string[];
  /** The same; where there is none yet, one is made and kept. */
  readonly made: () => readonly string[];
}

/** What a start found, for the operator. */
export interface CheckedSecret {
  readonly seals: StoredSeals;
  /** Values that need the earlier secret. */
  readonly earlier: number;
  /** Values that no secret opens. */
  readonly closed: number;
  /** Whether it was accepted although it is another one. */
  readonly isNew: boolean;
}

/**
 * Makes sure that the secret is the one of the database, before anything is sealed or opened with it; throws
 * SecretRefused for another one, unless `accept` gives up what it does not open. A database that no service has used
 * since there is this check gets its known text here.
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
  // The known text is the last that is sealed anew: who has the new secret alone is refused before that.
  const sealed = earlier === 0 ? own.sealKnown("current") : (check?.sealed ?? own.sealKnown("earlier"));
  const counted = { sealed, earlier, closed, countedAt: now };
  if (check !== null) {
    await db.write(replaceSecretCheck, check.sealed, counted);
    return { seals: own, earlier, closed, isNew: false };
  }
  await db.write(insertSecretCheck, counted);
  // Another process may have been first, with a secret of its own.
  return checkSecret(db, source, accept, now);
}

/**
 * Whether a secret is not the one of a database. `known`: what opens the known text, and `before`: what the last count
 * found; both null where there is none yet. What nothing opened before, and what some process sealed with a secret of
 * its own, keeps no service from its start.
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
