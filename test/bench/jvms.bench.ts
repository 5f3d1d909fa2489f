import { afterAll, expect, it } from "vitest";
import { compareCell, collectors, errorOf, limitedGroup, nameOf, type Compared } from "../agent/jvm-cells.ts";
import { compiledProgram } from "../agent/jvm.ts";
import { jdksByVersion } from "../support/jdks.ts";

const classes = compiledProgram();
const found = jdksByVersion();
const group = await limitedGroup(1024);
if (typeof group === "string") console.warn(`*** SKIPPED: container_used_mb: ${group} ***`);
afterAll(() => {
  if (typeof group !== "string") group.remove();
});

const shown = (value: number | null): string =>
  value === null ? "missing" : String(Math.round(value * 100) / 100);

it("each figure of the agent beside other tools, for each JVM of this machine", async () => {
  const wrong: string[] = [];
  const largest = new Map<string, { error: number; cell: string }>();
  for (const version of ["17", "21", "25"])
    if (!found.has(version)) console.warn(`*** SKIPPED: no JDK ${version} on this machine ***`);
  for (const [version, jdk] of found)
    for (const collector of collectors)
      for (const isShared of [true, false]) {
        const cell = { jdk, version, collector, isShared };
        console.log(nameOf(cell));
        const rows: Compared[] = await compareCell(
          cell,
          classes ?? "",
          typeof group === "string" ? null : group.folder,
        );
        for (const row of rows) {
          const error = errorOf(row);
          const words =
            error === null
              ? `skipped: ${row.skipped ?? ""}`
              : `${shown(row.agent).padStart(8)} ${shown(row.other).padStart(8)} by ${row.by}`;
          console.log(`  ${row.figure.padEnd(20)} ${words}`);
          if (error === null) continue;
          if (!(error <= row.within)) wrong.push(`${nameOf(cell)}: ${row.figure} ${words}`);
          if (!(error <= (largest.get(row.figure)?.error ?? -1)))
            largest.set(row.figure, { error, cell: nameOf(cell) });
        }
      }
  for (const [figure, { error, cell }] of largest)
    console.log(`largest error of ${figure.padEnd(20)} ${shown(error)} (${cell})`);
  expect(wrong).toEqual([]);
}, 1_200_000);
