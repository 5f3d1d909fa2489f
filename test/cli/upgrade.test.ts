import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { newestMigration } from "../../src/store/migrations/registry.ts";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { runCommand, type EndedCommand } from "../support/command-line.ts";
import { withNextMigration } from "../support/next-migration.ts";
import type { Json } from "../support/payload.ts";
import { makeOlder } from "./older-database.ts";

withNextMigration();

const folder = mkdtempSync(join(tmpdir(), "tickmark-upgrade-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const tickmark = (database: string, ...args: string[]): Promise<EndedCommand> =>
  runCommand(args, { TICKMARK_DATABASE_URL: `sqlite:${database}`, TICKMARK_SECRET: "a secret of this test" });

const json = (text: string): Json => JSON.parse(text) as Json;

it("[OUR-STO-64] [OUR-CLI-12] an upgrade copies an SQLite file first and keeps three; a dry run changes nothing", async () => {
  const old = at("old.db");
  makeOlder(old);
  const dry = await tickmark(old, "migrate", "--dry-run", "--json");
  expect(json(dry.stdout)).toMatchObject({ migrated: false, current: newestMigration() - 1 });
  const copies = (): string[] =>
    readdirSync(folder).filter((name) => name.startsWith(`old.db.before-migration-${newestMigration()}.`));
  expect(copies()).toEqual([]);
  for (const day of [1, 2, 3]) {
    const name = at(`old.db.before-migration-${newestMigration()}.2020010${day}T000000Z`);
    writeFileSync(name, "");
    utimesSync(name, day, day);
  }
  const done = await tickmark(old, "migrate", "--json");
  const { backup } = json(done.stdout) as { backup: string };
  expect(json(done.stdout)).toMatchObject({ migrated: true, applied: [{ id: newestMigration() }] });
  expect(copies()).toHaveLength(3);
  expect(copies().map(at)).toContain(backup);
  const kept = openSqliteConnection(backup, { readonly: true });
  expect(kept.prepare("SELECT max(id) FROM schema_migration").pluck().get()).toBe(newestMigration() - 1);
  kept.close();
  expect(json((await tickmark(old, "migrate", "--json")).stdout)).toMatchObject({
    applied: [],
    backup: null,
  });
  makeOlder(at("other.db"));
  expect(json((await tickmark(at("other.db"), "migrate", "--no-backup", "--json")).stdout)).toMatchObject({
    applied: [{ id: newestMigration() }],
    backup: null,
  });
  expect(readdirSync(folder).filter((name) => name.startsWith("other.db.before"))).toEqual([]);
});
