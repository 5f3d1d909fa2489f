import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scheduledRunOf, type ScheduledRun } from "../../../../src/core/server/regression/run.ts";
import { RegressionVerdict } from "../../../../src/core/server/regression/verdict.ts";
import { acceptedPayload, reportDetail, type Json } from "../../../support/payload.ts";
import { changed, daily, day, hour, judged, now, runAt, scores, steady, word } from "./runs.ts";
import { randomCases } from "../../../support/long.ts";

const dropped = [...steady, 4400, 4410, 4395, 4402];

/** The runs, of which those from that index on have another upload. */
const changedFrom = (totals: readonly number[], from: number, upload: Json): ScheduledRun[] =>
  daily(totals).map((run, index) =>
    index < from ? run : changed(run, { context: runAt(now, 1, upload).context }),
  );

describe("which runs", () => {
  it("[SRV-23] [OUR-REG-01] of the 90 days before now, both ends included", () => {
    const at = (finishedAt: number) => judged([runAt(finishedAt, 1000)]).runs.total;
    expect([at(now), at(now + 1), at(now - 90 * day), at(now - 90 * day - 1)]).toEqual([1, 0, 1, 0]);
    expect(judged([]).window).toEqual({
      days: 90,
      from: "2026-08-22T12:00:00.000Z",
      to: "2026-11-20T12:00:00.000Z",
    });
  });

  it("[OUR-REG-01] what does not count is counted by its first reason", () => {
    const [run] = daily([5000]);
    if (!run) throw new Error("no run");
    const more: ScheduledRun[] = [
      { ...run, mode: "stresslimit" },
      { ...run, mode: "custom", scores: scores(null) },
      { ...run, scores: scores(0) },
      { ...run, scores: scores(0), hasFailedTest: true },
      { ...run, hasUnreliableTest: true },
      { ...run, hasUnreliableTest: true, hasFailedTest: true },
      { ...run, finishedAt: now - hour, algorithmVersion: "2" },
    ];
    const { runs } = judged([run, ...more]);
    expect(runs).toMatchObject({ total: 8, comparable: 1, points: 1 });
    expect(runs.excluded).toEqual([
      { reason: "not_standard", count: 2 },
      { reason: "missing_total", count: 1 },
      { reason: "unreliable", count: 1 },
      { reason: "other_group", count: 1 },
      { reason: "failed_run", count: 2 },
    ]);
  });

  it("[OUR-REG-01] only tests that feed a score make a run unfit", () => {
    const payload = acceptedPayload();
    const of = (failed: string[], unreliable: string[]) =>
      scheduledRunOf(reportDetail(payload), payload, now, { failed, unreliable });
    expect(of(["memory_stress"], ["mechanics_fluids"])).toMatchObject({
      hasFailedTest: false,
      hasUnreliableTest: false,
    });
    expect(of(["entities_ai"], ["disk_random_4k"])).toMatchObject({
      hasFailedTest: true,
      hasUnreliableTest: true,
    });
  });

  it.each<[string, Json, boolean]>([
    ["a patch of the plugin", { plugin_version: "1.10.9" }, true],
    ["another minor version of the plugin", { plugin_version: "1.11.0" }, false],
    ["another server type", { server: { type: "purpur" } }, false],
    ["another game version", { server: { game_version: "1.21.8" } }, false],
    ["another CPU", { hardware: { cpu_name: "Xeon" } }, false],
    ["more cores", { hardware: { cpu_cores: 16 } }, false],
    ["more threads", { hardware: { cpu_threads: 32 } }, false],
    ["fewer processors", { hardware: { available_processors: 4 } }, false],
    ["2 % less memory", { hardware: { ram_gb: 31.4 } }, true],
    ["more memory", { hardware: { ram_gb: 64 } }, false],
    ["another memory limit", { hardware: { memory_limit_gb: 12 } }, false],
    ["an unknown memory limit", { hardware: { memory_limit_gb: null } }, false],
    ["another disk", { hardware: { disk_type: "hdd" } }, false],
    ["other zones", { dispersed_zones: 8 }, false],
    ["another Java", { server: { java_version: "25" } }, true],
    ["another build", { server: { build: "1.21.4-230" } }, true],
    ["more plugins", { server: { plugin_count: 40 } }, true],
    ["other JVM options", { jvm: { flags: ["-XX:+UseZGC"] } }, true],
  ])("[OUR-REG-02] %s: comparable %#", (_, upload, comparable) => {
    const runs = [runAt(now - day, 5000), runAt(now, 5000, upload)];
    expect(judged(runs).runs.comparable).toBe(comparable ? 2 : 1);
  });

  it("[OUR-REG-02] memory that differs by exactly 2 % is on one scale, by more it is not", () => {
    const at = (time: number, gb: number) =>
      runAt(time, 5000, { hardware: { ram_gb: gb, memory_limit_gb: gb } });
    expect(judged([at(now - day, 64), at(now, 62.72)]).runs.comparable).toBe(2);
    expect(judged([at(now - day, 64), at(now, 62.719)]).runs.comparable).toBe(1);
  });

  it("[OUR-REG-02] the group is that of the newest run that counts", () => {
    const failed = { ...runAt(now, 5000, { plugin_version: "9.9.9" }), hasFailedTest: true };
    const { group } = judged([runAt(now - day, 5000), failed]);
    expect(group).toMatchObject({ plugin_version: "1.10", cpu_name: "AMD Ryzen 7 7700", dispersed_zones: 4 });
    expect(judged([failed])).toMatchObject({ group: null, reason: "no_runs", baseline: null, recent: null });
  });

  it("[OUR-REG-03] the runs of one UTC day are one point, their median", () => {
    const midnight = Date.UTC(2026, 10, 20);
    const runs = [
      runAt(midnight - 1, 4000),
      runAt(midnight, 5000),
      runAt(midnight + hour, 5300),
      runAt(midnight + 2 * hour, 100),
    ];
    expect(judged(runs)).toMatchObject({
      runs: { comparable: 4, points: 2 },
      recent: {
        points: 2,
        median: 4500,
        from: "2026-11-19T00:00:00.000Z",
        to: "2026-11-20T00:00:00.000Z",
      },
    });
  });

  it("[OUR-REG-08] too few points of one kind and enough of several are mixed conditions", () => {
    const totals = [...steady, 5001, 4999];
    const upload = { hardware: { cpu_name: "Xeon" } };
    expect(word(judged(changedFrom(totals, 5, upload)))).toBe("mixed_conditions");
    expect(word(judged(changedFrom(totals.slice(0, 9), 5, upload)))).toBe("not_enough_runs");
    // Eight of the group are enough to be judged for themselves.
    expect(word(judged(changedFrom(totals, 4, upload)))).toBe("not_enough_runs");
    expect(word(judged(changedFrom([...totals, 5000, 5003], 4, upload)))).toBe("stable");
  });
});

