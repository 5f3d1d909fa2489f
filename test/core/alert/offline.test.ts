import { describe, expect, it } from "vitest";
import type { WatchedServer } from "../../../src/core/alert/fact.ts";
import { Driver } from "./driver.ts";
import { minute, ruleOf, second, start, sampleAt, sweepAt } from "./facts.ts";

const offline = { metric: "offline", condition: null, threshold: null } as const;
const gone = (since: number, state: WatchedServer["state"] = "unreachable"): Partial<WatchedServer> => ({
  status: "offline",
  state,
  stateSince: since,
  lastHeartbeat: since,
});
const online = (heartbeat: number): Partial<WatchedServer> => ({ lastHeartbeat: heartbeat });

describe("a rule on silence", () => {
  it.each(["unreachable", "stopped"] as const)(
    "[ALR-08] [ALR-10] [OUR-ALR-09] fires a duration after the server became %s, on any fact",
    (state) => {
      const driver = new Driver(ruleOf({ ...offline, durationMinutes: 2 }));
      expect(driver.see(sweepAt(start + 2 * minute - 1, gone(start, state)))).toEqual([]);
      expect(driver.rule.progress).toMatchObject({ state: "pending", pendingSince: start });
      const server = gone(start, state);
      expect(driver.see(sampleAt(start + 2 * minute, {}, { server }))).toEqual([
        { kind: "open", pendingSince: start, value: null, flapping: false, quiet: null },
      ]);
    },
  );

  it("[OUR-ALR-09] fires at once for an announced stop without a duration", () => {
    const driver = new Driver(ruleOf(offline));
    expect(driver.see(sweepAt(start, gone(start, "stopped")))).toMatchObject([{ kind: "open" }]);
  });

  it.each([
    ["paused", "no_data"],
    ["never_seen", "no_data"],
    ["not_monitored", "paused"],
  ] as const)("[STA-14] [OUR-ALR-09] never fires for %s", (state, ruleState) => {
    const driver = new Driver(ruleOf(offline));
    const status = state === "not_monitored" ? "not_monitored" : "offline";
    for (let hour = 0; hour < 48; hour += 1) {
      expect(driver.see(sweepAt(start + hour * 60 * minute, { ...gone(start, state), status }))).toEqual([]);
    }
    expect(driver.rule.progress.state).toBe(ruleState);
  });

  it.each(["running", "unresponsive", "paused_empty"] as const)("[OUR-ALR-09] is ok while %s", (state) => {
    const driver = new Driver(ruleOf(offline));
    expect(driver.see(sweepAt(start + 60 * minute, { state, stateSince: start }))).toEqual([]);
    expect(driver.rule.progress.state).toBe("ok");
  });

  it("[OUR-ALR-10] counts from 90 s after the server's data is taken again", () => {
    const driver = new Driver(ruleOf({ ...offline, durationMinutes: 1 }));
    const resumed = start + 60 * minute;
    driver.see(sweepAt(start, { status: "not_monitored", state: "not_monitored", stateSince: null }));
    expect(driver.see(sweepAt(resumed, gone(start)))).toEqual([]);
    expect(driver.see(sweepAt(resumed + 150 * second - 1, gone(start)))).toEqual([]);
    expect(driver.see(sweepAt(resumed + 150 * second, gone(start)))).toMatchObject([
      { kind: "open", pendingSince: resumed + 90 * second },
    ]);
  });

  it("[OUR-ALR-10] counts from the silence itself when that began later", () => {
    const driver = new Driver(ruleOf(offline));
    driver.see(sweepAt(start, { status: "not_monitored", state: "not_monitored", stateSince: null }));
    driver.see(sweepAt(start + second, online(start + second)));
    const changes = driver.see(sweepAt(start + 2 * minute, gone(start + 10 * second)));
    expect(changes).toMatchObject([{ kind: "open", pendingSince: start + 10 * second }]);
  });
});

describe("the end of silence", () => {
  const down = (): Driver => {
    const driver = new Driver(ruleOf(offline));
    driver.see(sweepAt(start, gone(start - 2 * minute)));
    expect(driver.open).not.toBeNull();
    return driver;
  };

  it("[OUR-ALR-11] is 60 s online with two heartbeats", () => {
    const driver = down();
    const back = start + minute;
    driver.see(sweepAt(back, online(back)));
    expect(driver.rule.progress).toMatchObject({ state: "firing", recoveringSince: back });
    expect(driver.see(sweepAt(back + minute, online(back)))).toEqual([]);
    expect(driver.see(sweepAt(back + minute - 1, online(back + 30 * second)))).toEqual([]);
    expect(driver.see(sweepAt(back + minute, online(back + 30 * second)))).toEqual([
      { kind: "resolve", reason: "recovered" },
    ]);
    expect(driver.rule.progress).toMatchObject({ state: "ok", recoveringSince: null });
  });

  it("[OUR-ALR-11] starts again when the server falls silent once more", () => {
    const driver = down();
    driver.see(sweepAt(start + minute, online(start + minute)));
    driver.see(sweepAt(start + 3 * minute, gone(start + minute)));
    expect(driver.rule.progress.recoveringSince).toBeNull();
    const back = start + 4 * minute;
    driver.see(sweepAt(back, online(back)));
    expect(driver.see(sweepAt(back + 30 * second, online(back + 30 * second)))).toEqual([]);
  });

  it("[OUR-ALR-09] is also monitoring paused from the game, and monitoring switched off", () => {
    expect(down().see(sweepAt(start + minute, gone(start + minute, "paused")))).toEqual([
      { kind: "resolve", reason: "monitoring_off" },
    ]);
    const off = { status: "not_monitored", state: "not_monitored", stateSince: null } as const;
    expect(down().see(sweepAt(start + minute, off))).toEqual([{ kind: "resolve", reason: "monitoring_off" }]);
  });

  it("[OUR-ALR-09] is not another kind of silence", () => {
    const driver = down();
    expect(driver.see(sweepAt(start + minute, gone(start + minute, "stopped")))).toEqual([]);
    expect(driver.rule.progress.state).toBe("firing");
  });
});
