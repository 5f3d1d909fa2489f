import { expect, it } from "vitest";
import { sampleFields, seriesFields } from "../../../src/core/metric/fields.ts";
import { addedColumn, joinedSteps, migrations } from "../../../src/store/migrations/registry.ts";
import { read } from "../../gates/sources.ts";

it("[OUR-MET-38] a field that joins adds its column by a migration of its own", () => {
  const joins = addedColumn("swap_used_mb", { column: "BIGINT", migration: 7 });
  expect(joins).toEqual({
    id: 7,
    name: "sample-swap-used-mb",
    statements: ["ALTER TABLE sample ADD COLUMN swap_used_mb BIGINT"],
  });
  expect(addedColumn("tps", sampleFields.tps)).toBeNull();
  const ofFirstSchema = migrations[0]?.statements.find((statement) =>
    statement.startsWith("CREATE TABLE sample ("),
  );
  for (const field of seriesFields) {
    const { column, migration } = sampleFields[field];
    // The first schema is never edited: what is not in it comes later.
    if (migration === undefined) expect(ofFirstSchema).toContain(` ${field} ${column}`);
    else
      expect(migrations.find(({ id }) => id === migration)?.statements).toContain(
        `ALTER TABLE sample ADD COLUMN ${field} ${column}`,
      );
  }
  const [before, other] = [6, 7].map((id) => ({ id, name: `made-${id}`, statements: [`${id}`] }));
  expect(joinedSteps([before, joins, other].flatMap((step) => step ?? []))).toEqual([
    before,
    { id: 7, name: joins?.name, statements: [...(joins?.statements ?? []), "7"] },
  ]);
});

it("[OUR-MET-38] the guide has a sentence on every field", () => {
  const guide = read("resources/guides/metrics.md");
  expect(seriesFields.filter((field) => !guide.includes(`\`${field}\``))).toEqual([]);
});
