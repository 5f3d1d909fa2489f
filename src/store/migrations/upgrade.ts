import { migrated } from "../../core/service-log/entries.ts";
import { newId } from "../engine/ids.ts";
import type { Value } from "../engine/table.ts";
import type { Applied } from "./applied.ts";
import type { Migration } from "./migration.ts";

const columns = ["at", "id", "last_at", "times", "kind", "words", "done_by"] as const;

/** SQL that logs an upgrade, run in the transaction of its migrations. */
export const noteUpgrade = (place: (number: number) => string): string =>
  `INSERT INTO service_log (${columns.join(", ")}) VALUES (${columns.map((_, index) => place(index + 1)).join(", ")})`;

/** Values for `noteUpgrade`; null for a new database and for one that is up to date. */
export function upgradeOf(before: Applied, migrations: readonly Migration[]): Value[] | null {
  const steps = migrations.filter(({ id }) => !before.has(id));
  if (before.size === 0 || steps.length === 0) return null;
  const { kind, words } = migrated(steps);
  const now = Date.now();
  return [now, newId(now), now, 1, kind, words, "service"];
}
