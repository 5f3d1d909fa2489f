import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { inDialect } from "../../src/store/migrations/migration.ts";
import { migrations } from "../../src/store/migrations/registry.ts";

/** Makes a database as the release before the newest migration left it. */
export function makeOlder(file: string): void {
  const db = openSqliteConnection(file);
  db.exec("CREATE TABLE schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
  for (const { id, name, statements } of migrations.slice(0, -1)) {
    for (const statement of statements) db.exec(inDialect(statement, "sqlite"));
    db.prepare("INSERT INTO schema_migration VALUES (?, ?)").run(id, name);
  }
  db.close();
}
