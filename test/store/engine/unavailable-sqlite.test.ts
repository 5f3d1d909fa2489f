import { ping } from "../../../src/store/engine/ping.ts";
import { selectAccounts, selectAccountByEmail } from "../../../src/store/access/accounts.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { updateTokenUsed } from "../../../src/store/access/tokens.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReports } from "../../../src/store/report/report-lists.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import { sql, type RawBuilder } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../../src/core/errors.ts";
import { all, type Database } from "../../../src/store/engine/database.ts";
import { query, type Builder } from "../../../src/store/engine/query.ts";
import { openSqlite } from "../../../src/store/engine/sqlite.ts";
import { newAccount, newReport, newServer, noon, times, viewer } from "./rows.ts";
import { ownTime } from "../../support/own-time.ts";

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
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tickmark-unavailable-"));
    path = join(folder, "one.db");
    db = openSqlite(path, busyTimeoutMs);
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const isSound = (): unknown => {
    const other = openSqliteConnection(path, { readonly: true });
    const verdict = other.pragma("integrity_check", { simple: true });
    other.close();
    return verdict;
  };

  it("[OUR-STO-39] that another process writes to for too long is unavailable to writes, not to reads", async () => {
    const account = await newAccount(db);
    const other = openSqliteConnection(path);
    other.exec("BEGIN IMMEDIATE");
    const writes = [
      newAccount(db),
      db.write(changePlan, account.id, "free", 0),
      db.writeRelaxed(updateTokenUsed, "t", noon),
    ];
    const reading = ownTime();
    expect(await db.read(selectAccounts)).toEqual([account]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await db.read(selectAccounts)).toEqual([account]);
    expect(reading()).toBeLessThan(busyTimeoutMs);
    for (const settled of await Promise.allSettled(writes)) {
      expect(settled).toMatchObject({
        status: "rejected",
        reason: { name: "Unavailable", trouble: "locked" },
      });
    }
    expect(await db.read(selectAccounts)).toEqual([account]);
    // The lock has been there for so long that a counter is not worth waiting for; what has to be saved is.
    const counting = ownTime();
    await expect(db.writeRelaxed(updateTokenUsed, "t", noon)).rejects.toMatchObject({ trouble: "locked" });
    expect(counting()).toBeLessThan(busyTimeoutMs / 2);
    const saving = performance.now();
    await expect(newAccount(db)).rejects.toMatchObject({ trouble: "locked" });
    expect(performance.now() - saving).toBeGreaterThanOrEqual(busyTimeoutMs);
    await expect(ping(db)).resolves.toBeDefined();
    other.exec("COMMIT");
    await db.writeRelaxed(updateTokenUsed, "t", noon);
    // A lock that comes later is a new one, which counters wait for.
    other.exec("BEGIN IMMEDIATE");
    const counted = db.writeRelaxed(updateTokenUsed, "t", noon);
    await new Promise((resolve) => setTimeout(resolve, 50));
    other.exec("COMMIT");
    await counted;
    other.close();
    await db.write(changePlan, account.id, "hosting", 0);
    expect((await db.read(selectAccountByEmail, account.email))?.plan).toBe("hosting");
  });

  it("[OUR-STO-40] on a full disk is unavailable to writes that do not fit, answers reads, and recovers by itself", async () => {
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    await db.read(() => all(fullDisk, {}));
    const uploads = times(6).map(() => newReport(account, server, { payload: "x".repeat(100_000) }));
    const settled = await Promise.allSettled(uploads.map((report) => db.write(addReport, report)));
    for (const each of settled)
      expect(each).toMatchObject({ status: "rejected", reason: { name: "Unavailable", trouble: "full" } });
    await expect(
      db.write(addReport, newReport(account, server, { payload: "x".repeat(100_000) })),
    ).rejects.toThrow(Unavailable);
    const everything = {
      mine: true,
      visibility: null,
      serverType: null,
      benchmarkMode: null,
      serverId: null,
    };
    expect(await db.read(selectReports, viewer(account), everything, null, 10, noon)).toEqual([]);
    await db.read(() => all(emptyDisk, {}));
    for (const report of uploads) expect((await db.write(addReport, report)).created).toBe(true);
    expect(await db.read(selectReports, viewer(account), everything, null, 10, noon)).toHaveLength(6);
    expect(isSound()).toBe("ok");
  });

  it("[OUR-STO-40] a write that fits is saved though another of its turn met the full disk", async () => {
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const [count] = await db.read(() => all(pages, {}));
    await db.read(() => all(fullDisk, {}));
    const big = db.write(addReport, newReport(account, server, { payload: "x".repeat(100_000) }));
    const small = db.write(changePlan, account.id, "enterprise", 0);
    const settled = await Promise.allSettled([big, small]);
    expect(settled[0]).toMatchObject({ status: "rejected", reason: expect.any(Unavailable) });
    const plan = (await db.read(selectAccountByEmail, account.email))?.plan;
    expect(plan).toBe(settled[1]?.status === "fulfilled" ? "enterprise" : "pro");
    expect(await db.read(() => all(pages, {}))).toEqual([count]);
  });

  it("[OUR-STO-40] that cannot be written to is unavailable to writes and answers reads", async () => {
    const account = await newAccount(db);
    await db.read(() => all(writeProtected, {}));
    await expect(newAccount(db)).rejects.toMatchObject({ name: "Unavailable", trouble: "read_only" });
    expect(await db.read(selectAccounts)).toEqual([account]);
    await db.read(() => all(writable, {}));
    await expect(newAccount(db)).resolves.toBeDefined();
  });

  it("[OUR-STO-41] a mistake of ours is no unavailability", async () => {
    const account = await newAccount(db);
    await expect(newAccount(db, { id: account.id })).rejects.not.toBeInstanceOf(Unavailable);
  });
});
