import {
  existsSync,
  fdatasync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addAccount } from "../../../src/services/access/add-account.ts";
import { selectAccounts } from "../../../src/store/access/accounts.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import { openSqlite } from "../../../src/store/engine/sqlite.ts";
import { until } from "../../support/service-process.ts";
import { newAccount, times } from "./rows.ts";

let home: string;
let folder: string;
let path: string;
let db: Database;
let told: [level: string, words: string][];

const opened = (sync = fdatasync): Database =>
  openSqlite(path, undefined, sync, (level, words) => void told.push([level, words]));

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tickmark-file-"));
  folder = join(home, "data");
  mkdirSync(folder);
  path = join(folder, "one.db");
  told = [];
  db = opened();
});
afterEach(async () => {
  await db.close();
  rmSync(home, { recursive: true, force: true });
});

const removeFile = (): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
};
const refused = (trouble: string) => ({ name: "Unavailable", trouble });
const errors = (): string[] => told.filter(([level]) => level === "error").map(([, words]) => words);

/** The copy that was made of what the process still held, once it is complete. */
async function rescued(): Promise<string> {
  await until("the copy is made", () => errors().some((words) => words.includes("was saved as")));
  const name = readdirSync(folder).find((each) => each.includes(".rescued-")) ?? "";
  return join(folder, name);
}

/** The mail addresses of the accounts in a file, which has to be sound. */
function accountsIn(file: string): unknown[] {
  const other = openSqliteConnection(file);
  expect(other.pragma("integrity_check", { simple: true })).toBe("ok");
  const found = other.prepare("SELECT email FROM account ORDER BY id").pluck().all();
  other.close();
  return found;
}

it("[OUR-STO-78] [OUR-STO-79] a file that was removed is written to no more, and what the process holds of it is saved", async () => {
  const accounts = [];
  for (const _ of times(20)) accounts.push(await newAccount(db));
  removeFile();
  await expect(newAccount(db)).rejects.toMatchObject(refused("removed"));
  expect(await db.read(selectAccounts)).toHaveLength(20);
  const copy = await rescued();
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(accountsIn(copy)).toEqual(accounts.map(({ email }) => email));
  await expect(newAccount(db)).rejects.toMatchObject(refused("removed"));
  // What happened, and where the copy is.
  expect(errors()).toHaveLength(2);
  expect(errors()[0]).toContain(`${path}, or its -wal or -shm file, was removed while the service runs`);
  expect(errors()[1]).toContain(copy);
  expect(existsSync(path)).toBe(false);
});

it("[OUR-STO-78] a folder that was moved is named, and used again once it is back", async () => {
  const account = await newAccount(db);
  renameSync(folder, join(home, "elsewhere"));
  await expect(newAccount(db)).rejects.toMatchObject(refused("removed"));
  expect(await db.read(selectAccounts)).toEqual([account]);
  expect(db.refusal()).toMatchObject(refused("removed"));
  if (process.platform === "linux") expect(errors().join()).toContain(join(home, "elsewhere", "one.db"));
  renameSync(join(home, "elsewhere"), folder);
  const next = await newAccount(db);
  expect(await db.read(selectAccounts)).toEqual([account, next]);
  expect(db.refusal()).toBeNull();
  expect(told.at(-1)).toEqual(["info", expect.stringContaining("is back")]);
});

it("[OUR-STO-78] [OUR-STO-79] [OUR-STO-81] another file at its place is neither read nor written, and keeps its log", async () => {
  const account = await newAccount(db);
  const other = join(home, "other.db");
  await openSqlite(other).close();
  // The log stays where it is, as with most programs that put a file in place.
  renameSync(other, path);
  await expect(newAccount(db)).rejects.toMatchObject(refused("replaced"));
  await expect(db.read(selectAccounts)).rejects.toMatchObject(refused("replaced"));
  expect(accountsIn(await rescued())).toEqual([account.email]);
  const next = openSqlite(path);
  const own = await newAccount(next);
  expect(existsSync(`${path}-wal`)).toBe(true);
  await db.close();
  expect(existsSync(`${path}-wal`)).toBe(true);
  await next.close();
  expect(accountsIn(path)).toEqual([own.email]);
});

it("[OUR-STO-78] [OUR-STO-79] a log that was removed is noticed like the file itself", async () => {
  const account = await newAccount(db);
  rmSync(`${path}-wal`);
  await expect(newAccount(db)).rejects.toMatchObject(refused("removed"));
  expect(accountsIn(await rescued())).toEqual([account.email]);
  expect(existsSync(path)).toBe(true);
});

it("[OUR-STO-78] a write is not acknowledged where the file was removed before the disk had it", async () => {
  await db.close();
  let isRemoved = false;
  db = opened(((file, done) => {
    if (isRemoved) removeFile();
    fdatasync(file, done);
  }) as typeof fdatasync);
  await newAccount(db);
  isRemoved = true;
  const account = { email: "late@tests.example", emailVerified: true, plan: "pro", role: "user" } as const;
  await expect(db.write(addAccount, { ...account, id: "late", createdAt: 0 }, null)).rejects.toMatchObject(
    refused("removed"),
  );
});

it("[OUR-STO-80] a file that another program cut off is neither read nor written", async () => {
  await newAccount(db);
  truncateSync(path, 0);
  await expect(newAccount(db)).rejects.toMatchObject(refused("truncated"));
  await expect(db.read(selectAccounts)).rejects.toMatchObject(refused("truncated"));
  expect(errors()).toEqual([expect.stringContaining("tickmark restore FILE --replace")]);
});

it("[OUR-STO-80] a file that VACUUM made shorter goes on", async () => {
  const other = openSqliteConnection(path);
  other.exec("CREATE TABLE filler (text TEXT)");
  const add = other.prepare("INSERT INTO filler VALUES (?)");
  for (const _ of times(500)) add.run("x".repeat(4000));
  other.pragma("wal_checkpoint(TRUNCATE)");
  await newAccount(db);
  const before = statSync(path).size;
  other.exec("DROP TABLE filler; VACUUM");
  other.pragma("wal_checkpoint(TRUNCATE)");
  other.close();
  expect(statSync(path).size).toBeLessThan(before);
  await newAccount(db);
  expect(db.refusal()).toBeNull();
  expect(errors()).toEqual([]);
});
