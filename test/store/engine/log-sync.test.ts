import { copyFileSync, existsSync, fdatasync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { all, run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { Checkpoints } from "../../../src/store/engine/checkpoints.ts";
import { openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import { openSqlite } from "../../../src/store/engine/sqlite.ts";
import { patience } from "../../support/patience.ts";

const insert = query<{ key: string }>()((db, $) =>
  db.insertInto("rate_window").values({ kind: "test", key: $.key, opened_at: 0, used: 0 }),
);
const keys = query<Record<string, never>>()((db) =>
  db.selectFrom("rate_window").select("key").orderBy("key"),
);

const folder = mkdtempSync(join(tmpdir(), "tickmark-log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let serial = 0;
let path: string;
beforeEach(() => {
  path = join(folder, `${(serial += 1)}.db`);
});

const write = (db: Database, key: string) => db.write(() => run(insert, { key }));
const written = async (db: Database) => (await db.read(() => all(keys, {}))).map(({ key }) => key);

/** The keys in the file itself, as if its log were lost; none as long as it has not got the table. */
function withoutLog(): string[] {
  const copy = `${path}.alone`;
  copyFileSync(path, copy);
  const db = openSqliteConnection(copy);
  const hasTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'rate_window'").get() !== undefined;
  const rows = (hasTable ? db.prepare("SELECT key FROM rate_window ORDER BY key").all() : []) as {
    key: string;
  }[];
  db.close();
  rmSync(copy);
  return rows.map(({ key }) => key);
}

/** Opens the file with syncs that last until the test ends them. */
function withHeldSyncs() {
  const syncs: ((error: NodeJS.ErrnoException | null) => void)[] = [];
  const sync = (_file: number, end: (typeof syncs)[number]) => void syncs.push(end);
  return { syncs, db: openSqlite(path, 500, sync as typeof fdatasync) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the log of an SQLite file", () => {
  it("[OUR-STO-75] is on the disk before a write is acknowledged, while counters and reads do not wait", async () => {
    const { syncs, db } = withHeldSyncs();
    const acknowledged: string[] = [];
    const save = (key: string) => write(db, key).then(() => acknowledged.push(key));
    const first = save("a");
    await turn();
    await turn();
    expect([syncs.length, acknowledged, await written(db)]).toEqual([1, [], ["a"]]);
    await db.writeRelaxed(() => run(insert, { key: "counter" }));
    // What is committed while the disk works waits for the next sync, all of it for one.
    const later = [save("b")];
    await turn();
    later.push(save("c"));
    await turn();
    expect([syncs.length, db.connections().waiting]).toEqual([1, 3]);
    syncs[0]?.(null);
    await first;
    expect([syncs.length, acknowledged]).toEqual([2, ["a"]]);
    syncs[1]?.(null);
    await Promise.all(later);
    expect([syncs.length, acknowledged]).toEqual([2, ["a", "b", "c"]]);
    const closed = [db.close(), db.close()];
    // The counter is not on the disk yet.
    syncs[2]?.(null);
    await Promise.all(closed);
  });

  it("[OUR-STO-75] is not synced for a write that wrote nothing, which waits for what it may have read", async () => {
    const { syncs, db } = withHeldSyncs();
    await db.write(() => all(keys, {}));
    expect(syncs).toHaveLength(0);
    const acknowledged: string[] = [];
    const saved = write(db, "a").then(() => acknowledged.push("a"));
    await turn();
    const nothing = db.write(() => all(keys, {})).then((rows) => acknowledged.push(`read ${rows.length}`));
    await turn();
    await turn();
    expect([syncs.length, acknowledged]).toEqual([1, []]);
    syncs[0]?.(null);
    await Promise.all([saved, nothing]);
    expect([syncs.length, acknowledged]).toEqual([1, ["a", "read 1"]]);
    await db.close();
  });

  it.each([
    ["ENOSPC", "full"],
    ["EDQUOT", "full"],
    ["EIO", "away"],
  ])(
    "[OUR-STO-75] that meets %s leaves its writes unacknowledged, and is moved away before the next",
    async (code, trouble) => {
      let fails = false;
      const db = openSqlite(path, 500, ((file: number, end: (error: NodeJS.ErrnoException | null) => void) =>
        fails
          ? setTimeout(() => end(Object.assign(new Error(code), { code })), 20)
          : fdatasync(file, end)) as typeof fdatasync);
      await write(db, "a");
      fails = true;
      const failing = [write(db, "b")];
      await turn();
      // It waits for a sync that would follow the one that failed.
      failing.push(write(db, "c"));
      for (const each of await Promise.allSettled(failing))
        expect(each).toMatchObject({ status: "rejected", reason: { name: "Unavailable", trouble } });
      fails = false;
      expect(withoutLog()).toEqual([]);
      await write(db, "d");
      expect(await written(db)).toEqual(["a", "b", "c", "d"]);
      expect(withoutLog()).toEqual(["a", "b", "c"]);
      await db.close();
    },
  );

  it("[OUR-STO-75] writes nothing while a failed log cannot be moved", async () => {
    let fails = true;
    const db = openSqlite(path, 500, ((file: number, end: (error: NodeJS.ErrnoException | null) => void) =>
      fails ? setImmediate(() => end(new Error("EIO"))) : fdatasync(file, end)) as typeof fdatasync);
    await expect(write(db, "a")).rejects.toMatchObject({ trouble: "away" });
    fails = false;
    const reader = openSqliteConnection(path, { readonly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM rate_window").get();
    await expect(write(db, "b")).rejects.toMatchObject({ trouble: "locked" });
    reader.exec("COMMIT");
    await write(db, "b");
    expect(await written(db)).toEqual(["a", "b"]);
    reader.close();
    await db.close();
  });

  it("[OUR-STO-76] is moved into the file as the database is written to, and is gone with the last connection", async () => {
    const db = openSqlite(path);
    for (let count = 0; count < 70; count += 1) await write(db, String(count).padStart(2, "0"));
    await vi.waitFor(() => expect(withoutLog().length).toBeGreaterThanOrEqual(60), patience);
    const size = statSync(`${path}-wal`).size;
    let count = 0;
    const one = (): Promise<unknown> => write(db, String(100 + (count += 1)));
    for (let batch = 0; batch < 10; batch += 1) {
      const least = 70 + count;
      for (const _ of Array(90)) await one();
      // The thread gets its turn when the machine has one, and a move begins with a commit.
      await vi.waitFor(
        () => one().then(() => expect(withoutLog().length).toBeGreaterThanOrEqual(least)),
        patience,
      );
    }
    // Each move lets the log begin again: it grows with what is written between two, not with all of it.
    expect(statSync(`${path}-wal`).size).toBeLessThan(8 * size);
    await db.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(withoutLog()).toHaveLength(70 + count);
  });

  it("[OUR-STO-76] is left to the commits where the system allows no thread, which is asked for again later", async () => {
    let asked = 0;
    const checkpoints = new Checkpoints(path, 50, () => {
      asked += 1;
      throw new Error("EAGAIN");
    });
    for (let commit = 0; commit < 130; commit += 1) checkpoints.committed();
    expect([asked, checkpoints.hasThread]).toEqual([2, false]);
    await checkpoints.close();
  });

  it("[OUR-STO-76] has no thread while nothing is written for a while", async () => {
    const db = openSqlite(path);
    const checkpoints = new Checkpoints(path, 50);
    const count = (commits: number) => {
      for (let commit = 0; commit < commits; commit += 1) checkpoints.committed();
    };
    count(63);
    expect(checkpoints.hasThread).toBe(false);
    for (const commits of [1, 64]) {
      count(commits);
      expect(checkpoints.hasThread).toBe(true);
      await vi.waitFor(() => expect(checkpoints.hasThread).toBe(false), patience);
    }
    const log = statSync(`${path}-wal`).ino;
    await checkpoints.close();
    // Its connection was not the last one.
    expect(statSync(`${path}-wal`).ino).toBe(log);
    await db.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});
