import { afterAll, beforeAll } from "vitest";
import type { Migration } from "../../src/store/migrations/migration.ts";
import { migrations, newestMigration } from "../../src/store/migrations/registry.ts";

/**
 * Gives the program one migration more while the tests of a file run, and takes it away after them: what is made without
 * it is a database of an older release. The tests make their databases from empty ones, of which no other file has a copy.
 */
export function withNextMigration(): void {
  const list = migrations as Migration[];
  beforeAll(() => {
    const id = newestMigration() + 1;
    list.push({
      id,
      name: "made-for-tests",
      statements: [
        "ALTER TABLE server_group ADD COLUMN note TEXT NOT NULL DEFAULT ''",
        "UPDATE server_group SET note = name",
        "CREATE INDEX server_group_by_note ON server_group (account_id, note)",
        "CREATE TABLE made_for_tests (id TEXT PRIMARY KEY, made_at BIGINT NOT NULL) {{clustered}}",
        "INSERT INTO made_for_tests (id, made_at) VALUES ({{random}}, 5)",
      ],
    });
  });
  afterAll(() => void list.pop());
}
