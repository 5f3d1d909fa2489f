import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { backupSqlite } from "../../../src/store/transfer/backup.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { openRaw } from "../engine/raw-database.ts";
import { workers } from "../engine/workers.ts";
import { exportOf, importInto, rowsIn, startWriter } from "./exchanging.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-moment-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startWorker = workers("ingest");

/** Instants the writer has written of: it goes on to the next once all of one is acknowledged. */
const instants = (
  rows: readonly { row: Readonly<Record<string, unknown>> }[],
  column: string,
): Set<unknown> => new Set(rows.map(({ row }) => row[column]));

eachDatabase((databases, kind) => {
  it("[OUR-STO-53] an export is one moment of a database that is written to meanwhile, and imports", async () => {
    const url = await databases.url();
    const writer = await startWriter(url, startWorker);
    await writer.more(200);
    const least = writer.acknowledged("sample");
    const start = performance.now();
    // The writer gets on between any two chunks, and so between any two tables.
    const exported = await exportOf(url, () => writer.more(10));
    const took = Math.round(performance.now() - start);
    const most = writer.acknowledged("sample");
    await writer.stop();

    const samples = rowsIn(exported, "sample");
    const events = rowsIn(exported, "server_event");
    expect(samples.length).toBeGreaterThanOrEqual(least);
    expect(samples.length).toBeLessThan(most);
    expect(events.length % 3).toBe(0);
    const steps = instants(samples, "sampled_at").size - instants(events, "received_at").size;
    expect(Math.abs(steps)).toBeLessThanOrEqual(1);

    // Foreign keys hold, or it would not be taken.
    const copy = `sqlite:${join(folder, `${kind}.db`)}`;
    expect(await importInto(copy, exported)).toMatchObject({
      sample: samples.length,
      server_event: events.length,
    });
    console.log(
      `${kind}: ${samples.length} of ${most} samples exported in ${took} ms while ${most - least} were written`,
    );
  });
}, sharedKinds);

describe("a backup", () => {
  it("[OUR-STO-54] is one sound moment of a database that is written to, and does not begin again with each write", async () => {
    const path = join(folder, "served.db");
    const writer = await startWriter(`sqlite:${path}`, startWorker);
    const raw = await openRaw(`sqlite:${path}`);
    // Some tens of megabytes, so that it takes many steps.
    await raw.run(`INSERT INTO write_replay (account_id, route, slot, body_digest, resource_id, resource_updated_at, created_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 800)
      SELECT 'a', 'r', i, hex(randomblob(8000)), 'x', 0, 0 FROM n`);
    await writer.more(30);
    const least = writer.acknowledged("sample");
    const told: [number, number][] = [];
    const copy = join(folder, "copy.db");
    const start = performance.now();
    await backupSqlite(path, copy, (copied, pages) => {
      told.push([copied, pages]);
      // The writer gets on meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    });
    const took = Math.round(performance.now() - start);
    await writer.more(1);
    const most = writer.acknowledged("sample");
    await writer.stop();
    await raw.close();

    expect(new Set(told.map(([, pages]) => pages)).size).toBe(1);
    const copied = told.map(([pages]) => pages);
    expect(copied).toEqual([...new Set(copied)].toSorted((a, b) => a - b));
    expect(copied.length).toBeGreaterThan(4);
    expect(most).toBeGreaterThan(least + 20);

    const opened = await openRaw(`sqlite:${copy}`);
    expect(await opened.rows("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(await opened.rows("PRAGMA foreign_key_check")).toEqual([]);
    const [{ rows = 0 } = {}] = await opened.rows("SELECT count(*) AS rows FROM sample");
    await opened.close();
    expect(rows).toBeGreaterThanOrEqual(least);
    expect(rows).toBeLessThan(most);
    console.log(
      `backup: ${String(rows)} of ${most} samples, ${told[0]?.[1]} pages in ${copied.length} steps, ${took} ms while ${most - least} were written`,
    );
  });
});
