import { expect, it } from "vitest";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { isLong } from "../../support/long.ts";
import { transitionLine, transitionRuns } from "./transition-runs.ts";
import { workers } from "../engine/workers.ts";

/** The bench kills many more: a start of a process costs a third of a second of one core. */
const kills = { "SQLite in a file": isLong ? 12 : 2, PostgreSQL: isLong ? 6 : 1, "SQLite in memory": 0 };

eachDatabase((databases, kind) => {
  const start = workers("transition");

  it(`[OUR-PRC-35] processes that are killed while alerts open and end lose none, double none, and repeat a mail once at most`, async () => {
    const result = await transitionRuns(databases, start, kills[kind]);
    console.log(transitionLine(kind, result));
    expect(result).toMatchObject({ lostSamples: [], lostAlerts: [], extraAlerts: [], untold: 0 });
    expect(result.arrived).toBe(result.told);
    expect(result.mostRepeated).toBeLessThanOrEqual(1);
    expect(result.repeated).toBeLessThanOrEqual(result.repeatedAtMost);
    expect(result.alerts).toBeGreaterThan(30 * kills[kind]);
    expect(result.resolved).toBeGreaterThan(20 * kills[kind]);
  });
}, sharedKinds);
