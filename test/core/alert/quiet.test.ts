import { describe, expect, it } from "vitest";
import type { RuleRecord } from "../../../src/core/alert/alert-rule.ts";
import type { WatchedServer } from "../../../src/core/alert/fact.ts";
import { Driver } from "./driver.ts";
import { minute, ruleOf, sampleAt, second, start, sweepAt } from "./facts.ts";

const bad = { tps: 14 };
const maintained = { inMaintenance: true };

/** Opens an alert at `now`; says whether it is flagged, and why it is quiet. */
const open = (driver: Driver, now: number, server: Partial<WatchedServer> = {}): string => {
  const [change] = driver.see(sampleAt(now, bad, { server }));
  if (change?.kind !== "open") throw new Error("nothing opened");
  return `${change.flapping ? "flapping " : ""}${change.quiet ?? "told"}`;
};
const close = (driver: Driver, from: number, server: Partial<WatchedServer>): void => {
  for (const step of [0, 1, 2]) driver.see(sampleAt(from + step * 30 * second, { tps: 20 }, { server }));
  expect(driver.open).toBeNull();
};
/** Opens and closes once at each minute; returns how each opening went. */
const openAt = (driver: Driver, minutes: readonly number[], server: Partial<WatchedServer> = {}): string[] =>
  minutes.map((at) => {
    const went = open(driver, start + at * minute, server);
    close(driver, start + at * minute + 30 * second, server);
    return went;
  });
const openedIn = (server: Partial<WatchedServer>, rule: Partial<RuleRecord> = {}): Driver => {
  const driver = new Driver(ruleOf(rule));
  open(driver, start, server);
  return driver;
};

describe("an opening", () => {
  it("[OUR-ALR-13] is quiet within the cooldown of the last one that was told", () => {
    const driver = new Driver(ruleOf({ cooldownMinutes: 30 }));
    expect(openAt(driver, [0, 10])).toEqual(["told", "cooldown"]);
    expect(open(driver, start + 30 * minute - 1)).toBe("cooldown");
    close(driver, start + 31 * minute, {});
    expect(openAt(driver, [35])).toEqual(["told"]);
    const exact = new Driver(ruleOf({ cooldownMinutes: 30 }));
    expect(openAt(exact, [0, 30])).toEqual(["told", "told"]);
  });

  it("[OUR-ALR-13] starts no cooldown when nobody was told", () => {
    const driver = new Driver(ruleOf({ cooldownMinutes: 30 }));
    expect(openAt(driver, [0], maintained)).toEqual(["maintenance"]);
    expect(openAt(driver, [5])).toEqual(["told"]);
  });

  it("[OUR-ALR-14] flaps from five within 60 minutes: that one is told, later ones are not", () => {
    expect(openAt(new Driver(ruleOf()), [0, 15, 30, 45, 60, 75])).toEqual([
      "told",
      "told",
      "told",
      "told",
      "flapping told",
      "flapping flapping",
    ]);
    expect(openAt(new Driver(ruleOf()), [0, 15, 30, 45, 60.1]).at(-1)).toBe("told");
  });

  it("[OUR-ALR-14] flaps on until 30 minutes pass without one", () => {
    const often = openAt(new Driver(ruleOf()), [0, 5, 10, 15, 20, 49, 78, 107, 136, 165]);
    expect(often.slice(4)).toEqual([
      "flapping told",
      ...Array.from({ length: 5 }, () => "flapping flapping"),
    ]);
    expect(openAt(new Driver(ruleOf()), [0, 5, 10, 15, 20, 50]).at(-1)).toBe("flapping told");
    expect(openAt(new Driver(ruleOf()), [0, 5, 10, 15, 20, 80]).at(-1)).toBe("told");
    expect(openAt(new Driver(ruleOf()), [0, 5, 10, 15, 20, 49.9]).at(-1)).toBe("flapping flapping");
  });

  it("[OUR-ALR-30] of a flapping rule is told when nobody was told of it yet", () => {
    const driver = new Driver(ruleOf());
    const hidden = openAt(driver, [0, 5, 10, 15, 20, 25], maintained);
    expect(hidden.at(-1)).toBe("flapping maintenance");
    expect(openAt(driver, [30, 35])).toEqual(["flapping told", "flapping flapping"]);
  });

  it("[OUR-ALR-15] is quiet for maintenance before a mute before flapping before the cooldown", () => {
    const driver = new Driver(ruleOf({ cooldownMinutes: 5 }));
    openAt(driver, [0, 5, 10, 15, 20]);
    const muted = { ...driver.rule, mutedUntil: start + 40 * minute };
    const again = (rule: RuleRecord, server: Partial<WatchedServer> = {}): string => {
      return open(new Driver(rule), start + 23 * minute, server);
    };
    expect(again(muted, maintained)).toBe("flapping maintenance");
    expect(again(muted)).toBe("flapping muted");
    expect(again(driver.rule)).toBe("flapping flapping");
    expect(again({ ...driver.rule, progress: ruleOf().progress })).toBe("cooldown");
  });
});

