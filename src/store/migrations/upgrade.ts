import { newestMigration } from "./registry.ts";
import { migrated } from "../../core/service-log/entries.ts";
import type { Value } from "../engine/table.ts";
import type { Migration } from "./migration.ts";
import { newId } from "../engine/ids.ts";

/** A newer version of the program wrote the database: this one does not know what is in it, and leaves it alone. */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/** Refuses a database with a migration that this program does not know. */
export function refuseNewer(applied: ReadonlySet<number>): void {
  const newest = Math.max(0, ...applied);
  if (newest <= newestMigration) return;
  throw new NewerDatabase(
    `A newer version of Tickmark wrote this database (migration ${newest}, this version knows ${newestMigration}). Start that version, or restore a backup that this version made.`,
  );
}

const columns = ["at", "id", "last_at", "times", "kind", "words", "done_by"] as const;

/** Writes down an upgrade, beside the steps themselves. */
export const noteUpgrade = (place: (number: number) => string): string =>
  `INSERT INTO service_log (${columns.join(", ")}) VALUES (${columns.map((_, index) => place(index + 1)).join(", ")})`;

/** The values of that statement; null for a database that is up to date, and for one that is made now. */
export function upgradeOf(before: ReadonlySet<number>, migrations: readonly Migration[]): Value[] | null {
  const steps = migrations.filter(({ id }) => !before.has(id));
  if (before.size === 0 || steps.length === 0) return null;
  const { kind, words } = migrated(steps);
  const now = Date.now();
  return [now, newId(now), now, 1, kind, words, "service"];
}
