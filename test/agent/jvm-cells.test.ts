import { afterAll, describe, expect, it } from "vitest";
import { jdksByVersion } from "../support/jdks.ts";
import { compareCell, errorOf, limitedGroup, nameOf, type Cell } from "./jvm-cells.ts";
import { compiledProgram } from "./jvm.ts";

const classes = compiledProgram();
const found = jdksByVersion();
const group = await limitedGroup(1024);
if (typeof group === "string") console.warn(`*** SKIPPED: container_used_mb: ${group} ***`);
afterAll(() => {
  if (typeof group !== "string") group.remove();
});

/** The first counts pages three times, the others name their log of collections otherwise; all are in the benchmark. */
const hardest: readonly Pick<Cell, "version" | "collector" | "isShared">[] = [
  { version: "17", collector: "Z", isShared: true },
  { version: "25", collector: "G1", isShared: false },
  { version: "25", collector: "Z", isShared: false },
];

describe.skipIf(classes === null)("real JVMs", () => {
  it.each(hardest)(
    "[OUR-AGT-263] every figure agrees with other tools: JDK $version, $collector",
    async (each) => {
      const jdk = found.get(each.version);
      if (jdk === undefined) {
        console.warn(`*** SKIPPED: no JDK ${each.version} on this machine ***`);
        return;
      }
      const cell = { ...each, jdk };
      const rows = await compareCell(cell, classes ?? "", typeof group === "string" ? null : group.folder);
      console.log(
        nameOf(cell),
        rows.map(({ figure, agent, other, skipped }) => [figure, agent, skipped ?? other]),
      );
      for (const row of rows.filter(({ skipped }) => skipped === undefined))
        expect(errorOf(row), `${row.figure} ${row.agent} ${row.other}`).toBeLessThanOrEqual(row.within);
    },
  );
});
