import { describe, expect, it } from "vitest";
import type { AlertChange } from "../../../src/core/alert/verdict.ts";
import { Driver } from "./driver.ts";
import { minute, ruleOf, sampleAt, second, start, sweepAt } from "./facts.ts";

const bad = { tps: 14 };
const good = { tps: 19.5 };
const kinds = (changes: readonly AlertChange[]): string[] =>
  changes.map((change) => (change.kind === "resolve" ? `resolve ${change.reason}` : change.kind));

/** Sends one sample every 30 s from `from` on; returns what each led to. */
const feed = (driver: Driver, from: number, values: readonly (number | null)[]): string[][] =>
  values.map((tps, step) => kinds(driver.see(sampleAt(from + step * 30 * second, { tps }))));

const at = (step: number): number => start + step * 30 * second;
const opened = (changes: Parameters<typeof ruleOf>[0] = {}): Driver => {
  const driver = new Driver(ruleOf(changes));
  driver.see(sampleAt(at(0), bad));
  expect(driver.open).not.toBeNull();
  return driver;
};

describe("a breach", () => {
  it.each([
    ["below", 18, false],
    ["below", 17.99, true],
    ["above", 18, false],
    ["above", 18.01, true],
  ] as const)("[ALR-09] [OUR-ALR-01] %s 18, %f: %s", (condition, tps, opens) => {
    const driver = new Driver(ruleOf({ condition }));
    expect(kinds(driver.see(sampleAt(start, { tps })))).toEqual(opens ? ["open"] : []);
    expect(driver.rule.progress.state).toBe(opens ? "firing" : "ok");
  });

  it("[OUR-ALR-151] a rule on ticks is judged against the rate that the server is set to", () => {
    const half = { targetTps: 10 };
    const driver = new Driver(ruleOf({ metric: "tps", condition: "below", threshold: 18 }));
    expect(kinds(driver.see(sampleAt(start, { tps: 10 }, half)))).toEqual([]);
    expect(driver.see(sampleAt(at(1), { tps: 8.9 }, half))).toMatchObject([{ kind: "open", value: 8.9 }]);
    const slow = new Driver(ruleOf({ metric: "mspt", condition: "above", threshold: 50 }));
    expect(kinds(slow.see(sampleAt(start, { mspt: 100 }, half)))).toEqual([]);
    expect(kinds(slow.see(sampleAt(at(1), { mspt: 101 }, half)))).toEqual(["open"]);
    const load = new Driver(ruleOf({ metric: "player_count", condition: "above", threshold: 50 }));
    expect(kinds(load.see(sampleAt(start, { player_count: 60 }, half)))).toEqual(["open"]);
  });

  it("[OUR-ALR-02] opens at once without a duration, at the fact's time and with its value", () => {
    const [change] = new Driver(ruleOf()).see(sampleAt(start, bad));
    expect(change).toEqual({ kind: "open", pendingSince: start, value: 14, flapping: false, quiet: null });
  });

  it("[OUR-ALR-02] opens at the first sample a duration after the first breach, and not before", () => {
    const driver = new Driver(ruleOf({ durationMinutes: 1 }));
    expect(feed(driver, start, [14, 13])).toEqual([[], []]);
    expect(driver.rule.progress).toMatchObject({ state: "pending", since: start, pendingSince: start });
    expect(driver.see(sampleAt(start + minute - 1, bad))).toEqual([]);
    expect(driver.see(sampleAt(start + minute, bad))).toMatchObject([{ kind: "open", pendingSince: start }]);
    expect(driver.rule.progress).toMatchObject({
      state: "firing",
      since: start + minute,
      pendingSince: null,
    });
  });

  it("[OUR-ALR-02] counts by the samples' own time, and never opens on a sweep", () => {
    const driver = new Driver(ruleOf({ durationMinutes: 1 }));
    driver.see(sampleAt(start, bad));
    expect(driver.see(sweepAt(start + 80 * second, { sampleReceivedAt: start }))).toEqual([]);
    const late = sampleAt(start + 89 * second, bad, { at: start + 59 * second, previousAt: start });
    expect(driver.see(late)).toEqual([]);
    expect(driver.rule.progress.state).toBe("pending");
  });

  it.each([
    ["a good sample", [14, 18, 14, 14], [[], [], [], []]],
    ["an unknown value", [14, null, 14, 14], [[], [], [], []]],
    ["nothing", [14, 14, 14, 14], [[], [], ["open"], []]],
  ])("[OUR-ALR-03] starts its count again after %s", (_, values, expected) => {
    expect(feed(new Driver(ruleOf({ durationMinutes: 1 })), start, values)).toEqual(expected);
  });

  it("[OUR-ALR-03] goes on over a gap of exactly 90 s, and starts again after a longer one", () => {
    for (const [gap, opens] of [
      [90 * second, true],
      [90 * second + 1, false],
    ] as const) {
      const driver = new Driver(ruleOf({ durationMinutes: 1 }));
      driver.see(sampleAt(start, bad));
      const changes = driver.see(sampleAt(start + gap, bad, { previousAt: start }));
      expect(kinds(changes)).toEqual(opens ? ["open"] : []);
      expect(driver.rule.progress.pendingSince).toBe(opens ? null : start + gap);
    }
  });

  it("[OUR-ALR-18] starts its count again with a sample dated before the last one", () => {
    const driver = new Driver(ruleOf({ durationMinutes: 1 }));
    driver.see(sampleAt(start, bad));
    driver.see(sampleAt(start + minute, bad, { previousAt: start + 10 * minute }));
    expect(driver.rule.progress).toMatchObject({ state: "pending", pendingSince: start + minute });
  });

  it("[OUR-ALR-17] keeps the worst value on the breaching side", () => {
    const driver = opened();
    expect(driver.see(sampleAt(at(1), { tps: 15 }))).toEqual([]);
    expect(driver.see(sampleAt(at(2), { tps: 11.9 }))).toEqual([{ kind: "worsen", worstValue: 11.9 }]);
    const above = new Driver(ruleOf({ metric: "mspt", condition: "above", threshold: 50 }));
    above.see(sampleAt(at(0), { mspt: 60 }));
    expect(above.see(sampleAt(at(1), { mspt: 55 }))).toEqual([]);
    expect(above.see(sampleAt(at(2), { mspt: 61 }))).toEqual([{ kind: "worsen", worstValue: 61 }]);
  });
});

