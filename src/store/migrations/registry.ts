import { sampleFields, seriesFields, type SeriesField } from "../../core/metric/fields.ts";
import { schema } from "./0001-schema/schema.ts";
import { healthBeginnings } from "./0002-health-beginnings.ts";
import { lateData } from "./0003-late-data.ts";
import { diskLows } from "./0005-disk.ts";
import { fleetPlaces } from "./0007-fleet.ts";
import type { Migration } from "./migration.ts";

/** The migration that adds a field's column; null for a field of the first schema. */
export function addedColumn(name: string, declared: AddedField): Migration | null {
  if (declared.migration === undefined) return null;
  return {
    id: declared.migration,
    name: `sample-${name.replaceAll("_", "-")}`,
    statements: [`ALTER TABLE sample ADD COLUMN ${name} ${declared.column}`],
  };
}

type AddedField = Pick<(typeof sampleFields)[SeriesField], "column" | "migration">;

const columns = seriesFields
  .map((field) => addedColumn(field, sampleFields[field]))
  .filter((migration) => migration !== null);

/** Oldest first; parts with the same number are one step, by the name of the first of them. */
export function joinedSteps(parts: readonly Migration[]): Migration[] {
  const steps = new Map<number, Migration>();
  for (const part of parts) {
    const { name, statements } = steps.get(part.id) ?? { name: part.name, statements: [] };
    steps.set(part.id, { id: part.id, name, statements: [...statements, ...part.statements] });
  }
  return [...steps.values()].toSorted((a, b) => a.id - b.id);
}

/** Oldest first. Migrations of measured fields follow from the fields' declarations. */
export const migrations: readonly Migration[] = joinedSteps([
  schema,
  healthBeginnings,
  lateData,
  diskLows,
  fleetPlaces,
  ...columns,
]);

export const newestMigration = (): number => Math.max(...migrations.map(({ id }) => id));