describe("the answer", () => {
  it("[SRV-08] [OUR-REG-12] has its fields, in their order", () => {
    const verdict = judged(daily(dropped));
    expect(Object.keys(verdict)).toEqual(Object.keys(RegressionVerdict.shape));
    expect(RegressionVerdict.parse(verdict)).toEqual(verdict);
    expect(verdict).toMatchObject({
      server_id: "server",
      rule_version: "1",
      verdict: "regression",
      reason: null,
      metric: "total",
      change_percent: -11.99,
      lower_bound_percent: -12.1,
      baseline: { points: 10, noise_percent: 0.09 },
    });
  });

  it("[OUR-REG-12] names the other scores that moved by the band or more, the largest drop first", () => {
    const runs = daily(dropped).map((run, index) =>
      index < 10
        ? run
        : changed(run, { scores: { ...run.scores, disk: 2500, memory: 5100, entities: 6000, gameplay: 0 } }),
    );
    const { other_metrics } = judged(runs);
    expect(other_metrics[0]).toEqual({ key: "disk", change_percent: -50.0 });
    expect(other_metrics.at(-1)).toMatchObject({ key: "entities", change_percent: 19.99 });
    expect(other_metrics.map(({ key }) => key)).not.toContain("memory");
    expect(other_metrics.map(({ key }) => key)).not.toContain("gameplay");
    expect(judged(daily(dropped.slice(0, -1))).other_metrics).toEqual([]);
  });

  it("[OUR-REG-12] lists what changed around comparable runs, with the first run that had it", () => {
    const runs = changedFrom(dropped, 10, {
      server: { java_version: "25", build: "1.21.4-230" },
      plugin_version: "1.10.3",
      jvm: { flags: ["-XX:+UseZGC"] },
    });
    const at = new Date(now - 3 * day).toISOString();
    expect(judged(runs).context_changes).toEqual([
      { field: "java_version", before: "21.0.5", after: "25", at },
      { field: "jvm_flags", before: "-XX:+UseG1GC", after: "-XX:+UseZGC", at },
      { field: "plugin_version", before: "1.10.2", after: "1.10.3", at },
      { field: "server_build", before: "1.21.4-228", after: "1.21.4-230", at },
    ]);
  });

  it("[OUR-REG-12] shows an option of the JVM by its own name where its value could be private", () => {
    const flags = ["-Dusing.aikars.flags=https://mcflags.emc.gs", "-XX:+UseG1GC"];
    const { context_changes } = judged(changedFrom(dropped, 10, { jvm: { flags } }));
    expect(context_changes).toMatchObject([
      { field: "jvm_flags", before: "", after: "-Dusing.aikars.flags" },
    ]);
  });

  it("[OUR-REG-12] a value that is unknown for a while has not changed; at most 20 changes are told", () => {
    const javas = ["21", null, "21", ...Array.from({ length: 30 }, (_, index) => `${index % 2}`)];
    const runs = daily(javas.map(() => 5000)).map((run, index) =>
      changed(run, { context: { ...run.context, java_version: javas[index] ?? null } }),
    );
    const { context_changes } = judged(runs);
    expect(context_changes).toHaveLength(20);
    expect(context_changes.at(-1)).toMatchObject({ before: "0", after: "1" });
  });
});

