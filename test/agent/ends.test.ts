import { rmSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { jdksByVersion } from "../support/jdks.ts";
import { compiled, type LogForm } from "./ends/ending-server.ts";
import { endRun } from "./ends/end-runs.ts";
import { ways } from "./ends/ways.ts";

const [newest] = [...jdksByVersion()].toReversed();
if (!newest) console.warn("*** SKIPPED: no JDK on this machine: no server ends really ***");
const classes = newest ? compiled(newest[1]) : "";
afterAll(() => rmSync(classes, { recursive: true, force: true }));

/** Real processes take seconds to begin and end; all ways with each log are in test/bench/ends.bench.ts. */
const short: readonly (readonly [way: string, form: LogForm, isAway: boolean])[] = [
  ["stop by signal", "none", false],
  ["kill -9", "unknown", false],
  ["segmentation fault", "known", true],
  ["second start beside it, then stop", "known", false],
];

it.skipIf(!newest).each(short)(
  "[OUR-AGT-231] [OUR-AGT-232] [OUR-AGT-233] [OUR-AGT-234] %s, log %s, agent away: %s",
  async (name, form, isAway) => {
    const way = ways.find((each) => each.name === name);
    if (!way || !newest) throw new Error("No such way.");
    const { wrong, told } = await endRun({ way, form, isAway, jdk: newest[1], classes, everyMs: 200 });
    expect([wrong, told]).toEqual([null, told]);
  },
);