describe("recovery", () => {
  it("[OUR-ALR-04] takes a good value on every sample for 60 s", () => {
    expect(feed(opened(), at(1), [18.2, 18.2, 18.2])).toEqual([[], [], ["resolve recovered"]]);
  });

  it("[OUR-ALR-04] takes two samples at least, 60 s apart", () => {
    const driver = opened();
    driver.see(sampleAt(at(1), good));
    expect(driver.see(sampleAt(at(1) + minute - 1, good))).toEqual([]);
    expect(kinds(driver.see(sampleAt(at(1) + minute, good)))).toEqual(["resolve recovered"]);
    expect(driver.rule.progress).toMatchObject({ state: "ok", recoveringSince: null });
  });

  it.each([
    ["between threshold and margin", 18.1],
    ["a breach", 14],
    ["unknown", null],
  ])("[OUR-ALR-04] [OUR-ALR-06] starts again after a value that is %s", (_, tps) => {
    const driver = opened();
    expect(feed(driver, at(1), [19, 19, tps, 19, 19])).toEqual([[], [], [], [], []]);
    expect(driver.rule.progress.state).toBe("firing");
    expect(kinds(driver.see(sampleAt(at(6), good)))).toEqual(["resolve recovered"]);
  });

  it("[OUR-ALR-04] starts again after more than 90 s without a sample", () => {
    const driver = opened();
    driver.see(sampleAt(at(1), good));
    expect(driver.see(sampleAt(at(1) + 91 * second, good, { previousAt: at(1) }))).toEqual([]);
    expect(driver.rule.progress.recoveringSince).toBe(at(1) + 91 * second);
  });
});

describe("unknown values and pauses", () => {
  it("[OUR-ALR-06] are neither breach nor recovery", () => {
    const driver = new Driver(ruleOf());
    expect(driver.see(sampleAt(at(0), { tps: null }))).toEqual([]);
    expect(driver.rule.progress.state).toBe("no_data");
    const firing = opened();
    expect(firing.see(sampleAt(at(1), { tps: null }))).toEqual([]);
    expect(firing.rule.progress.state).toBe("firing");
  });

  it("[OUR-ALR-07] a pause of two minutes closes an alert about ticks, on a sample or a sweep", () => {
    for (const metric of ["tps", "mspt"] as const) {
      const driver = new Driver(ruleOf({ metric, condition: "above", threshold: 5 }));
      driver.see(sampleAt(at(0), { [metric]: 9 }));
      const server = { state: "paused_empty", pausedEmptySince: at(1) } as const;
      expect(driver.see(sampleAt(at(4), {}, { server }))).toEqual([]);
      expect(driver.rule.progress.state).toBe("firing");
      expect(driver.see(sweepAt(at(5) - 1, server))).toEqual([]);
      expect(kinds(driver.see(sweepAt(at(5), server)))).toEqual(["resolve paused_empty"]);
      expect(driver.rule.progress.state).toBe("no_data");
    }
  });

  it("[OUR-ALR-07] a pause leaves alerts on other metrics alone", () => {
    const driver = new Driver(ruleOf({ metric: "ram_used_mb", condition: "above", threshold: 4000 }));
    const server = { state: "paused_empty", pausedEmptySince: start } as const;
    expect(kinds(driver.see(sampleAt(at(9), { ram_used_mb: 4500 }, { server })))).toEqual(["open"]);
    expect(driver.see(sweepAt(at(10), server))).toEqual([]);
  });
});

