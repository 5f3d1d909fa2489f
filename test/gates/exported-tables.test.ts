import { expect, it } from "vitest";
import { openSnapshot } from "../../src/store/transfer/open.ts";
import { exportedTables, tablesLeftOut } from "../../src/store/transfer/tables.ts";
import { openRaw, type RawDatabase } from "../store/engine/raw-database.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";

const namesOf = async (raw: RawDatabase, statement: string): Promise<string[]> =>
  (await raw.rows(statement)).map(({ name }) => String(name));

const tables: Record<RawDatabase["dialect"], string> = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  postgres:
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
};

const columns: Record<RawDatabase["dialect"], string> = {
  sqlite: `SELECT t.name || '.' || c.name AS name FROM sqlite_master AS t JOIN pragma_table_xinfo(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  postgres:
    "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = current_schema()",
};

/** `child parent` of every foreign key. */
const references: Record<RawDatabase["dialect"], string> = {
  sqlite: `SELECT t.name || ' ' || f."table" AS name FROM sqlite_master AS t JOIN pragma_foreign_key_list(t.name) AS f
    WHERE t.type = 'table'`,
  postgres: `SELECT conrelid::regclass::text || ' ' || confrelid::regclass::text AS name FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
};

eachDatabase((databases) => {
  const look = async <T>(use: (raw: RawDatabase, url: string) => Promise<T>): Promise<T> => {
    const url = await databases.url();
    await databases.open(url);
    const raw = await openRaw(url);
    try {
      return await use(raw, url);
    } finally {
      await raw.close();
    }
  };

  it("[OUR-STO-51] every table of a migrated database is exported, or left out with its reason", () =>
    look(async (raw) => {
      const decided = [...exportedTables, ...Object.keys(tablesLeftOut)];
      expect(new Set(decided).size).toBe(decided.length);
      expect((await namesOf(raw, tables[raw.dialect])).toSorted()).toEqual(decided.toSorted());
      for (const [table, reason] of Object.entries(tablesLeftOut))
        expect(reason.length, table).toBeGreaterThan(20);
    }));

  it("[OUR-STO-51] every column of an exported table is in the export", () =>
    look(async (raw, url) => {
      const snapshot = await openSnapshot(url);
      const exported = [...snapshot.columns].flatMap(([table, known]) =>
        known.map(({ name }) => `${table}.${name}`),
      );
      await snapshot.close();
      const existing = (await namesOf(raw, columns[raw.dialect])).filter(
        (name) => !Object.hasOwn(tablesLeftOut, name.split(".")[0] ?? ""),
      );
      expect(exported.toSorted()).toEqual(existing.toSorted());
    }));

  it("[OUR-STO-51] what a row refers to is exported before it", () =>
    look(async (raw) => {
      const keys = await namesOf(raw, references[raw.dialect]);
      expect(keys.length).toBeGreaterThan(15);
      const wrong = keys.filter((key) => {
        const [child, parent] = key
          .split(" ")
          .map((table) => exportedTables.findIndex((one) => one === table));
        // What stays behind needs nobody.
        if (child === -1) return false;
        return parent === undefined || child === undefined || parent === -1 || parent >= child;
      });
      expect(wrong).toEqual([]);
    }));
}, sharedKinds);
