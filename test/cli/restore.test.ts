import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restoreDatabase } from "../../src/cli/restore.ts";
import { readConfig } from "../../src/app/config/config.ts";
import { newestMigration } from "../../src/store/migrations/registry.ts";
import { readIdentity } from "../../src/store/transfer/database-identity.ts";
import { answersOf } from "../support/answers-of.ts";
import { runCommand, type EndedCommand } from "../support/command-line.ts";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import type { Json } from "../support/payload.ts";
import { ask, startServiceProcess, until } from "../support/service-process.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-restore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const backups = at("backups");
const path = at("served.db");
const secret = { TICKMARK_SECRET: "a secret of this test" };

const tickmark = (database: string, ...args: string[]): Promise<EndedCommand> =>
  runCommand(args, { TICKMARK_DATABASE_URL: `sqlite:${database}`, ...secret });

const json = (text: string): Json => JSON.parse(text) as Json;

const answered = (database: string, fleet: Fleet): Promise<unknown[]> =>
  answersOf(`sqlite:${database}`, fleet, secret.TICKMARK_SECRET);

describe("backups and restores", () => {
  let fleet: Fleet;
  let before: unknown[];
  beforeAll(async () => {
    fleet = await makeFleet(`sqlite:${path}`, 3, "pro");
  });

  it("[OUR-CLI-10] serve makes a backup into a folder, and does not make one again that is new enough", async () => {
    const options = ["--backup-dir", backups, "--backup-every", "24h"];
    const start = () =>
      startServiceProcess({ TICKMARK_DATABASE_URL: `sqlite:${path}`, ...secret }, [], undefined, options);
    const service = await start();
    const [server] = fleet.servers;
    const event = {
      local_id: "x",
      type: "tempban",
      category: "moderation",
      source: "A",
      severity: "info",
      title: "B",
    };
    const body = { events: [{ ...event, timestamp: null }] };
    const sent = await ask(service, "POST", "/plugin/v1/events", server?.credential ?? "", body);
    expect(sent.status).toBe(200);
    const made = () =>
      statSync(backups, { throwIfNoEntry: false })
        ? readdirSync(backups).filter((name) => name.startsWith("tickmark-"))
        : [];
    await until("a backup is there", () => made().some((name) => name.endsWith(".db")));
    await service.stop();
    expect(made()).toEqual([expect.stringMatching(/^tickmark-[0-9a-f]{12}-\d{8}T\d{6}Z\.db$/)]);
    const again = await start();
    await ask(again, "GET", "/api/v1/servers", fleet.token);
    await again.stop();
    expect(made()).toHaveLength(1);
  });

  it("[OUR-CLI-10] backup --keep removes the oldest of its own files, and no other file", async () => {
    const identity = await readIdentity(`sqlite:${path}`);
    const own = ["01", "02"].map((day) => `tickmark-${identity}-202001${day}T000000Z.db`);
    const others = ["tickmark-0123456789ab-20200101T000000Z.db", "tickmark-20200101T000000Z.db", "mine.db"];
    for (const name of [...own, ...others]) writeFileSync(join(backups, name), "");
    const { status, stdout } = await tickmark(path, "backup", backups, "--keep", "2", "--json");
    expect(status).toBe(0);
    const { file } = json(stdout) as { file: string };
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const left = readdirSync(backups);
    expect(left).toEqual(expect.arrayContaining(others));
    expect(left.filter((name) => name.startsWith(`tickmark-${identity}-`))).toHaveLength(2);
    expect(left.filter((name) => own.includes(name))).toEqual([]);
    for (const [option, value] of [
      ["--keep", "0"],
      ["--every", "5s"],
    ] as const)
      expect(await tickmark(path, "backup", backups, option, value)).toMatchObject({ status: 2 });
  });

  it("[OUR-CLI-11] a restored backup and a restored export answer every call as before", async () => {
    const copy = at("copy.db");
    before = await answered(path, fleet);
    expect(before).toHaveLength(11);
    expect(JSON.stringify(before)).toContain("tempban");
    expect((await tickmark(path, "backup", copy)).status).toBe(0);
    expect((await tickmark(path, "export", at("copy.ndjson"))).status).toBe(0);

    const moved = at("moved.db");
    const restored = await tickmark(moved, "restore", copy, "--json");
    expect(restored).toMatchObject({ status: 0, stderr: "" });
    expect(json(restored.stdout)).toEqual({
      file: copy,
      database: moved,
      replaced: null,
      migration: newestMigration(),
      rows: null,
      rows_left_out: 0,
      secret_checked: true,
    });
    expect(await answered(moved, fleet)).toEqual(before);

    // Something happens after the backup; the restore undoes it, and keeps what was there.
    const changed = openSqliteConnection(moved);
    changed.exec("DELETE FROM server_event");
    changed.close();
    const refused = await tickmark(moved, "restore", at("copy.ndjson"));
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^There is a database .* --replace [^\n]*\n$/);
    const replaced = await tickmark(moved, "restore", at("copy.ndjson"), "--replace");
    expect(replaced.status).toBe(0);
    expect(replaced.stdout).toMatch(
      /rows of .*copy\.ndjson were restored[^]*The database that was there is .*\.replaced-/,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("moved.db.replaced-"))).toHaveLength(1);
    expect(await answered(moved, fleet)).toEqual(before);
  });

  it("[OUR-CLI-11] refuses a damaged, foreign or newer file and a database in use, and changes nothing", async () => {
    const restoring = (database: string, file: string, replace = false) =>
      restoreDatabase(readConfig({ TICKMARK_DATABASE_URL: `sqlite:${database}`, ...secret }), {
        file,
        replace,
        json: false,
      });
    writeFileSync(at("words"), "no backup");
    writeFileSync(at("cut.ndjson"), '{"format":"tickmark-export/1"}\n');
    const foreign = openSqliteConnection(at("foreign.db"));
    foreign.exec("CREATE TABLE a (b)");
    foreign.close();
    expect((await tickmark(path, "backup", at("newer.db"))).status).toBe(0);
    const newer = openSqliteConnection(at("newer.db"));
    newer.exec(`INSERT INTO schema_migration VALUES (${newestMigration() + 1}, 'of-later')`);
    newer.close();
    for (const [file, words] of [
      ["none", "There is no file"],
      ["words", "neither a backup nor an export"],
      ["cut.ndjson", "Nothing was imported"],
      ["foreign.db", "not a database of Tickmark"],
      ["newer.db", "A newer version of Tickmark wrote"],
    ] as const) {
      await expect(restoring(at("target.db"), at(file))).rejects.toThrow(words);
      expect(existsSync(at("target.db"))).toBe(false);
    }
    const user = openSqliteConnection(path);
    user.prepare("SELECT count(*) FROM server").get();
    await expect(restoring(path, at("copy.db"), true)).rejects.toThrow(
      "Another process uses the database. Stop the service first.",
    );
    user.close();
    expect(readdirSync(folder).filter((name) => /\.part|replaced-/.test(name))).toHaveLength(1);
  });
});

describe("databases of other versions", () => {
  it("[OUR-STO-63] a database of a newer version is refused with one line, and left alone", async () => {
    const { status, stdout, stderr } = await tickmark(at("newer.db"), "serve");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `A newer version of Tickmark wrote this database (migration ${newestMigration() + 1}, this version knows ${newestMigration()}). Start that version, or restore a backup that this version made.\n`,
    );
    expect((await tickmark(at("newer.db"), "migrate", "--dry-run")).stderr).toBe(stderr);
  });
});
