import { selectWindowStates } from "../../../src/store/access/rate-windows.ts";
import { describe, expect, it } from "vitest";
import { dayWindowMs, hourWindowMs, type WindowRule } from "../../../src/core/access/rate-window.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { isLong } from "../../support/long.ts";
import type { QuotaResult } from "../engine/quota-worker.ts";
import { noon, times } from "../engine/rows.ts";
import { workers } from "../engine/workers.ts";

const processes = 4;
/** Ten calls are made at once; in the long run more rounds of them. */
const callsEach = isLong ? 500 : 40;
const limit = 2 * callsEach;
/** Less than the limit, so that the day's window binds and several tokens share it. */
const hourly = (limit * 6) / 10;

const dayRule = (limit: number): WindowRule => ({
  kind: "account_day",
  key: "account",
  lengthMs: dayWindowMs,
  limit,
});
const hourRule = (key: string, limit: number): WindowRule => ({
  kind: "token_hour",
  key,
  lengthMs: hourWindowMs,
  limit,
});

const races = [
  { binding: "day", rulesOf: (token: number) => [dayRule(limit), hourRule(`token ${token}`, hourly)] },
  { binding: "hour", rulesOf: () => [dayRule(5 * limit), hourRule("token", limit)] },
];

eachDatabase((databases, kind) => {
  const start = workers("quota");

  describe.each(races)("when the $binding window binds", ({ binding, rulesOf }) => {
    it("[QUO-01] [QUO-06] [OUR-STO-32] four processes are granted the limit and not one call more or less", async () => {
      const url = await databases.url();
      const database = await databases.open(url);
      const racers = await Promise.all(
        times(processes).map((token) => start(url, JSON.stringify(rulesOf(token)), String(callsEach))),
      );
      const startedAt = performance.now();
      for (const racer of racers) racer.begin();
      const results = (await Promise.all(racers.map((racer) => racer.result()))) as QuotaResult[];
      const ms = Math.round(performance.now() - startedAt);
      const granted = results.reduce((sum, result) => sum + result.granted, 0);
      const errors = results.flatMap((result) => result.errors);
      console.log(
        `quota race on ${kind}, ${binding} window: ${processes} processes x ${callsEach} calls, limit ${limit}: ` +
          `granted ${granted}, difference ${granted - limit}, errors ${errors.length}, ${ms} ms`,
      );
      expect(errors).toEqual([]);
      expect(granted).toBe(limit);
      const rules = [
        ...new Map(
          times(processes)
            .flatMap((token) => rulesOf(token))
            .map((rule) => [rule.key, rule]),
        ).values(),
      ];
      const states = await database.read(selectWindowStates, rules, noon);
      const [day, ...hours] = states.map(({ used }) => used);
      expect(day).toBe(limit);
      expect(hours.reduce((sum, used) => sum + used, 0)).toBe(limit);
    });
  });
}, sharedKinds);
