import { describe, expect, it } from "vitest";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { ruleProblem } from "../../src/core/alert/limits.ts";
import { ReportedEvent } from "../../src/core/event/reported-event.ts";
import { benchmarkPayload } from "../../src/demo/benchmark.ts";
import { lastDay } from "../../src/demo/history.ts";
import { accountSpecs, serverSpecs } from "../../src/demo/fleet.ts";
import { simulatedOf, type ServerSpec } from "../../src/demo/server-spec.ts";
import { watchOf } from "../../src/demo/rules.ts";
import { slowestOf, timelineOf } from "../../src/demo/timeline.ts";
import { playersAt } from "../../src/demo/load-profile.ts";
import { isLong } from "../support/long.ts";

const hourMs = 3_600_000;
const start = Date.parse("2026-11-20T12:00:00.000Z");

const planOf = ({ account }: ServerSpec) =>
  defaultPlans[accountSpecs.find(({ name }) => name === account)?.plan ?? "free"];

/** A server, what it measured that was slow, and what it tells of it. */
function tellerOf(spec: ServerSpec, now = start) {
  const simulated = simulatedOf(spec, now);
  const slowest = slowestOf([...lastDay({ spec, simulated }, now)].flat());
  const events = timelineOf({ spec, simulated }, slowest, now);
  const ofType = (type: string) => events.filter((event) => event.type === type);
  return { simulated, slowest, events, ofType };
}

const at = (timestamp: string | null | undefined): number => Date.parse(timestamp ?? "");

const speaking = serverSpecs.filter((spec) => spec.life !== "silent" && planOf(spec).monitored_servers > 0);

describe("the timelines of the demo", () => {
  it.each(speaking)("[OUR-DEM-17] of $name is accepted whole by the plugin API", (spec) => {
    const { events } = tellerOf(spec);
    expect(events.length).toBeGreaterThan(6);
    expect(events.length).toBeLessThanOrEqual(500);
    for (const event of events) ReportedEvent.parse(event);
    expect(new Set(events.map(({ local_id }) => local_id)).size).toBe(events.length);
    const times = events.map(({ timestamp }) => at(timestamp));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(start - planOf(spec).retention_days * 24 * hourMs);
    expect(times.at(-1)).toBeLessThan(start);
  });

  it("[OUR-DEM-17] are the same for the same server and start, and differ between servers", () => {
    const events = speaking.map((spec) => JSON.stringify(tellerOf(spec).events));
    expect(speaking.map((spec) => JSON.stringify(tellerOf(spec).events))).toEqual(events);
    expect(new Set(events).size).toBe(speaking.length);
  });

  it.each(speaking)("[OUR-DEM-17] of $name agrees with its boot, its runs and its ticks", (spec) => {
    const { simulated, slowest, events, ofType } = tellerOf(spec);
    const boot = ofType("server_start").at(-1);
    expect(boot?.metadata).toMatchObject({ boot_timestamp: new Date(simulated.bootedAt).toISOString() });
    expect(at(boot?.timestamp)).toBe(simulated.bootedAt + (boot?.duration_ms ?? 0));

    const server = {
      seed: spec.profile.seed,
      pluginVersion: "1",
      tellsOutcome: true,
      software: spec.software,
    };
    const runs = spec.runs.map((run) => benchmarkPayload(server, run, start));
    const reported = ofType("benchmark_complete").map(({ timestamp, duration_ms, metadata }) => [
      (metadata as { local_id: string }).local_id,
      timestamp,
      duration_ms,
    ]);
    const measured = runs.map(({ local_id, started_at, finished_at }) => [
      local_id,
      finished_at,
      at(finished_at) - at(started_at),
    ]);
    expect(reported.toSorted()).toEqual(measured.toSorted());

    const spikes = ofType("lag_spike");
    expect(spikes).toHaveLength(slowest.length);
    for (const { timestamp, duration_ms } of spikes) {
      const sample = slowest.find(
        ({ sampled_at }) => at(sampled_at) - at(timestamp) < 30_000 && sampled_at >= (timestamp ?? ""),
      );
      expect(duration_ms).toBe(Math.round(sample?.worst_tick_ms ?? 0));
    }
    const among = events.filter(({ type }) => ["kick", "mute", "tempban", "player_report"].includes(type));
    for (const { timestamp } of among) expect(playersAt(simulated, at(timestamp))).toBeGreaterThan(0);
  });

  it("[OUR-DEM-17] tell of one crash when what leaked had filled the heap, of kills, a stop, a pause and a cut", () => {
    const crashes = speaking.flatMap((spec) =>
      tellerOf(spec)
        .ofType("server_crash")
        .map((event) => ({ spec, event })),
    );
    const names = ["Foundry SMP", "Lighthouse", "Lighthouse", "Quarry"];
    expect(crashes.map(({ spec }) => spec.name)).toEqual(names);
    const [crash] = crashes;
    if (!crash) throw new Error("unreachable");
    const { bootedAt, profile } = simulatedOf(crash.spec, start);
    expect(bootedAt - at(crash.event.timestamp)).toBeLessThan(120_000);
    const hours = (crash.event.metadata as { uptime_seconds: number }).uptime_seconds / 3600;
    expect(profile.liveSetMb + profile.leakMbPerHour * hours).toBeCloseTo(profile.heapMaxMb, -1);
    const types = new Set(speaking.flatMap((spec) => tellerOf(spec).events.map(({ type }) => type)));
    for (const type of ["server_stop", "restart", "server_paused", "connection_restored", "anticheat_flag"])
      expect(types).toContain(type);
  });
});

describe("the rules of the demo", () => {
  it("[OUR-DEM-18] can be watched, each by one name, and no server has more than its plan allows", () => {
    for (const spec of serverSpecs) {
      const { rules, eventRules } = watchOf(spec.name);
      expect(rules.map((rule) => ruleProblem(rule))).toEqual(rules.map(() => null));
      expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
      expect(rules.length).toBeLessThanOrEqual(planOf(spec).alert_rules);
      expect(eventRules.length).toBeLessThanOrEqual(planOf(spec).event_rules);
    }
  });

  it("[OUR-DEM-18] fire for the slow ticks of one server at any hour of the week", () => {
    const foundry = serverSpecs.find(({ name }) => name === "Foundry SMP");
    if (!foundry) throw new Error("The fleet has no Foundry SMP.");
    const rule = watchOf(foundry.name).rules.find(({ name }) => name === "Slow ticks");
    // Five hours at a time, every hour of the day comes in that week, and every day.
    for (let hour = 0; hour < 7 * 24; hour += isLong ? 1 : 5) {
      const now = start + hour * hourMs;
      const samples = [...lastDay({ spec: foundry, simulated: simulatedOf(foundry, now) }, now)].at(-1) ?? [];
      expect(Math.min(...samples.map(({ mspt }) => mspt ?? 0))).toBeGreaterThan(rule?.threshold ?? Infinity);
    }
  });
});
