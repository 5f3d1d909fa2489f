import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { exportOf, importedFrom, importInto, sortedRows } from "./exchanging.ts";

/**
 * Exports of databases of five migrations from before the first release, and what the last version before it made of each
 * of these databases; with the rows of five minutes of samples that each export has, in tables and in blocks.
 */
const exports = [
  { migration: "01", leftOut: 0 },
  { migration: "09", leftOut: 1 },
  { migration: "18", leftOut: 1 },
  { migration: "25", leftOut: 1 },
  { migration: "41", leftOut: 5 },
] as const;

const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, "../../fixtures/exports", `${name}.ndjson`));

interface Line {
  readonly table: string;
  readonly row: Record<string, unknown>;
}

/** The same rows as text, whatever order their columns have. */
const comparable = (lines: readonly string[]): string[] =>
  lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ row }) => row["kind"] !== "schema_migrated")
    .map(({ table, row }) => JSON.stringify([table, Object.entries(row).toSorted()]))
    .toSorted();

/**
 * What the version before the release made of them, without rows of five minutes, of which a whole block is one, and with
 * what that version added each time it read an alert or a notice.
 */
const expected = (migration: string): string[] => {
  const rows = sortedRows(fixture(`migration-${migration}.upgraded`));
  const hasEntries = rows.some((line) => line.includes('"table":"server_event"'));
  return (
    rows
      .filter((line) => !line.includes('"sample_rollup"') && !line.includes('"points":2,"data":"AQE'))
      .map((line) => line.replace('"delivery":"{}"', `"delivery":${JSON.stringify(channels)}`))
      .map((line) => line.replace(/(?<="table":"server_health".*"announced":"\w+")/, ',"beginnings":"{}"'))
      // The newest entry of its timeline is of this moment.
      .map((line) =>
        hasEntries ? line.replace(/(?<="table":"server","row":\{"id":"s1",)/, '"last_event_at":5,') : line,
      )
      .map((line) =>
        line.replace(/(?<="table":"inbox".*)"message":"\{\}"/, `"message":${JSON.stringify(linked)}`),
      )
  );
};

const channels = '{"webhook":null,"second":null}';
const linked = '{"link":"/alerts/al1"}';

eachDatabase((databases, kind) => {
  it.each(exports)(
    "[OUR-STO-56] an export of migration $migration from before 0.1.0 becomes what its own version made of it",
    async ({ migration, leftOut }) => {
      const url = await databases.emptyUrl();
      const imported = await importedFrom(url, fixture(`migration-${migration}`));
      expect(imported.leftOut).toBe(leftOut);
      const found = comparable(sortedRows(await exportOf(url)));
      const wanted = comparable(expected(migration));
      const ofBlocks = (line: string): boolean => line.startsWith('["sample_block"');
      expect(found.filter((line) => !ofBlocks(line))).toEqual(wanted.filter((line) => !ofBlocks(line)));
      // The samples around the five minutes of one block are kept.
      expect(found.filter(ofBlocks).map((line) => /"points",(\d+)/.exec(line)?.[1])).toEqual(
        migration === "41" ? ["2", "3"] : [],
      );
    },
  );

  it("[OUR-STO-55] an export from before 0.1.0 that is damaged is refused with the line that is", async () => {
    const whole = fixture("migration-41").toString("utf8");
    const url = await databases.emptyUrl();
    const changed = (from: RegExp, to: string): Buffer => {
      const text = whole.replace(from, to);
      expect(text).not.toBe(whole);
      return Buffer.from(text);
    };
    for (const [from, to] of [
      [/"delivery":"\{\}"/, '"delivery":"{"'],
      [/(?<="table":"sample_block".*"data":")[^"]+/, "AQFA"],
      [/"table":"account"/, '"table":"__proto__"'],
    ] as const)
      await expect(importInto(url, changed(from, to))).rejects.toThrow(/^The export is damaged: line \d+ /);
    await importInto(url, Buffer.from(whole));
  });

  it.skipIf(kind !== "PostgreSQL")("[OUR-STO-56] goes into an empty database alone", async () => {
    const url = await databases.emptyUrl();
    await importInto(url, fixture("migration-41"));
    await expect(importInto(url, fixture("migration-41"))).rejects.toThrow(/new database without tables/);
  });
}, sharedKinds);
