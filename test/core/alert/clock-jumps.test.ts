import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockToleranceMs, settleClock } from "../../../src/core/metric/clock.ts";
import type { RuleRecord } from "../../../src/core/alert/alert-rule.ts";
import type { Fact, WatchedServer } from "../../../src/core/alert/fact.ts";
import { Driver } from "./driver.ts";
import { minute, ruleOf, sampleAt, second, start } from "./facts.ts";
import { randomCases } from "../../support/long.ts";

const day = 24 * 60 * minute;
const jump = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -10 * minute, max: 10 * minute }),
  fc.integer({ min: -3 * day, max: 3 * day }),
  fc.constantFrom(-365 * day, 365 * day, -90_001, 90_001, -15 * minute, 15 * minute),
);
const stretch = fc.record({
  ours: jump,
  plugins: jump,
  steps: fc.integer({ min: 0, max: 12 }),
  doing: fc.constantFrom("bad", "good", "unknown", "silent", "stopped", "empty", "unmonitored"),
});
type Doing = "bad" | "good" | "unknown" | "silent" | "stopped" | "empty" | "unmonitored";

/** Two clocks that may be set at any time, and a store that keeps the newest sample as ours does. */
class Clocks {
  ours = start;
  plugins = start;
  readonly driver: Driver;
  private heartbeat = start;
  private stoppedAt: number | null = null;
  private pausedSince: number | null = null;
  private shown: { at: number; receivedAt: number } | null = null;

  constructor(rule: RuleRecord) {
    this.driver = new Driver(rule);
  }

  /** Half a minute in which the server does something; returns the facts it led to. */
  step(doing: Doing, emptyStart: number | null = null): Fact[] {
    this.ours += 30 * second;
    this.plugins += 30 * second;
    const facts: Fact[] = [];
    if (doing === "stopped") this.stoppedAt ??= this.ours;
    if (doing === "bad" || doing === "good" || doing === "unknown" || doing === "empty") {
      this.heartbeat = this.ours;
      this.stoppedAt = null;
      this.pausedSince = doing === "empty" ? (this.pausedSince ?? emptyStart ?? this.plugins) : null;
      facts.push(this.sample(doing));
    }
    facts.push({ kind: "sweep", now: this.ours, server: this.server(doing) });
    for (const fact of facts) this.check(fact);
    return facts;
  }

  private sample(doing: Doing): Fact {
    const now = this.ours;
    const at = settleClock(this.plugins, now);
    const previousAt = this.shown?.at ?? null;
    const isNewest = previousAt === null || at > previousAt || previousAt > now + clockToleranceMs;
    if (!isNewest) return { kind: "sweep", now, server: this.server(doing) };
    this.shown = { at, receivedAt: now };
    const tps = doing === "bad" ? 10 : doing === "good" ? 20 : null;
    return sampleAt(now, { tps }, { at, previousAt, server: this.server(doing) });
  }

  private server(doing: Doing): WatchedServer {
    const common = {
      lastHeartbeat: this.heartbeat,
      sampleReceivedAt: this.shown?.receivedAt ?? null,
      pausedEmptySince: this.pausedSince,
      inMaintenance: false,
    };
    if (doing === "unmonitored") {
      return { ...common, status: "not_monitored", state: "not_monitored", stateSince: null };
    }
    if (this.stoppedAt !== null) {
      return { ...common, status: "offline", state: "stopped", stateSince: this.stoppedAt };
    }
    if (this.ours - this.heartbeat > 90 * second) {
      return { ...common, status: "offline", state: "unreachable", stateSince: this.heartbeat };
    }
    return { ...common, status: "online", state: "running", stateSince: null };
  }

  /** Nothing that comes of a fact lies ahead of it, and the numbers kept make sense. */
  private check(fact: Fact): void {
    const changes = this.driver.see(fact);
    const { since, resumedAt, openings } = this.driver.rule.progress;
    const { now } = fact;
    const isSound =
      changes.every((change) => change.kind !== "open" || change.pendingSince <= now) &&
      since <= now &&
      (resumedAt ?? now) <= now &&
      openings.length <= 5 &&
      openings.every((opening, i) => opening >= (openings[i - 1] ?? opening));
    if (!isSound) throw new Error(JSON.stringify({ now, changes, progress: this.driver.rule.progress }));
  }

