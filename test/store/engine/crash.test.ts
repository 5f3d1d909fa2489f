import { describe, expect, it } from "vitest";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { isLong } from "../../support/long.ts";
import { killLine, killRuns } from "./kill-runs.ts";
import { workers } from "./workers.ts";

/** The bench kills 200: a start of a process costs a third of a second of one core. */
const kills = { "SQLite in a file": isLong ? 30 : 5, PostgreSQL: isLong ? 8 : 2, "SQLite in memory": 0 };
const timeoutMs = 240_000;

eachDatabase((databases, kind) => {
  const start = workers("ingest");

  describe("a process that is killed while it writes", () => {
    it(
      `[OUR-STO-38] [OUR-PRC-01] loses nothing it acknowledged and leaves nothing broken or half, ${kills[kind]} times`,
      async () => {
        const result = await killRuns(databases, start, kills[kind]);
        console.log(killLine(kind, kills[kind], result));
        expect(result).toMatchObject({ lost: [], unsound: 0, halves: [] });
        expect(result.acknowledged.samples).toBeGreaterThan(kills[kind]);
        expect(result.acknowledged.events).toBeGreaterThan(kills[kind]);
        expect(result.alerts.all).toBeGreaterThan(kills[kind]);
      },
      timeoutMs,
    );
  });
}, sharedKinds);
