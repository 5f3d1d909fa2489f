import { withNextMigration } from "../support/next-migration.ts";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { newestMigration } from "../../src/store/migrations/registry.ts";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { filesBelow, read } from "../gates/sources.ts";
import { runCommand } from "../support/command-line.ts";
import { makeOlder } from "./older-database.ts";

withNextMigration();

const folder = mkdtempSync(join(tmpdir(), "tickmark-schema-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const offers = join(folder, "offers.ndjson");
const old = join(folder, "old.db");

/** Every command that opens the database, but for those that bring it up to date: `serve`, `migrate` and `demo`. */
const commands: readonly (readonly string[])[] = [
  ["account", "list"],
  ["account", "create", "--email", "you@example.org"],
  ...["verify-email", "reset-password", "reset-second-factor", "disable", "enable"].map((name) => [
    "account",
    name,
    "you@example.org",
  ]),
  ["account", "set-plan", "you@example.org", "pro"],
  ["account", "set-role", "you@example.org", "admin"],
  ["account", "delete", "you@example.org", "--yes"],
  ["token", "list", "you@example.org"],
  ["token", "revoke", "you@example.org", "01a21ebb-9c94-7b68-9a52-b28f5d100779"],
  ["runner", "create", "--name", "rack 7"],
  ["runner", "list"],
  ["runner", "revoke", "01a21ebb-9c94-7b68-9a52-b28f5d100779"],
  ["offer", "import", offers],
  ["export", join(folder, "export.ndjson")],
];

const newest = (): unknown => {
  const db = openSqliteConnection(old, { readonly: true });
  const found = db.prepare("SELECT max(id) FROM schema_migration").pluck().get();
  db.close();
  return found;
};

it("[OUR-CLI-19] no command but serve and migrate changes the schema of an older database, or makes a missing one", async () => {
  makeOlder(old);
  writeFileSync(offers, `${JSON.stringify({ provider: "A", name: "B" })}\n`);
  for (const args of commands) {
    const name = args.join(" ");
    const refused = await runCommand(args, { TICKMARK_DATABASE_URL: `sqlite:${old}` });
    expect([name, refused.status, refused.lines]).toEqual([name, 1, 1]);
    if (args[0] !== "export" && args[0] !== "offer")
      expect(refused.stderr).toBe(
        `The database ${old} has migration ${newestMigration() - 1}, and this version needs ${newestMigration()}. Nothing was changed: start the service with this version, or run tickmark migrate.\n`,
      );
    expect([name, newest()]).toEqual([name, newestMigration() - 1]);
    const missing = await runCommand(args, {
      TICKMARK_DATABASE_URL: `sqlite:${join(folder, "none", "x.db")}`,
    });
    expect([name, missing.status, missing.lines]).toEqual([name, 1, 1]);
  }
  expect(readdirSync(folder).toSorted()).toEqual(["offers.ndjson", "old.db"]);
});

it("[OUR-CLI-19] only the service and migrate open a database in the way that upgrades it", () => {
  const opening = filesBelow(["src"], ".ts")
    .filter((file) => /\bopenDatabase\(/.test(read(file)))
    .toSorted();
  expect(opening).toEqual([
    "src/app/opened-database.ts",
    "src/cli/migrate.ts",
    "src/store/engine/open-database.ts",
  ]);
});