describe("maintenance and mutes", () => {
  it("[MNT-08] [MNT-09] an alert in a window is recorded, and told when it is still open at the end", () => {
    const driver = openedIn(maintained);
    expect(driver.open?.delivery.chat).toMatchObject({ status: "skipped", reason: "maintenance" });
    expect(driver.see(sweepAt(start + minute, { ...maintained, sampleReceivedAt: start }))).toEqual([]);
    expect(driver.see(sweepAt(start + 80 * second, { sampleReceivedAt: start }))).toEqual([{ kind: "tell" }]);
    expect(driver.open?.delivery).toMatchObject({
      chat: { status: "sent" },
      email: { reason: "channel_off" },
    });
    expect(driver.see(sweepAt(start + 85 * second, { sampleReceivedAt: start }))).toEqual([]);
  });

  it("[MNT-09] an alert that is over by the end is told to nobody", () => {
    const driver = openedIn(maintained);
    for (const step of [1, 2, 3]) {
      const server = { inMaintenance: step < 3 };
      const changes = driver.see(sampleAt(start + step * 30 * second, { tps: 20 }, { server }));
      expect(changes).toEqual(step < 3 ? [] : [{ kind: "resolve", reason: "recovered" }]);
    }
  });

  it("[OUR-ALR-16] a mute works likewise; one that ends more than a week ahead is none", () => {
    const driver = openedIn({}, { mutedUntil: start + minute });
    expect(driver.open?.delivery.chat.reason).toBe("muted");
    expect(driver.see(sweepAt(start + minute - 1, { sampleReceivedAt: start }))).toEqual([]);
    expect(driver.see(sweepAt(start + minute, { sampleReceivedAt: start }))).toEqual([{ kind: "tell" }]);
    const week = 7 * 24 * 60 * minute;
    expect(open(new Driver(ruleOf({ mutedUntil: start + week })), start)).toBe("muted");
    expect(open(new Driver(ruleOf({ mutedUntil: start + week + 1 })), start)).toBe("told");
  });

  it("[OUR-ALR-16] the end of one is no end of the other", () => {
    const driver = openedIn(maintained, { mutedUntil: start + 2 * minute });
    expect(driver.see(sweepAt(start + minute, { sampleReceivedAt: start + minute }))).toEqual([]);
    expect(driver.see(sweepAt(start + 2 * minute))).toEqual([{ kind: "tell" }]);
  });

  it("[ALR-15] [OUR-ALR-16] an acknowledged alert is not told at the end, and stays open", () => {
    const driver = openedIn(maintained);
    driver.acknowledge();
    expect(driver.see(sweepAt(start + minute))).toEqual([]);
    expect(driver.open).not.toBeNull();
  });

  it("[MNT-09] [OUR-ALR-16] what was kept back is told at the end, in a cooldown and when its rule flaps too", () => {
    const cool = new Driver(ruleOf({ cooldownMinutes: 30 }));
    openAt(cool, [0]);
    open(cool, start + 10 * minute, maintained);
    expect(cool.see(sweepAt(start + 11 * minute))).toEqual([{ kind: "tell" }]);
    expect(cool.open?.delivery.chat).toMatchObject({ status: "sent", reason: null });
    const flaps = new Driver(ruleOf());
    openAt(flaps, [0, 2, 4, 6, 8]);
    open(flaps, start + 10 * minute, maintained);
    expect(flaps.see(sweepAt(start + 11 * minute))).toEqual([{ kind: "tell" }]);
  });

  it("[OUR-ALR-18] flapping that was noted by a clock ahead of now is forgotten", () => {
    const day = 24 * 60 * minute;
    const openings = [-4, -3].map((at) => start + at * minute).concat(start + day, start + day + minute);
    const progress = { ...ruleOf().progress, openings, flappingSince: start + day };
    const rule = ruleOf({ progress, lastNotifiedAt: start - minute });
    expect(open(new Driver(rule), start)).toBe("told");
    const kept = new Driver(ruleOf({ lastNotifiedAt: start - minute, mutedUntil: start + minute }));
    open(kept, start);
    kept.rule = {
      ...kept.rule,
      mutedUntil: null,
      progress: { ...kept.rule.progress, openings, flappingSince: start },
    };
    expect(kept.see(sweepAt(start + minute))).toEqual([{ kind: "tell" }]);
  });

  it("[OUR-ALR-16] the opening that makes a rule flap is told at the end too", () => {
    const driver = new Driver(ruleOf());
    openAt(driver, [0, 2, 4, 6]);
    expect(open(driver, start + 8 * minute, maintained)).toBe("flapping maintenance");
    expect(driver.see(sweepAt(start + 9 * minute))).toEqual([{ kind: "tell" }]);
  });
});
