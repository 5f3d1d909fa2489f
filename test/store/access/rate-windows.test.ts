import type { Database } from "../../../src/store/engine/database.ts";
import {
  consumeWindows,
  giveBackToWindow,
  closeWindow,
  selectWindowStates,
} from "../../../src/store/access/rate-windows.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { dayWindowMs, hourWindowMs, type WindowRule } from "../../../src/core/access/rate-window.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, newId, noon, times } from "../engine/rows.ts";

const dayRule = (limit: number, key = newId()): WindowRule => ({
  kind: "account_day",
  key,
  lengthMs: dayWindowMs,
  limit,
});
const hourRule = (limit: number, key = newId()): WindowRule => ({
  kind: "token_hour",
  key,
  lengthMs: hourWindowMs,
  limit,
});

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const used = async (rule: WindowRule, now = noon): Promise<number | undefined> =>
    (await db.read(selectWindowStates, [rule], now))[0]?.used;

  async function spend(rules: readonly WindowRule[], calls: number, now = noon): Promise<number> {
    let granted = 0;
    for (const _ of times(calls)) granted += Number((await consumeWindows(db, rules, now)).granted);
    return granted;
  }

  describe("two windows", () => {
    it("[QUO-01] [QUO-06] a call counts in both, and both tell where they stand", async () => {
      const rules = [dayRule(10), hourRule(5)];
      await consumeWindows(db, rules, noon);
      expect(await consumeWindows(db, rules, noon + 7)).toEqual({
        granted: true,
        full: null,
        states: [
          { limit: 10, used: 2, lengthMs: dayWindowMs, resetAt: noon + dayWindowMs },
          { limit: 5, used: 2, lengthMs: hourWindowMs, resetAt: noon + hourWindowMs },
        ],
      });
    });

    it("[QUO-01] a call that the second window refuses counts in neither, and is not shown as counted", async () => {
      const [days, hours] = [dayRule(10), hourRule(2)];
      expect(await spend([days, hours], 3)).toBe(2);
      const { granted, states } = await consumeWindows(db, [days, hours], noon);
      expect(granted).toBe(false);
      expect(states.map((state) => state.used)).toEqual([2, 2]);
      expect(await used(days)).toBe(2);
    });

    it("[QUO-01] a refused call opens no window", async () => {
      const [days, hours] = [dayRule(10), hourRule(1)];
      await consumeWindows(db, [hours], noon);
      const { states } = await consumeWindows(db, [days, hours], noon);
      expect(states[0]).toEqual({ limit: 10, used: 0, lengthMs: dayWindowMs, resetAt: null });
      expect(await db.read(selectWindowStates, [days], noon)).toEqual([states[0]]);
    });

    it("[QUO-01] [QUO-06] of many calls at once so many are granted as there is room for, each with its own count", async () => {
      const [days, hours] = [dayRule(100), hourRule(40)];
      await consumeWindows(db, [days, hours], noon);
      const results = await Promise.all(times(64).map(() => consumeWindows(db, [days, hours], noon + 1)));
      const granted = results.filter((each) => each.granted);
      expect(granted.map(({ states }) => states.map((state) => state.used))).toEqual(
        times(39).map((index) => [index + 2, index + 2]),
      );
      const refused = results.filter((each) => !each.granted);
      expect(refused.map(({ full, states }) => [full, states.map((state) => state.used)])).toEqual(
        times(25).map(() => [1, [40, 40]]),
      );
      expect([await used(days), await used(hours)]).toEqual([40, 40]);
    });

    it("[QUO-01] a call that the first window refuses leaves the second alone", async () => {
      const [days, hours] = [dayRule(1), hourRule(10)];
      expect(await spend([days, hours], 4)).toBe(1);
      expect(await used(hours)).toBe(1);
    });
  });

  describe("a window", () => {
    it("[QUO-07] opens with its first counted call and ends its full length later, to the millisecond", async () => {
      const rule = dayRule(1);
      expect(await spend([rule], 1, noon)).toBe(1);
      expect(await spend([rule], 1, noon + day - 1)).toBe(0);
      const reopened = await consumeWindows(db, [rule], noon + day);
      expect(reopened).toEqual({
        granted: true,
        full: null,
        states: [{ limit: 1, used: 1, lengthMs: dayWindowMs, resetAt: noon + 2 * day }],
      });
    });

    it("[QUO-07] that is over is told as not open", async () => {
      const rule = hourRule(3);
      await spend([rule], 2);
      expect(await db.read(selectWindowStates, [rule], noon + hourWindowMs - 1)).toMatchObject([{ used: 2 }]);
      expect(await db.read(selectWindowStates, [rule], noon + hourWindowMs)).toMatchObject([
        { used: 0, resetAt: null },
      ]);
    });

    it("[OUR-STO-04] with a limit of zero grants nothing and is never opened", async () => {
      const rule = dayRule(0);
      expect(await consumeWindows(db, [rule], noon)).toMatchObject({
        granted: false,
        states: [{ used: 0, resetAt: null }],
      });
      const [days, hours] = [dayRule(5), hourRule(0)];
      expect(await consumeWindows(db, [days, hours], noon)).toMatchObject({ granted: false, full: 1 });
      expect(await used(days)).toBe(0);
      // The first full one is named, whichever it is.
      const spent = dayRule(1);
      await spend([spent], 1);
      expect(await consumeWindows(db, [spent, hours], noon)).toMatchObject({ granted: false, full: 0 });
    });

    it("[OUR-STO-05] goes by the limit of this moment, lowered or raised", async () => {
      const rule = dayRule(5);
      await spend([rule], 4);
      expect(await spend([{ ...rule, limit: 2 }], 1)).toBe(0);
      expect(await db.read(selectWindowStates, [{ ...rule, limit: 2 }], noon)).toMatchObject([
        { limit: 2, used: 4 },
      ]);
      expect(await spend([{ ...rule, limit: 6 }], 5)).toBe(2);
    });

    it("[OUR-STO-06] is not counted by looking at it", async () => {
      const rule = hourRule(1);
      for (const _ of times(3)) expect(await used(rule)).toBe(0);
      expect(await spend([rule], 1)).toBe(1);
    });

    it("[OUR-SES-06] takes a call back that it counted, and none that another one counted", async () => {
      const rule = hourRule(3);
      const { states } = await consumeWindows(db, [rule], noon);
      await spend([rule], 1, noon + 1);
      const resetAt = states[0]?.resetAt ?? 0;
      await db.writeRelaxed(giveBackToWindow, rule, resetAt);
      expect(await used(rule)).toBe(1);
      await db.writeRelaxed(giveBackToWindow, rule, resetAt + 1);
      expect(await used(rule)).toBe(1);
      await db.writeRelaxed(giveBackToWindow, rule, resetAt);
      await db.writeRelaxed(giveBackToWindow, rule, resetAt);
      expect(await used(rule)).toBe(0);
      await spend([rule], 2, noon + hourWindowMs);
      await db.writeRelaxed(giveBackToWindow, rule, resetAt);
      expect(await used(rule, noon + hourWindowMs)).toBe(2);
    });

    it("[OUR-SES-22] that is closed opens anew with the next call, and no other with it", async () => {
      const [rule, other] = [hourRule(2), hourRule(2)];
      expect(await spend([rule], 3)).toBe(2);
      await spend([other], 1);
      await db.writeRelaxed(closeWindow, rule);
      await db.writeRelaxed(closeWindow, rule);
      expect(await db.read(selectWindowStates, [rule, other], noon)).toMatchObject([
        { used: 0, resetAt: null },
        { used: 1 },
      ]);
      expect(await spend([rule], 3, noon + 5)).toBe(2);
    });

    it("[OUR-STO-07] that a clock far ahead opened does not last until then", async () => {
      const rule = dayRule(1);
      expect(await spend([rule], 1, noon + 400 * day)).toBe(1);
      expect(await db.read(selectWindowStates, [rule], noon)).toMatchObject([{ used: 0, resetAt: null }]);
      expect(await spend([rule], 2, noon)).toBe(1);
    });

    it("[OUR-STO-07] that another process's clock opened a moment ahead is the same window", async () => {
      const rule = dayRule(1);
      expect(await spend([rule], 1, noon + 500)).toBe(1);
      expect(await spend([rule], 1, noon)).toBe(0);
    });
  });

  it("[QUO-01] [QUO-06] grants exactly what is left to calls made at once with several tokens of an account", async () => {
    const days = dayRule(30);
    const hours = times(4).map(() => hourRule(10));
    const calls = times(80).map((index) => consumeWindows(db, [days, hours[index % 4] ?? days], noon));
    const granted = (await Promise.all(calls)).filter((consumed) => consumed.granted);
    expect(granted).toHaveLength(30);
    const byToken = await Promise.all(hours.map((rule) => used(rule)));
    expect(byToken.reduce((sum, count) => Number(sum) + Number(count), 0)).toBe(30);
    expect(new Set(granted.map(({ states }) => states[0]?.used)).size).toBe(30);
  });
});
