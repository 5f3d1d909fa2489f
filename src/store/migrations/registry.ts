import { schema } from "./0001-schema/schema.ts";
import type { Migration } from "./migration.ts";

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [schema];

/** The id of the newest migration that this program knows. */
export const newestMigration = (): number => Math.max(...migrations.map(({ id }) => id));
