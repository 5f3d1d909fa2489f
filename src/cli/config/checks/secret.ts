import type { Config } from "../../../app/config/config.ts";
import { isWrong, whenLost } from "../../../app/access/check-secret.ts";
import { countSealed, storedSeals } from "../../../app/access/stored-seals.ts";
import {
  countedWords,
  refusedSecretWords,
  totalOfState,
  totalSealed,
} from "../../../core/access/stored-seals.ts";
import { selectSecretCheck } from "../../../store/access/secret-check.ts";
import type { Database } from "../../../store/engine/database.ts";
import { openAsItIs } from "../../../store/engine/open-database.ts";
import { plannedUpgrade } from "../../../store/migrations/planned.ts";
import { note, ok, wrong, type CheckResult, type ConfigCheck } from "../check.ts";

/** Whether the secret is the database's, and how many sealed values still need the earlier one. */
export const sealedValuesCheck: ConfigCheck = {
  name: "secret",
  run: async ({ config }) => {
    const { databaseUrl, presentSecrets, secrets } = config;
    // Throws for PostgreSQL without a secret; for SQLite, the first start makes one.
    if (presentSecrets().length === 0 && !databaseUrl.startsWith("sqlite:")) secrets();
    const { current, missing } = await plannedUpgrade(databaseUrl);
    if (current === null) return [note("There is no database yet, and nothing is sealed.")];
    if (missing.length > 0)
      return [note("What the secret sealed is counted once the database is of this version.")];
    const db = await openAsItIs(databaseUrl);
    try {
      return await ofSealed(db, config);
    } finally {
      await db.close();
    }
  },
};

/** Says what a start would say, and whether the earlier secret may be left out. Writes nothing. */
async function ofSealed(db: Database, { presentSecrets, secretPlace }: Config): Promise<CheckResult[]> {
  const present = presentSecrets();
  const seals = present.length === 0 ? null : storedSeals(present);
  const check = await db.read(selectSecretCheck);
  const known = check === null ? null : (seals?.stateOfKnown(check.sealed) ?? "closed");
  const counts = await countSealed(db, seals);
  if (isWrong(counts, known, check))
    return [wrong(refusedSecretWords(secretPlace, seals !== null, counts, whenLost))];
  const [earlier, closed] = [totalOfState(counts, "earlier"), totalOfState(counts, "closed")];
  const found = [ok(`${secretPlace} opens ${totalSealed(counts) - closed} sealed values.`)];
  if (closed > 0)
    found.push(
      note(`No secret opens ${countedWords(counts, "closed")}: their owners have to enter them again.`),
    );
  if (seals?.hasEarlier) found.push(ofEarlier(earlier, known === "current", countedWords(counts, "earlier")));
  return found;
}

function ofEarlier(earlier: number, isKnownRenewed: boolean, words: string): CheckResult {
  if (earlier > 0)
    return note(
      `${earlier} sealed values still need the earlier secret (${words}): keep both until none does.`,
    );
  return isKnownRenewed
    ? ok("No sealed value needs the earlier secret (0): it may be left out.")
    : note(
        "No sealed value needs the earlier secret (0), but keep both: the service has yet to take that down.",
      );
}
