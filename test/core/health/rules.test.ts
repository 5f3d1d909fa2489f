import { describe, expect, it } from "vitest";
import { evaluateHealth, findingsOf } from "../../../src/core/health/evaluate.ts";
import type { HealthFacts } from "../../../src/core/health/facts.ts";
import type { HealthField } from "../../../src/core/health/health-fields.ts";
import { eventOf, factsOf, hour, minute, noon, profileOf, samplesOf, type ChangedFacts } from "./facts.ts";

type Fields = Partial<Record<HealthField, number>>;

/** Codes with their severity. */
const found = (changes: ChangedFacts): string[] =>
  findingsOf(factsOf(changes)).map(({ code, severity }) => `${code} ${severity}`);

/** The same fields in every sample. */
const always = (fields: Fields): ChangedFacts => ({
  samples: samplesOf(() => ({ tps: 20, mspt: 12, ...fields })),
});

it("[OUR-HLT-21] finds nothing on a calm server", () => {
  expect(found({})).toEqual([]);
  expect(evaluateHealth(factsOf())).toMatchObject({
    verdict: "healthy",
    headline: {
      code: "healthy",
      text: "Nothing is wrong. Ticks take 12 ms of the 50 ms they have (median of 15 min).",
    },
  });
});

it("[OUR-HLT-24] a state without an announcement is down, and begins with it", () => {
  const since = noon - 5 * minute;
  for (const [state, code] of [
    ["unreachable", "server_down"],
    ["unresponsive", "server_unresponsive"],
  ] as const) {
    const health = evaluateHealth(factsOf({ state, stateSince: since }));
    expect(health).toMatchObject({
      verdict: "down",
      headline: { code },
      since: new Date(since).toISOString(),
    });
    expect(health.findings[0]).toMatchObject({ code, severity: "critical" });
  }
});

describe("[OUR-HLT-25] unclean ends", () => {
  const crash = (ago: number) => eventOf("server_crash", noon - ago);
  it.each([
    ["none is older than a day", [crash(24 * hour)], []],
    ["one is a warning", [crash(24 * hour - 1)], ["crashed warning"]],
    ["two are a loop", [crash(hour), crash(23 * hour)], ["crash_loop critical"]],
  ] as const)("%s", (_, events, expected) => {
    expect(found({ events })).toEqual(expected);
  });
});

it("[OUR-HLT-207] a crash's finding names what its report suspects, the newest one's, within bounds", () => {
  const crash = (ago: number, metadata: unknown) => ({ ...eventOf("server_crash", noon - ago), metadata });
  const suspectsOf = (...events: ReturnType<typeof crash>[]): unknown =>
    evaluateHealth(factsOf({ events })).findings.map(({ code, suspects }) => [code, suspects]);
  const named = { crash_report: "crash-1.txt", suspects: ["Pipes of Old (pipes)", "bolts"] };
  expect(suspectsOf(crash(hour, named))).toEqual([["crashed", named.suspects]]);
  expect(suspectsOf(crash(hour, named), crash(2 * hour, { suspects: ["other"] }))).toEqual([
    ["crash_loop", named.suspects],
  ]);
  expect(suspectsOf(crash(hour, null), crash(2 * hour, named))).toEqual([["crash_loop", []]]);
  for (const other of [{ suspects: "pipes" }, { suspects: [1] }, "text"])
    expect(suspectsOf(crash(hour, other))).toEqual([["crashed", []]]);
  const many = { suspects: Array.from({ length: 9 }, (_, nth) => `${nth}`.repeat(100)) };
  const [, kept] = (suspectsOf(crash(hour, many)) as [[string, string[]]])[0];
  expect(kept.map(({ length }) => length)).toEqual([64, 64, 64, 64, 64]);
  const down = evaluateHealth(
    factsOf({
      state: "unreachable",
      stateSince: noon - minute,
      ended: { at: noon - minute, reason: "crash" },
      events: [crash(minute, named)],
    }),
  );
  expect(down.findings[0]).toMatchObject({ code: "server_down", suspects: named.suspects });
});

it.each<[string, Fields, string[]]>([
  ["just below the budget", { mspt: 49.9 }, []],
  ["at the budget", { mspt: 50 }, ["tick_over_budget critical"]],
  ["nearly, with late ticks", { mspt: 40, mspt_p95: 50 }, ["tick_over_budget warning"]],
  ["nearly, without late ticks", { mspt: 42, mspt_p95: 49.9 }, []],
  ["late ticks alone", { mspt: 39.9, mspt_p95: 80 }, []],
  ["low TPS where MSPT is measured", { mspt: 20, tps: 12 }, []],
])("[OUR-HLT-26] %s", (_, fields, expected) => {
  expect(found(always(fields))).toEqual(expected);
});

