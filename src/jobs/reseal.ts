import { countSealed, eachSealed, type StoredSeals } from "../app/access/stored-seals.ts";
import { totalOfState, type SealCounts, type SecretCheck } from "../core/access/stored-seals.ts";
import type { Job } from "../core/job/job.ts";
import { minuteMs, type Instant } from "../core/time.ts";
import { nextTurn, pacer } from "../core/turns.ts";
import { resealSome, settleSecret } from "../services/access/reseal.ts";
import { selectSecretCheck } from "../store/access/secret-check.ts";
import type { Renewal } from "../store/access/sealed-values.ts";
import type { Database } from "../store/engine/database.ts";

export interface Resealing {
  readonly db: Database;
  readonly clock: () => Instant;
  readonly seals: StoredSeals;
  readonly signal: AbortSignal;
  /** Tells the operator of values that no secret opens, if there are more than at the last count. */
  readonly unreadable: (counts: SealCounts) => void;
}

/** Values sealed anew in one transaction. */
const valuesAtATime = 40;

/** Age up to which a count is believed, ms. A process with only the earlier secret may still seal values. */
const countedForMs = 10 * minuteMs;

/** Still runs after a secret was replaced, because a process may seal with a wrong secret. */
export const secretJob = (resealing: Resealing): Job => ({
  name: "secret",
  everyMs: resealing.seals.hasEarlier ? minuteMs : 60 * minuteMs,
  run: () => reseal(resealing),
});

/**
 * Seals values of an earlier secret with the current one, then the known text, and counts values that no
 * secret opens. A run that is cut off is continued by the next one.
 */
export async function reseal(resealing: Resealing): Promise<void> {
  const { db, clock, seals, signal } = resealing;
  const check = await db.read(selectSecretCheck);
  if (check === null) return;
  const known = seals.stateOfKnown(check.sealed);
  if (known === "closed") throw new OtherSecret();
  const age = clock() - check.countedAt;
  if (known === "current" && check.earlier === 0 && age >= 0 && age < countedForMs) return;
  let left = await counted(resealing, check);
  while (left.earlier > 0 && !signal.aborted) {
    await sealAnew(resealing);
    const before = left.earlier;
    left = await counted(resealing, left);
    // Another process seals with the earlier secret as fast as this one renews; the next run goes on.
    if (left.earlier >= before) return;
  }
}

/** Throws if another process replaced the secret meanwhile: nobody could open what this process seals. */
export async function confirmSecret({ db, seals }: Pick<Resealing, "db" | "seals">): Promise<void> {
  const check = await db.read(selectSecretCheck);
  if (check !== null && seals.stateOfKnown(check.sealed) === "closed") throw new OtherSecret();
}

class OtherSecret extends Error {
  override readonly name = "OtherSecret";
  constructor() {
    super(
      "The secret of this process is not the one of the database any more. Start it with the one in use.",
    );
  }
}

/** Stores the counts. Seals the known text anew once no value needs the earlier secret. */
async function counted(
  { db, clock, seals, unreadable }: Resealing,
  before: SecretCheck,
): Promise<SecretCheck> {
  const counts = await countSealed(db, seals);
  const [earlier, closed] = [totalOfState(counts, "earlier"), totalOfState(counts, "closed")];
  const isDone = earlier === 0 && seals.stateOfKnown(before.sealed) === "earlier";
  const sealed = isDone ? seals.sealKnown("current") : before.sealed;
  const check = { sealed, earlier, closed, countedAt: clock() };
  await db.write(settleSecret, before, check, counts);
  if (closed > before.closed) unreadable(counts);
  return check;
}

async function sealAnew({ db, seals, signal }: Resealing): Promise<void> {
  const pace = pacer();
  let renewals: Renewal[] = [];
  const write = async (): Promise<void> => {
    if (renewals.length === 0) return;
    await db.writeRelaxed(resealSome, renewals);
    renewals = [];
    await nextTurn();
  };
  for await (const values of eachSealed(db)) {
    for (const value of values) {
      if (seals.stateOf(value) !== "earlier") continue;
      const renewed = seals.renewed(value);
      if (renewed !== null) renewals.push({ value, renewed });
      if (renewals.length >= valuesAtATime) await write();
      if (signal.aborted) return;
      await pace();
    }
  }
  await write();
}
