import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { compiled, type LogForm } from "../agent/ends/ending-server.ts";
import { jdksByVersion } from "../support/jdks.ts";
import { endRun, type EndResult } from "../agent/ends/end-runs.ts";
import { ways } from "../agent/ends/ways.ts";

const forms: readonly LogForm[] = ["known", "unknown", "none"];
const found = jdksByVersion();
if (found.size === 0) console.warn("*** SKIPPED: no JDK on this machine: no server ends really ***");

const cell = ({ wrong, seconds }: EndResult): string =>
  wrong === null ? `${seconds?.toFixed(1) ?? "?"} s` : `WRONG: ${wrong}`;

/** The agent looks every second. */
const everyMs = Number(process.env["ENDS_LOOK_MS"] ?? 1000);
const only = process.env["ENDS_ONLY"];

it.each([...found])(
  "JDK %s: every way a server ends, with each log, the agent there and away",
  async (version, jdk) => {
    const classes = compiled(jdk);
    const wrong: string[] = [];
    console.log(`JDK ${version}: ${"known / away, unknown / away, no log / away"}`);
    for (const way of ways.filter(({ name }) => only === undefined || name.includes(only))) {
      const cells: string[] = [];
      for (const form of forms)
        for (const isAway of [false, true]) {
          const result = await endRun({ way, form, isAway, jdk, classes, everyMs });
          cells.push(cell(result));
          if (result.wrong !== null)
            wrong.push(`${way.name}, ${form}, ${isAway ? "away" : "there"}: ${result.told.join(" | ")}`);
        }
      console.log(`${way.name.padEnd(42)} ${cells.map((each) => each.padEnd(8)).join(" ")}`);
    }
    rmSync(classes, { recursive: true, force: true });
    expect(wrong).toEqual([]);
  },
  3_600_000,
);