describe("invariants", () => {
  const totals = fc.array(fc.integer({ min: 3000, max: 6000 }), { minLength: 1, maxLength: 40 });
  const verdictOf = (runs: readonly ScheduledRun[]) => {
    const { runs: _counts, ...verdict } = judged(runs);
    return verdict;
  };

  it("[OUR-REG-11] the order of the runs means nothing", () => {
    fc.assert(
      fc.property(totals, fc.integer(), (values, seed) => {
        const runs = daily(values);
        const shuffled = runs.toSorted(
          (a, b) => ((a.finishedAt * seed) % 7919) - ((b.finishedAt * seed) % 7919),
        );
        expect(judged(shuffled)).toEqual(judged(runs));
      }),
    );
  });

  it("[OUR-REG-11] older runs of another group change no verdict that the group's own runs decide", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 4000, max: 5500 }), { minLength: 8, maxLength: 30 }),
        totals,
        (values, others) => {
          const runs = daily(values);
          const foreign = daily(others, { algorithmVersion: "2" }).map((run) =>
            changed(run, { finishedAt: run.finishedAt - hour }),
          );
          expect(verdictOf([...foreign, ...runs])).toEqual(verdictOf(runs));
        },
      ),
    );
  });

  it("[OUR-REG-11] unfit runs change nothing but the counts", () => {
    fc.assert(
      fc.property(totals, totals, (values, unfit) => {
        const runs = daily(values);
        const broken = daily(unfit, { hasUnreliableTest: true });
        expect(verdictOf([...runs, ...broken])).toEqual(verdictOf(runs));
      }),
    );
  });

  it("[OUR-REG-11] scaling every total changes no verdict", () => {
    fc.assert(
      fc.property(totals, fc.integer({ min: 2, max: 10 }), (values, factor) => {
        const [one, other] = [judged(daily(values)), judged(daily(values.map((value) => value * factor)))];
        expect([other.verdict, other.reason, other.since]).toEqual([one.verdict, one.reason, one.since]);
      }),
    );
  });

  it("[SRV-24] a verdict says one thing: a change only where it decides, a beginning only for a regression", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        totals,
        fc.integer({ min: 0, max: 30 }),
        fc.constantFrom(1, 0.97, 0.85),
        (values, from, factor) => {
          const calm = values.map((value, index) => (4900 + (value % 200)) * (index < from ? 1 : factor));
          const verdict = judged(daily(calm));
          seen.add(word(verdict));
          expect(verdict.reason === null).toBe(verdict.verdict !== "undecidable");
          expect(verdict.change_percent === null).toBe(verdict.verdict === "undecidable");
          expect(verdict.since !== null).toBe(verdict.verdict === "regression");
          expect(verdict.first_report_id !== null).toBe(verdict.verdict === "regression");
          if (verdict.verdict === "stable") expect(verdict.change_percent).toBeGreaterThan(-5);
        },
      ),
      {
        numRuns: randomCases(300),
        // One of each word, whatever the dice say.
        examples: [
          [steady, 30, 1],
          [[...steady, ...steady], 10, 0.85],
          [steady.slice(0, 3), 0, 1],
        ],
      },
    );
    expect(seen.has("regression") && seen.has("stable") && seen.has("not_enough_runs")).toBe(true);
  });
});
