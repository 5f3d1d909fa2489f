import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../../src/core/report/before-after/run.ts";
import { BeforeAfterVerdict } from "../../../../src/core/report/before-after/verdict.ts";
import { contextFields, reportContext } from "../../../../src/core/report/context.ts";
import { exampleBeforeAfter } from "../../../../src/endpoints/api/report/example-before-after.ts";
import { acceptedPayload, reportDetail, type Json } from "../../../support/payload.ts";
import { changed, codes, day, hour, judged, noon, run, side, sides, type Sides } from "./runs.ts";

const slow = [1000, 1003, 998];
const fast = [1200, 1203, 1198];

describe("the answer", () => {
  it("[BEF-01] [OUR-BEF-16] has its fields, and tells what it was reached on", () => {
    const verdict = judged(sides([4000, 3980, 4050], [4400, 4380, 4420]), "entities");
    expect(Object.keys(verdict)).toEqual(Object.keys(BeforeAfterVerdict.shape));
    expect(BeforeAfterVerdict.parse(verdict)).toEqual(verdict);
    expect(verdict).toMatchObject({
      rule_version: "1",
      verdict: "improved",
      conclusive: true,
      refusals: [],
      target: { value: "entities", kind: "metric", metric: "entities" },
      declared: [],
      before: { count: 3, median: 4000, min: 3980, max: 4050, spread_percent: 1.7 },
      after: { count: 3, median: 4400, min: 4380, max: 4420, spread_percent: 0.9 },
      effect: exampleBeforeAfter.output.effect,
      thresholds: exampleBeforeAfter.output.thresholds,
      differences: [],
    });
  });

  it("[OUR-BEF-15] judges the nine other scores by the same rule, where they can be judged", () => {
    const { before, after } = sides(slow, fast);
    const without = after.map((each) => changed(each, { scores: { ...each.scores, disk: 0 } }));
    const { other_metrics } = judged({ before, after: without }, "entities");
    expect(other_metrics.map(({ key }) => key)).toEqual(
      "total single_core gameplay hardware memory disk multi_core exploration mechanics".split(" "),
    );
    expect(other_metrics.find(({ key }) => key === "total")).toMatchObject({
      verdict: "improved",
      shift_percent: 20,
    });
    expect(other_metrics.find(({ key }) => key === "disk")).toMatchObject({
      verdict: "inconclusive",
      shift_percent: null,
    });
  });

  it("[OUR-BEF-11] a refusal of the statistic tells the effect; one before it tells none, nor other scores", () => {
    const spread = judged(sides([1000, 700, 900], fast));
    expect(codes(spread)).toEqual(["runs_too_spread"]);
    expect(spread.effect).not.toBeNull();
    const few = judged(sides([1000, 1003], fast));
    expect(few).toMatchObject({
      verdict: "inconclusive",
      conclusive: false,
      effect: null,
      other_metrics: [],
    });
    expect(few.before).toMatchObject({ count: 2, median: 1001.5 });
  });
});

describe("refusals before the statistic", () => {
  const odd = (change: Json): Sides => sides(slow, fast, {}, change);
  const oneOdd = (index: number, changes: Partial<Run>): Sides => {
    const { before, after } = sides(slow, fast);
    return { before, after: after.map((each, at) => (at === index ? changed(each, changes) : each)) };
  };

  it.each<[string, Sides]>([
    ["too_few_runs", sides([1000, 1003], fast)],
    ["too_few_runs", sides(slow, [1200, 1203])],
    ["mixed_benchmark_mode", oneOdd(0, { mode: "stresslimit" })],
    ["mixed_algorithm_version", oneOdd(0, { algorithmVersion: "2" })],
    ["different_servers", oneOdd(0, { serverId: "another" })],
    ["different_hardware", odd({ hardware: { cpu_name: "Xeon" } })],
    ["different_hardware", odd({ hardware: { cpu_cores: 16 } })],
    ["different_hardware", odd({ hardware: { cpu_threads: 32 } })],
    ["different_hardware", odd({ hardware: { ram_gb: 64 } })],
    ["undeclared_change", odd({ server: { java_version: "25" } })],
    ["target_not_measured", oneOdd(1, { scores: { ...run().scores, total: 0 } })],
    ["target_not_measured", oneOdd(1, { scores: { ...run().scores, total: null } })],
    ["unreliable_run", oneOdd(2, { unreliableTests: ["entities_ai"] })],
    ["order_inconsistent", oneOdd(0, { finishedAt: noon })],
    ["order_inconsistent", oneOdd(0, { finishedAt: noon + 2 * hour })],
    ["mixed_within_side", oneOdd(0, { context: { ...run().context, java_version: "25" } })],
  ])("[BEF-02] [OUR-BEF-04] %s", (code, runs) => {
    const verdict = judged(runs);
    expect(codes(verdict)).toEqual([code]);
    expect(verdict).toMatchObject({ verdict: "inconclusive", conclusive: false, effect: null });
  });

  it("[OUR-BEF-04] a custom run is unscored, and everything that applies is listed, in one order", () => {
    const { before, after } = sides([1000, 1003], fast, {}, { server: { java_version: "25" } });
    const custom = run({ mode: "custom", algorithmVersion: null, scores: { ...run().scores, total: null } });
    const verdict = judged({ before: [...before, custom], after: after.slice(1) });
    expect(codes(verdict)).toEqual([
      "too_few_runs",
      "unscored_mode",
      "mixed_benchmark_mode",
      "undeclared_change",
      "target_not_measured",
    ]);
  });

  it("[OUR-BEF-04] an unreliable test that the score is not made of refuses nothing", () => {
    const runs = oneOdd(2, { unreliableTests: ["memory_stress", "disk_sequential"] });
    expect(judged(runs, "entities").verdict).toBe("improved");
    const refused = judged(runs, "disk");
    expect(refused.refusals).toEqual([
      { code: "unreliable_run", field: "disk_sequential", before: null, after: null },
    ]);
  });

  it("[OUR-BEF-04] [OUR-BEF-13] neither refusals nor verdicts depend on the order of the ids", () => {
    const reordered = <T>(items: readonly T[]) =>
      fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
    const mixed = oneOdd(1, { context: { ...run().context, java_version: "25" }, serverId: "another" });
    for (const { before, after } of [mixed, sides(slow, fast), sides([1000, 1001], slow)]) {
      fc.assert(
        fc.property(reordered(before), reordered(after), (first, second) => {
          expect(judged({ before: first, after: second })).toEqual(judged({ before, after }));
        }),
      );
    }
  });
});

