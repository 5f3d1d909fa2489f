import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { sql, type RawBuilder } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../../src/core/errors.ts";
import { all, type Database } from "../../../src/store/engine/database.ts";
import { query, type Builder } from "../../../src/store/engine/query.ts";
import { openSqlite } from "../../../src/store/engine/sqlite.ts";
import { ping, storesOn } from "../../../src/services/stores.ts";
import { newAccount, newReport, newServer, noon, times, viewer, type Stores } from "./rows.ts";

const busyTimeoutMs = 500;

/** A statement that sets the connection of the stores themselves up for a failure. */
const pragma = (text: RawBuilder<Record<string, number>>) =>
  query<Record<string, never>>()<Record<string, number>>((db: Builder) => ({
    compile: () => text.compile(db),
  }));
const pages = pragma(sql`PRAGMA page_count`);
const fullDisk = pragma(sql`PRAGMA max_page_count = 1`);
const emptyDisk = pragma(sql`PRAGMA max_page_count = 1000000`);
const writeProtected = pragma(sql`PRAGMA query_only = ON`);
const writable = pragma(sql`PRAGMA query_only = OFF`);

describe("SQLite", () => {
  let folder: string;
  let path: string;
  let db: Database;
  let stores: Stores;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tickmark-unavailable-"));
    path = join(folder, "one.db");
    db = openSqlite(path, busyTimeoutMs);
    stores = storesOn(db);
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const isSound = (): unknown => {
    const other = new Sqlite(path, { readonly: true });
    const verdict = other.pragma("integrity_check", { simple: true });
    other.close();
    return verdict;
  };

  it("[OUR-STO-39] that another process writes to for too long is unavailable to writes, not to reads", async () => {
    const account = await newAccount(stores);
    const other = new Sqlite(path);
    other.exec("BEGIN IMMEDIATE");
    const writes = [
      newAccount(stores),
      stores.accounts.setPlan(account.id, "free", 0),
      stores.tokens.markUsed("t", noon),
    ];
    const started = performance.now();
    expect(await stores.accounts.list()).toEqual([account]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await stores.accounts.list()).toEqual([account]);
    expect(performance.now() - started).toBeLessThan(busyTimeoutMs);
    for (const settled of await Promise.allSettled(writes)) {
      expect(settled).toMatchObject({
        status: "rejected",
        reason: { name: "Unavailable", trouble: "locked" },
      });
    }
    expect(await stores.accounts.list()).toEqual([account]);
    // The lock has been there for so long that a counter is not worth waiting for; what has to be saved is.
    const counting = performance.now();
    await expect(stores.tokens.markUsed("t", noon)).rejects.toMatchObject({ trouble: "locked" });
    expect(performance.now() - counting).toBeLessThan(busyTimeoutMs / 2);
    const saving = performance.now();
    await expect(newAccount(stores)).rejects.toMatchObject({ trouble: "locked" });
    expect(performance.now() - saving).toBeGreaterThanOrEqual(busyTimeoutMs);
    await expect(ping(db)).resolves.toBeDefined();
    other.exec("COMMIT");
    await stores.tokens.markUsed("t", noon);
    // A lock that comes later is a new one, which counters wait for.
    other.exec("BEGIN IMMEDIATE");
    const counted = stores.tokens.markUsed("t", noon);
    await new Promise((resolve) => setTimeout(resolve, 50));
    other.exec("COMMIT");
    await counted;
    other.close();
    await stores.accounts.setPlan(account.id, "hosting", 0);
    expect((await stores.accounts.findByEmail(account.email))?.plan).toBe("hosting");
  });

  it("[OUR-STO-40] on a full disk is unavailable to writes that do not fit, answers reads, and recovers by itself", async () => {
    const account = await newAccount(stores);
    const { server } = await newServer(stores, account);
    await db.read(() => all(fullDisk, {}));
    const uploads = times(6).map(() => newReport(account, server, { payload: "x".repeat(100_000) }));
    const settled = await Promise.allSettled(uploads.map((report) => stores.reports.insert(report)));
    for (const each of settled)
      expect(each).toMatchObject({ status: "rejected", reason: { name: "Unavailable", trouble: "full" } });
    await expect(
      stores.reports.insert(newReport(account, server, { payload: "x".repeat(100_000) })),
    ).rejects.toThrow(Unavailable);
    const everything = {
      mine: true,
      visibility: null,
      serverType: null,
      benchmarkMode: null,
      serverId: null,
    };
    expect(await stores.reports.list(viewer(account), everything, null, 10, noon)).toEqual([]);
    await db.read(() => all(emptyDisk, {}));
    for (const report of uploads) expect((await stores.reports.insert(report)).created).toBe(true);
    expect(await stores.reports.list(viewer(account), everything, null, 10, noon)).toHaveLength(6);
    expect(isSound()).toBe("ok");
  });

  it("[OUR-STO-40] a write that fits is saved though another of its turn met the full disk", async () => {
    const account = await newAccount(stores);
    const { server } = await newServer(stores, account);
    const [count] = await db.read(() => all(pages, {}));
    await db.read(() => all(fullDisk, {}));
    const big = stores.reports.insert(newReport(account, server, { payload: "x".repeat(100_000) }));
    const small = stores.accounts.setPlan(account.id, "enterprise", 0);
    const settled = await Promise.allSettled([big, small]);
    expect(settled[0]).toMatchObject({ status: "rejected", reason: expect.any(Unavailable) });
    const plan = (await stores.accounts.findByEmail(account.email))?.plan;
    expect(plan).toBe(settled[1]?.status === "fulfilled" ? "enterprise" : "pro");
    expect(await db.read(() => all(pages, {}))).toEqual([count]);
  });

  it("[OUR-STO-40] that cannot be written to is unavailable to writes and answers reads", async () => {
    const account = await newAccount(stores);
    await db.read(() => all(writeProtected, {}));
    await expect(newAccount(stores)).rejects.toMatchObject({ name: "Unavailable", trouble: "read_only" });
    expect(await stores.accounts.list()).toEqual([account]);
    await db.read(() => all(writable, {}));
    await expect(newAccount(stores)).resolves.toBeDefined();
  });

  it("[OUR-STO-41] a mistake of ours is no unavailability", async () => {
    const account = await newAccount(stores);
    await expect(newAccount(stores, { id: account.id })).rejects.not.toBeInstanceOf(Unavailable);
  });
});
