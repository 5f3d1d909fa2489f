import { expect, it } from "vitest";
import { killLine, killRuns } from "../store/engine/kill-runs.ts";
import { transitionLine, transitionRuns } from "../store/alert/transition-runs.ts";
import { workers } from "../store/engine/workers.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";

const timeoutMs = 1_800_000;
const kills = { "SQLite in a file": 200, PostgreSQL: 40, "SQLite in memory": 0 };

/** The same as the tests of OUR-PRC-01 and OUR-PRC-35, as often as the threat model asks for. */
eachDatabase((databases, kind) => {
  const start = workers("ingest");

  it(
    `nothing acknowledged is lost and nothing is left half, ${kills[kind]} times`,
    async () => {
      const result = await killRuns(databases, start, kills[kind]);
      console.log(killLine(kind, kills[kind], result));
      expect(result).toMatchObject({ lost: [], unsound: 0, halves: [] });
    },
    timeoutMs,
  );

  const startTransitions = workers("transition");

  it(
    `alerts and their messages are those that were called for, ${kills[kind]} times`,
    async () => {
      const result = await transitionRuns(databases, startTransitions, kills[kind]);
      console.log(transitionLine(kind, result));
      expect(result).toMatchObject({ lostSamples: [], lostAlerts: [], extraAlerts: [], untold: 0 });
      expect([result.arrived, result.mostRepeated <= 1]).toEqual([result.told, true]);
    },
    timeoutMs,
  );
}, sharedKinds);
