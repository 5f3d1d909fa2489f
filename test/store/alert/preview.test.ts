import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase } from "../../support/databases.ts";
import { isLong } from "../../support/long.ts";
import { watchedServer } from "./alerting.ts";
import { history, live, previewed, raised } from "./preview-runs.ts";

const conditions = {
  tps: { condition: "below", threshold: 18 },
  cpu_usage: { condition: "above", threshold: 90 },
  offline: { condition: null, threshold: null },
} as const;

eachDatabase((databases, kind) => {
  let db: Database;
  const seen = new Map<string, number>();
  const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1);
  beforeAll(async () => {
    db = await databases.open();
  });
  afterAll(() => {
    const lines = [...seen].sort().map(([what, times]) => `  ${what}: ${times}`);
    console.log(`alerts of the random histories\n${lines.join("\n")}`);
  });

  // Through PostgreSQL a history takes ten times as long.
  const wanted = isLong ? { memory: 200, other: 15 } : { memory: 70, other: 8 };
  const histories = kind === "SQLite in memory" ? wanted.memory : wanted.other;

  it(`[OUR-ALR-90] a preview says of ${histories} histories what the service did when they were live`, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (lived) => {
        const server = await watchedServer(db);
        const rules = [];
        for (const one of lived.rules) {
          const { condition, threshold } = conditions[one.metric as keyof typeof conditions];
          rules.push(await server.rule({ ...one, name: one.metric, condition, threshold }));
        }
        const end = await live(db, server, lived);
        for (const rule of rules) {
          const { episodes, openedMessages, resolvedMessages } = await previewed(db, server, rule, end);
          expect({ episodes, openedMessages, resolvedMessages }).toEqual(await raised(server, rule));
          for (const { resolutionReason, quiet } of episodes)
            count(`${rule.metric} ${resolutionReason ?? "open"}, ${quiet ?? "notified"}`);
        }
      }),
      { numRuns: histories, seed: 20_261_120 },
    );
    if (kind === "PostgreSQL") return;
    for (const what of [
      "tps recovered, notified",
      "tps recovered, flapping",
      "tps recovered, cooldown",
      "tps recovered, maintenance",
      "tps no_data, notified",
      "tps paused_empty, notified",
      "cpu_usage recovered, notified",
      "offline recovered, notified",
      "offline open, notified",
    ])
      expect(seen.get(what) ?? 0, what).toBeGreaterThanOrEqual(isLong ? 4 : 1);
  });
});