it("[OUR-HLT-26] TPS decides where MSPT is not measured, and ten samples are needed", () => {
  const without = (tps: number) => ({ samples: samplesOf(() => ({ tps })) });
  expect(found(without(18))).toEqual([]);
  expect(found(without(17.9))).toEqual(["tick_over_budget critical"]);
  const late = samplesOf(() => ({ mspt: 90 }));
  expect(found({ samples: late.slice(-10) })).toEqual(["tick_over_budget critical"]);
  expect(found({ samples: late.slice(-9) })).toEqual([]);
});

it.each<[string, Fields, string[]]>([
  ["half the ticks, in time", { mspt: 60, tps: 10, target_tps: 10 }, []],
  ["half the ticks, late", { mspt: 100, tps: 10, target_tps: 10 }, ["tick_over_budget critical"]],
  ["half the ticks, nearly", { mspt: 80, mspt_p95: 100, target_tps: 10 }, ["tick_over_budget warning"]],
  ["more ticks than measured", { mspt: 45, tps: 20, target_tps: 20 }, []],
])("[OUR-HLT-135] a server that is set to %s", (_, fields, expected) => {
  expect(found(always(fields))).toEqual(expected);
});

it("[OUR-HLT-135] TPS is judged against the rate that the server is set to, and the sentence names it", () => {
  const set = (tps: number) => ({ samples: samplesOf(() => ({ tps, target_tps: 10 })) });
  expect(found(set(9))).toEqual([]);
  const { findings, headline } = evaluateHealth(factsOf(set(8.9)));
  expect(findings[0]).toMatchObject({ code: "tick_over_budget", evidence: [{ value: 8.9, threshold: 9 }] });
  expect(headline?.text).toContain("8.9 of 10 ticks a second");
});

it("[OUR-HLT-26] says since when it has held without a break", () => {
  const start = noon - 40 * minute;
  const samples = samplesOf((at) => ({ mspt: at >= start ? 60 : 20 }));
  const [finding] = evaluateHealth(factsOf({ samples })).findings;
  expect(Math.abs(Date.parse(finding?.since ?? "") - start)).toBeLessThanOrEqual(5 * minute);
});

it.each<[string, Fields, string[]]>([
  ["below", { heap_after_gc_mb: 7990 }, []],
  ["at 80 %", { heap_after_gc_mb: 8000 }, ["heap_near_full warning"]],
  ["at 90 %", { heap_after_gc_mb: 9000 }, ["heap_near_full critical"]],
])("[OUR-HLT-27] the heap %s", (_, fields, expected) => {
  expect(found(always({ ram_max_mb: 10_000, ...fields }))).toEqual(expected);
});

it("[OUR-HLT-27] one low figure after a collection is enough to be well, and 20 samples are needed", () => {
  const full = samplesOf((_, index) => ({
    mspt: 12,
    ram_max_mb: 10_000,
    heap_after_gc_mb: index === 200 ? 4000 : 9500,
  }));
  expect(found({ samples: full })).toEqual([]);
  expect(found({ samples: full.slice(-20) })).toEqual(["heap_near_full critical"]);
  expect(found({ samples: full.slice(-19) })).toEqual([]);
  // The former boot's heap says nothing of this one.
  expect(found({ samples: full, bootAt: noon - 11 * minute })).toEqual([]);
});

it("[OUR-HLT-28] the container, and a kill for want of memory", () => {
  const fields = { rss_mb: 9500, container_limit_mb: 10_000 };
  expect(found(always(fields))).toEqual(["container_near_limit warning"]);
  const below = samplesOf((_, index) => ({ mspt: 12, ...fields, ...(index === 355 && { rss_mb: 9499 }) }));
  expect(found({ samples: below })).toEqual([]);
  const killed = eventOf("server_crash", noon - 2 * hour, {
    metadata: { reason: "killed", out_of_memory: true },
  });
  expect(found({ ...always(fields), events: [killed] })).toEqual([
    "container_near_limit critical",
    "crashed warning",
  ]);
});

it("[OUR-HLT-260] the kernel's count decides against the container's limit, where there is one", () => {
  // Three times the heap, as the first generation of ZGC maps it.
  const mapped = { rss_mb: 18_170, container_limit_mb: 10_000 };
  expect(found(always({ ...mapped, container_used_mb: 6260 }))).toEqual([]);
  const full = evaluateHealth(factsOf(always({ ...mapped, rss_mb: 3000, container_used_mb: 9500 })));
  expect(full.headline).toEqual({
    code: "container_near_limit",
    text: "The container has used 95 % of its memory: 9.3 GB of 9.8 GB.",
  });
  expect(full.findings[0]?.evidence.map(({ key, value }) => [key, value])).toEqual([
    ["container_share", 95],
    ["container_used_mb", 9500],
    ["container_limit_mb", 10_000],
  ]);
});

