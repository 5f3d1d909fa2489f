import { probeDatabase } from "../../../store/database-probe.ts";
import { note, ok, wrong, type CheckResult, type ConfigCheck } from "../check.ts";
import { withoutPasswords } from "../without-passwords.ts";

/** Whether the database answers, is of this version, and takes writes. */
export const databaseCheck: ConfigCheck = {
  name: "database",
  run: async ({ config: { databaseUrl } }) => {
    const { current, missing, isWritable } = await probeDatabase(databaseUrl);
    return [
      stateOf(withoutPasswords(databaseUrl), current, missing.length),
      ...(isWritable ? [] : [readOnly]),
    ];
  },
};

const readOnly = wrong(
  "The database takes no writes: it is a standby, or set to read only. Name the primary in TICKMARK_DATABASE_URL.",
);

function stateOf(shown: string, current: number | null, missing: number): CheckResult {
  if (current === null) return note(`There is no database in ${shown} yet: the first start makes it.`);
  if (missing > 0)
    return note(
      `${shown} answers, and needs ${missing} migrations: the next start, or tickmark migrate, applies them.`,
    );
  return ok(`${shown} answers, and is of this version (migration ${current}).`);
}