describe("what surrounds the runs", () => {
  const other = {
    cpu_name: { hardware: { cpu_name: "Xeon" } },
    cpu_cores: { hardware: { cpu_cores: 16 } },
    cpu_threads: { hardware: { cpu_threads: 32 } },
    ram_gb: { hardware: { ram_gb: 64 } },
    available_processors: { hardware: { available_processors: 4 } },
    cpu_quota_cores: { hardware: { cpu_quota_cores: 4 } },
    memory_limit_gb: { hardware: { memory_limit_gb: 12 } },
    disk_type: { hardware: { disk_type: "hdd" } },
    os_name: { server: { os_name: "Alpine" } },
    java_version: { server: { java_version: "25" } },
    collector: { jvm: { collector: "zgc" } },
    heap_max_mb: { jvm: { heap_max_mb: 4096 } },
    heap_initial_mb: { jvm: { heap_initial_mb: 1024 } },
    jvm_flags: { jvm: { flags: ["-XX:+UseZGC"] } },
    server_type: { server: { type: "purpur" } },
    game_version: { server: { game_version: "1.21.8" } },
    plugin_version: { plugin_version: "1.11.0" },
    plugin_count: { server: { plugin_count: 13 } },
    mod_count: null,
    dispersed_zones: { dispersed_zones: 5 },
  } as const;
  const fields = contextFields.filter((field) => field in other && field !== "mod_count");

  it.each(fields)("[OUR-BEF-05] a change of %s refuses, unless it is declared", (field) => {
    const runs = sides(slow, fast, {}, other[field as keyof typeof other] ?? {});
    const [refused, declared] = [judged(runs), judged(runs, "total", [field])];
    expect(refused.refusals).toMatchObject([{ field }]);
    expect(refused.differences).toMatchObject([{ field, declared: false, blocking: true }]);
    expect(refused.refusals[0]?.before).not.toEqual(refused.refusals[0]?.after);
    expect(declared).toMatchObject({ verdict: "improved", declared: [field] });
    expect(declared.differences).toMatchObject([{ field, declared: true, blocking: false }]);
    expect(declared.caveats).toContainEqual(
      expect.objectContaining({ code: "declared_changes_not_separable", fields: [field] }),
    );
  });

  it.each(contextFields.filter((field) => field.startsWith("config.")))(
    "[OUR-BEF-05] a change of %s refuses",
    (field) => {
      const key = field.slice("config.".length);
      const verdict = judged(sides(slow, fast, { config: { [key]: 32 } }, { config: { [key]: 24 } }));
      expect(verdict.refusals).toEqual([{ code: "undeclared_change", field, before: 32, after: 24 }]);
    },
  );

  it("[OUR-BEF-05] an unknown value says nothing; no CPU quota is a value", () => {
    expect(judged(sides(slow, fast, {}, { server: { java_version: null } })).verdict).toBe("improved");
    const [refused] = judged(sides(slow, fast, {}, { hardware: { cpu_quota_cores: 2 } })).refusals;
    expect(refused).toMatchObject({ field: "cpu_quota_cores", before: "none", after: 2 });
  });

  it.each([
    [31.4, true],
    [31.3, false],
  ])("[OUR-BEF-05] 32 GiB against %s are the same memory: %s", (ram_gb, same) => {
    expect(judged(sides(slow, fast, {}, { hardware: { ram_gb } })).conclusive).toBe(same);
  });

  it.each([
    [64, 62.72, true],
    [62.72, 64, true],
    [64, 62.719, false],
    [7.75, 7.595, true],
  ])("[OUR-BEF-05] exactly 2 % of %s GiB is no difference: %s is the same memory: %s", (one, other, same) => {
    const upload = (gb: number): Json => ({ hardware: { ram_gb: gb, memory_limit_gb: gb } });
    expect(judged(sides(slow, fast, upload(one), upload(other))).conclusive).toBe(same);
  });

  it("[OUR-BEF-05] the order of JVM options and the options of the heap's size mean nothing", () => {
    const flags = ["-XX:+UseG1GC", "-Xmx4G", "-Xms4G"];
    expect(judged(sides(slow, fast, {}, { jvm: { flags } })).verdict).toBe("improved");
  });

  it("[OUR-BEF-16] of JVM options each side shows those the other lacks, by name where a value could be private", () => {
    const flags = [
      "-XX:+UseG1GC",
      "-XX:MaxGCPauseMillis=200",
      "-XX:OnOutOfMemoryError=/home/me/secret.sh",
      "-Xlog:gc*:file=/home/me/gc.log",
    ];
    const { differences } = judged(sides(slow, fast, {}, { jvm: { flags } }));
    expect(differences).toMatchObject([
      { field: "jvm_flags", before: "", after: "-XX:MaxGCPauseMillis=200 -XX:OnOutOfMemoryError -Xlog" },
    ]);
  });

  it.each([
    ["-Dusing.aikars.flags=https://mcflags.emc.gs", "-Dusing.aikars.flags"],
    ["-Dio.netty.some-thing:x=secret", "-Dio.netty.some-thing"],
    ["-javaagent:/home/me/agent.jar=secret", "-javaagent"],
    ["--add-modules=jdk.incubator.vector", "--add-modules"],
    ["-Xlog:gc*:file=/home/me/gc.log", "-Xlog"],
    ["-XX:-UseBiasedLocking", "-XX:-UseBiasedLocking"],
    ["/home/me/secret.jar", "…"],
    ["-=secret", "…"],
  ])("[OUR-BEF-16] the option %s is shown as %s, never as one that nobody set", (option, shown) => {
    const flags = ["-Xms8G", "-Xmx8G", "-XX:+UseG1GC"];
    const { differences } = judged(sides(slow, fast, {}, { jvm: { flags: [...flags, option] } }));
    expect(differences).toMatchObject([{ field: "jvm_flags", before: "", after: shown }]);
  });

  it("[OUR-BEF-16] a long list of options is cut to 500 characters", () => {
    const flags = Array.from({ length: 100 }, (_, index) => `-XX:+Option${"x".repeat(20)}${index}`);
    const { differences } = judged(sides(slow, fast, {}, { jvm: { flags } }));
    expect(String(differences[0]?.after)).toHaveLength(500);
  });

  it("[OUR-BEF-05] covers every part of the context", () => {
    const payload = acceptedPayload();
    expect(Object.keys(reportContext(reportDetail(payload), payload)).toSorted()).toEqual(
      [...contextFields, "server_build"].toSorted(),
    );
  });
});