  live({
    ours,
    plugins,
    steps,
    doing,
  }: {
    ours: number;
    plugins: number;
    steps: number;
    doing: Doing;
  }): void {
    this.ours += ours;
    this.plugins += plugins;
    for (let step = 0; step < steps; step += 1) this.step(doing);
  }

  /** Goes on until the samples themselves span `ms`, or until so much time has passed for a silent server. */
  until(doing: Doing, ms: number): void {
    let first: number | null = null;
    for (let step = 0; step < 200; step += 1) {
      for (const fact of this.step(doing)) {
        const at = fact.kind === "sample" ? fact.at : doing === "stopped" ? fact.now : null;
        first ??= at;
        if (at !== null && first !== null && at - first >= ms) return;
      }
    }
    throw new Error("no samples");
  }
}

const stretches = fc.array(stretch as fc.Arbitrary<Parameters<Clocks["live"]>[0]>, { maxLength: 5 });
const durations = fc.constantFrom(0, 1, 2, 5);

describe("clocks that are set, ours and the plugin's, forward or back", () => {
  it("[OUR-ALR-18] delay an opening by no more than a duration and one sample", () => {
    fc.assert(
      fc.property(stretches, jump, jump, durations, (before, ours, plugins, durationMinutes) => {
        const clocks = new Clocks(ruleOf({ durationMinutes }));
        for (const one of before) clocks.live(one);
        clocks.live({ ours, plugins, steps: 0, doing: "bad" });
        clocks.until("bad", durationMinutes * minute + 30 * second);
        expect(clocks.driver.open).not.toBeNull();
      }),
      { numRuns: randomCases(2000) },
    );
  });

  it("[OUR-ALR-18] delay a recovery by no more than 60 s and one sample", () => {
    fc.assert(
      fc.property(stretches, jump, jump, durations, (before, ours, plugins, durationMinutes) => {
        const clocks = new Clocks(ruleOf({ durationMinutes }));
        clocks.until("bad", durationMinutes * minute);
        for (const one of before) clocks.live(one);
        clocks.live({ ours, plugins, steps: 0, doing: "good" });
        clocks.until("good", minute + 30 * second);
        expect(clocks.driver.open).toBeNull();
      }),
      { numRuns: randomCases(2000) },
    );
  });

  it("[OUR-ALR-18] keep no stopped server from being reported, nor an alert from closing when it is back", () => {
    fc.assert(
      fc.property(
        stretches,
        jump,
        jump,
        durations,
        fc.nat(2),
        (before, ours, back, durationMinutes, heartbeats) => {
          const offline = { metric: "offline", condition: null, threshold: null } as const;
          const clocks = new Clocks(ruleOf({ ...offline, durationMinutes }));
          for (const one of before) clocks.live(one);
          clocks.live({ ours, plugins: 0, steps: 1, doing: "stopped" });
          clocks.live({ ours: back, plugins: 0, steps: 0, doing: "stopped" });
          clocks.until("stopped", 2 * durationMinutes * minute + 90 * second + 30 * second);
          expect(clocks.driver.open).not.toBeNull();
          clocks.live({ ours: 0, plugins: 0, steps: heartbeats, doing: "good" });
          clocks.live({ ours: back, plugins: 0, steps: 0, doing: "good" });
          clocks.until("good", minute + 60 * second);
          expect(clocks.driver.open).toBeNull();
        },
      ),
      { numRuns: randomCases(2000) },
    );
  });

  it("[OUR-ALR-18] close an alert about ticks within a pause, and one without data, in time", () => {
    fc.assert(
      fc.property(
        stretches,
        jump,
        jump,
        fc.constantFrom<Doing>("empty", "silent"),
        (before, ours, ahead, doing) => {
          const clocks = new Clocks(ruleOf());
          clocks.until("bad", 0);
          for (const one of before) clocks.live(one);
          clocks.step("bad");
          if (doing === "empty") clocks.step("empty", clocks.ours + ahead);
          clocks.live({ ours, plugins: 0, steps: 70, doing });
          expect(clocks.driver.open).toBeNull();
        },
      ),
      { numRuns: randomCases(2000) },
    );
  });

  it("[OUR-ALR-18] leave no mute and no cooldown without an end", () => {
    const lastNotifiedAt = start + 400 * day;
    const mutedUntil = start + 400 * day;
    const clocks = new Clocks(ruleOf({ cooldownMinutes: 1440, lastNotifiedAt, mutedUntil }));
    clocks.step("bad");
    expect(clocks.driver.rule.lastNotifiedAt).toBe(start + 30 * second);
  });
});
