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
  /** Tells the operator of values that no secret opens, where there are more of them than before. */
  readonly unreadable: (counts: SealCounts) => void;
}

/** Values sealed anew in one transaction. */
const valuesAtATime = 40;

/** What was counted is believed for so long: a process with the earlier secret alone may still seal, ms. */
const countedForMs = 10 * minuteMs;

/** Soon where a secret is being replaced, and else now and then, for what a process sealed with a wrong one. */
export const secretJob = (resealing: Resealing): Job => ({
  name: "secret",
  everyMs: resealing.seals.hasEarlier ? minuteMs : 60 * minuteMs,
  run: () => reseal(resealing),
});

/**
 * Seals everything that an earlier secret sealed with the one in use, a few values at a time, and then the known text: a
 * run that is cut off anywhere is continued by the next one. Counts what no secret opens on the way.
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
    // Somebody seals with the earlier secret as fast as this one renews: the next run goes on.
    if (left.earlier >= before) return;
  }
}

/** Fails in a process whose secret another process replaced meanwhile: what it sealed, nobody could open. */
export async function confirmSecret({ db, seals }: Pick<Resealing, "db" | "seals">): Promise<void> {
  const check = await db.read(selectSecretCheck);
  if (check !== null && seals.stateOfKnown(check.sealed) === "closed") throw new OtherSecret();
}

/** A process whose secret is not the one of the database any more. */
class OtherSecret extends Error {
  override readonly name = "OtherSecret";
  constructor() {
    super(
      "The secret of this process is not the one of the database any more. Start it with the one in use.",
    );
  }
}

/** Counts everything, and writes it down; the known text is sealed anew once nothing else needs the earlier secret. */
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