describe("targets", () => {
  it.each([
    ["memory_raise_heap", "total", { jvm: { heap_max_mb: 12_288 }, hardware: { memory_limit_gb: 20 } }],
    [
      "jvm_aikar_flags",
      "entities",
      { jvm: { flags: ["-XX:G1NewSizePercent=30"], heap_initial_mb: 4096, collector: "other" } },
    ],
    ["cpu_raise_quota", "multi_core", { hardware: { available_processors: 4, cpu_quota_cores: 4 } }],
    ["disk_faster_storage", "disk", { hardware: { disk_type: "ssd" } }],
    ["chunks_view_distance", "exploration", { config: { view_distance: 5 } }],
  ] as const)(
    "[OUR-BEF-02] [OUR-BEF-03] %s is judged by %s and implies its own fields",
    (code, metric, change) => {
      const verdict = judged(sides(slow, fast, {}, change), code);
      expect(verdict).toMatchObject({
        verdict: "improved",
        target: { value: code, kind: "recommendation", metric },
      });
      expect(verdict.differences.length).toBeGreaterThan(0);
      expect(verdict.differences.every(({ declared, blocking }) => declared && !blocking)).toBe(true);
      expect(verdict.caveats.map((caveat) => caveat.code)).not.toContain("declared_changes_not_separable");
    },
  );

  it("[OUR-BEF-04] sides of a day each, a fortnight apart, are in order", () => {
    const before = side(slow, noon);
    expect(judged({ before, after: side(fast, noon + 14 * day) }).verdict).toBe("improved");
    expect(codes(judged({ before: side(slow, noon + 14 * day), after: side(fast, noon) }))).toEqual([
      "order_inconsistent",
    ]);
  });
});