it.each<[string, Fields, string[]]>([
  ["is calm below 90 %", { cpu_system: 89.9, cpu_usage: 10 }, []],
  ["is busy", { cpu_system: 90, cpu_usage: 50.1 }, ["machine_saturated info"]],
  ["is noisy", { cpu_system: 90, cpu_usage: 50 }, ["noisy_machine info"]],
  ["is busy with unknown shares", { cpu_system: 95 }, ["machine_saturated info"]],
  [
    "matters while ticks are late",
    { cpu_system: 95, mspt: 55 },
    ["tick_over_budget critical", "machine_saturated warning"],
  ],
])("[OUR-HLT-29] the machine %s", (_, fields, expected) => {
  expect(found(always(fields))).toEqual(expected);
});

it.each<[number, string[]]>([
  // Of 30 seconds between two samples, per cent.
  [590, []],
  [610, ["gc_heavy info"]],
  [2990, ["gc_heavy info"]],
  [3010, ["gc_heavy warning"]],
  [7510, ["gc_heavy critical"]],
])("[OUR-HLT-30] pauses of %d ms every 30 seconds", (gc_stw_ms, expected) => {
  expect(found(always({ gc_stw_ms }))).toEqual(expected);
});

it("[OUR-HLT-31] single long ticks", () => {
  const spikes = (count: number, ms: number, mspt = 12) => ({
    samples: samplesOf((_, index) => ({ mspt, worst_tick_ms: index >= 360 - count ? ms : 60 })),
  });
  expect(found(spikes(2, 900))).toEqual([]);
  expect(found(spikes(3, 499))).toEqual([]);
  expect(found(spikes(3, 500))).toEqual(["tick_spikes info"]);
  expect(found(spikes(3, 2000))).toEqual(["tick_spikes warning"]);
  expect(found(spikes(3, 500, 51))).toEqual(["tick_over_budget critical", "tick_spikes warning"]);
});

it("[OUR-HLT-33] a silence of an online server, and a field that is gone", () => {
  const silent = (ms: number) => ({ sampleTimes: Float64Array.from([noon - hour, noon - ms]) });
  expect(found(silent(3 * minute - 1))).toEqual([]);
  expect(found(silent(3 * minute))).toEqual(["data_missing warning"]);
  expect(found({ measuredBefore: new Set<HealthField>(["cpu_system"]) })).toEqual(["data_missing warning"]);
  expect(found({ measuredBefore: new Set<HealthField>(["mspt"]) })).toEqual([]);
});

it("[OUR-HLT-35] throttling, a heavy plugin and a regression", () => {
  expect(found({ events: [eventOf("cpu_throttled", noon - 2 * hour)] })).toEqual([]);
  expect(found({ events: [eventOf("cpu_throttled", noon - 2 * hour + 1)] })).toEqual([
    "cpu_throttled warning",
  ]);
  const profile = (share: number, ago = hour) => ({
    newestProfile: profileOf(noon - ago, { Shops: share, Other: 3 }),
  });
  expect(found(profile(19.9))).toEqual([]);
  expect(found(profile(20))).toEqual(["plugin_heavy info"]);
  expect(found(profile(90, 7 * 24 * hour + 1))).toEqual([]);
  expect(found({ ...profile(20), ...always({ mspt: 70 }) })).toEqual([
    "tick_over_budget critical",
    "plugin_heavy warning",
  ]);
  expect(found({ regressionSince: noon - 24 * hour })).toEqual(["benchmark_regression warning"]);
});

it("[OUR-HLT-36] a start, a maintenance window and a server that does not tick are not judged by ticks", () => {
  const late = always({ mspt: 90, worst_tick_ms: 3000, gc_stw_ms: 9000 });
  const window = (from: number, to: number): HealthFacts["maintenance"] => [
    { startedAt: noon - from, endsAt: noon - to },
  ];
  expect(evaluateHealth(factsOf({ ...late, bootAt: noon - 10 * minute + 1 }))).toMatchObject({
    verdict: "unknown",
    headline: { code: "starting" },
    findings: [],
  });
  expect(found({ ...late, bootAt: noon - 15 * minute - 10 * minute })).toContain("tick_over_budget critical");
  expect(found({ ...late, maintenance: window(4 * hour, 0) })).toEqual([]);
  expect(found({ ...late, maintenance: window(4 * hour, 6 * minute) })).toContain(
    "tick_over_budget critical",
  );
  expect(found({ ...late, state: "paused_empty" })).not.toContain("tick_over_budget critical");
});
