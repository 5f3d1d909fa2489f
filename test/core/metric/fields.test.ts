import { expect, it } from "vitest";
import { sampleFields, seriesFields } from "../../../src/core/metric/fields.ts";
import { addedColumn, migrations } from "../../../src/store/migrations/registry.ts";
import { read } from "../../gates/sources.ts";

it("[OUR-MET-38] a field that joins adds its column by a migration of its own", () => {
  expect(addedColumn("disk_free_mb", { column: "BIGINT", migration: 7 })).toEqual({
    id: 7,
    name: "sample-disk-free-mb",
    statements: ["ALTER TABLE sample ADD COLUMN disk_free_mb BIGINT"],
  });
  expect(addedColumn("tps", sampleFields.tps)).toBeNull();
  const ofFirstSchema = migrations[0]?.statements.find((statement) =>
    statement.startsWith("CREATE TABLE sample ("),
  );
  for (const field of seriesFields) {
    const { column, migration } = sampleFields[field];
    // The first schema is never edited: what is not in it comes later.
    if (migration === undefined) expect(ofFirstSchema).toContain(` ${field} ${column}`);
    else expect(migrations.find(({ id }) => id === migration)?.name).toContain(field.replaceAll("_", "-"));
  }
});

it("[OUR-MET-38] the guide has a sentence on every field", () => {
  const guide = read("resources/guides/metrics.md");
  expect(seriesFields.filter((field) => !guide.includes(`\`${field}\``))).toEqual([]);
});