describe("no data", () => {
  const silent = { sampleReceivedAt: at(1) };

  it("[OUR-ALR-08] counts from more than 90 s: the count of a breach is lost, an open alert stays", () => {
    const pending = new Driver(ruleOf({ durationMinutes: 5 }));
    pending.see(sampleAt(at(1), bad));
    pending.see(sweepAt(at(4), silent));
    expect(pending.rule.progress).toMatchObject({ state: "pending", pendingSince: at(1) });
    pending.see(sweepAt(at(4) + 1, silent));
    expect(pending.rule.progress).toMatchObject({ state: "no_data", pendingSince: null });
    const driver = opened();
    driver.see(sampleAt(at(1), good));
    expect(driver.see(sweepAt(at(5), silent))).toEqual([]);
    expect(driver.rule.progress).toMatchObject({ state: "no_data", recoveringSince: null });
    expect(driver.open).not.toBeNull();
  });

  it("[OUR-ALR-08] closes an alert after 15 minutes", () => {
    const driver = opened();
    driver.see(sampleAt(at(1), bad));
    expect(driver.see(sweepAt(at(31) - 1, silent))).toEqual([]);
    expect(kinds(driver.see(sweepAt(at(31), silent)))).toEqual(["resolve no_data"]);
  });

  it("[OUR-ALR-22] is judged by when samples come in: a plugin's clock minutes off changes nothing", () => {
    for (const skew of [-5 * minute, 5 * minute]) {
      const driver = new Driver(ruleOf({ durationMinutes: 1 }));
      for (const step of [0, 1]) {
        expect(driver.see(sampleAt(at(step), bad, { at: at(step) + skew }))).toEqual([]);
        expect(driver.see(sweepAt(at(step) + second, { sampleReceivedAt: at(step) }))).toEqual([]);
      }
      const changes = driver.see(sampleAt(at(2), bad, { at: at(2) + skew }));
      expect(changes).toMatchObject([{ kind: "open", pendingSince: Math.min(start + skew, at(2)) }]);
    }
  });
});

describe("monitoring off", () => {
  const off = { status: "not_monitored", state: "not_monitored", stateSince: null } as const;

  it("[STA-14] [OUR-ALR-12] closes every alert; the rule pauses, and starts afresh afterwards", () => {
    const driver = opened({ durationMinutes: 0 });
    expect(kinds(driver.see(sweepAt(at(1), off)))).toEqual(["resolve monitoring_off"]);
    expect(driver.rule.progress).toMatchObject({ state: "paused", since: at(1) });
    driver.see(sweepAt(at(2), off));
    expect(driver.rule.progress).toMatchObject({ state: "paused", since: at(1) });
    driver.see(sweepAt(at(3), { sampleReceivedAt: at(3) }));
    expect(driver.rule.progress).toMatchObject({ state: "no_data", since: at(3), resumedAt: at(3) });
  });

  it("[OUR-ALR-12] forgets the count of a breach", () => {
    const driver = new Driver(ruleOf({ durationMinutes: 1 }));
    driver.see(sampleAt(at(0), bad));
    driver.see(sweepAt(at(1), off));
    driver.see(sampleAt(at(2), bad, { previousAt: at(0) }));
    expect(driver.rule.progress).toMatchObject({ state: "pending", pendingSince: at(2) });
  });

  it("[OUR-ALR-19] a rule that is switched off stands at paused, whatever comes", () => {
    const driver = new Driver(ruleOf({ enabled: false }));
    for (const fact of [sampleAt(at(0), bad), sweepAt(at(1)), sweepAt(at(2), off)]) {
      expect(driver.see(fact)).toEqual([]);
      expect(driver.rule.progress).toMatchObject({ state: "paused", since: start });
    }
  });
});

describe("progress", () => {
  it("is the very same object while nothing of it changes", () => {
    const driver = new Driver(ruleOf());
    driver.see(sampleAt(at(0), good));
    const { progress } = driver.rule;
    driver.see(sampleAt(at(1), good));
    driver.see(sweepAt(at(2)));
    expect(driver.rule.progress).toBe(progress);
  });
});
