import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, getPriority, loadavg, setPriority } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { roundsInBatch } from "../../src/bench/machine/cpu/cpu-kernel.ts";
import { bench, type FinishedBench } from "../../src/bench/bench.ts";
import { describePayload } from "../../src/core/report/payload-report.ts";
import { scoreParts } from "../../src/core/report/parts.ts";
import { ReportPayload } from "../../src/core/report/payload.ts";
import { median } from "../../src/core/statistics/order.ts";
import { conditionWords } from "../../src/dashboard/words/reports.ts";
import { compiled, fio, numbersOf, outputOf } from "./machine-baselines.ts";

// Runs of `bench` on this machine as it is, and beside programs that use it. A run that is wrong has no score.
// A shared machine is not always as fast, so the same kernel in C, and fio, say how fast it was around a quiet run.

const folder = mkdtempSync(join("dist", "tickmark-busy-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** As long as what is published; a third has `--quick`. */
const length = Number(process.env["BENCH_LENGTH"] ?? 1);
const tests = ["cpu_single_core", "cpu_multi_core", "disk_sequential", "disk_random_4k"];
const keys = ["single_core", "multi_core", "disk"] as const;
/** What may be published is not wrong by more than this share. */
const mostWrong = 0.1;

/** How fast the machine is now by programs of others, in any unit; null where one is missing. */
type Anchors = Readonly<Record<(typeof keys)[number], number | null>>;

const timed = ["--bs=4k", "--time_based", "--runtime=3"];

/** The figures of fio as our formula of the disk's score takes them. */
function fioScore(payload: ReportPayload): number | null {
  const file = join(folder, "fio");
  const write = fio("write", file, "--bs=1M", "--end_fsync=1");
  const read = fio("read", file, "--bs=1M");
  const random = fio("randread", file, ...timed);
  if (!write || !read || !random) return null;
  const theirs: Readonly<Record<string, object>> = {
    disk_sequential: { read_mb_s: read.mbS, write_mb_s: write.mbS },
    disk_random_4k: { read_iops: random.iops, read_p99_ms: random.p99Ms },
  };
  const tests = payload.tests.map((test) => ({
    ...test,
    metrics: { ...test.metrics, ...theirs[test.test_id] },
  }));
  return scoreParts({ ...payload, tests }).disk;
}

const native = compiled("cpu", folder);
const anchorSeconds = 4;

/**
 * Rounds of the kernel per CPU second, of as many processes at once together. A prime test such as sysbench's does not
 * notice that two processors are one core of the host; work with memory does.
 */
function kernelRate(processes: number): number | null {
  if (native === null) return null;
  const one = `${native} ${roundsInBatch} ${anchorSeconds}`;
  const output = outputOf(
    "sh",
    "-c",
    `${Array.from({ length: processes }, () => `${one} &`).join(" ")} wait`,
  );
  const lines = output?.trim().split("\n") ?? [];
  return lines.reduce((sum, line) => sum + (numbersOf(line)[1] ?? Number.NaN), 0);
}

const anchorsNow = (payload: ReportPayload): Anchors => ({
  single_core: kernelRate(1),
  multi_core: kernelRate(availableParallelism()),
  disk: fioScore(payload),
});

const run = (measuredBy: "wall_time" | "cpu_time" = "wall_time"): Promise<FinishedBench> =>
  bench({
    mode: measuredBy === "wall_time" ? "standard" : "custom",
    measuredBy,
    tests: measuredBy === "wall_time" ? tests : tests.slice(0, 2),
    length,
    directory: folder,
    game: null,
    leavesMemory: false,
    version: "tickmark-bench 0.0.0",
    jobNonce: null,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onFinished: () => undefined,
    log: () => undefined,
  });

type Scores = Anchors;

/** Mean of what was measured before a run and after it, in the same unit. */
const meanOf = (before: Anchors, after: Anchors, key: (typeof keys)[number]): number | null => {
  const [first, second] = [before[key], after[key]];
  return first === null || second === null ? null : (first + second) / 2;
};

/** Prints a run, and returns its scores: null for all where the run is not to be published. */
function shown(what: string, { report, busiest }: FinishedBench): Scores {
  const payload = ReportPayload.parse(report);
  const { scores, sub_scores, conditions } = describePayload(payload).report;
  const all = { ...scores, ...sub_scores };
  const perCpu = payload.tests.slice(0, 2).map(({ metrics }) => Number(metrics?.["ops_per_cpu_second"]));
  const result =
    all.hardware === null
      ? `NO SCORES: ${conditions === null ? "custom" : conditionWords(conditions).join(" ")}`
      : keys.map((key) => `${key} ${all[key]}`).join(", ");
  const others = busiest.map(({ name, cpuPercent }) => `${name} ${cpuPercent} %`).join(", ");
  console.log(
    `${what}: ${result}; operations per CPU second ${perCpu.map((each) => Math.round(each)).join(" and ")}; others ${conditions?.other_cpu_percent} % of a core (${others}), pressure ${conditions?.cpu_pressure_percent} %; load ${loadavg()[0]?.toFixed(2)}`,
  );
  return { single_core: all.single_core, multi_core: all.multi_core, disk: all.disk };
}

/** A program that no process of this one started, as those of other people are; ended after `work`. */
async function beside<T>(scripts: readonly string[], work: () => Promise<T>): Promise<T> {
  const pids = scripts.map((script) =>
    Number(
      execFileSync("sh", ["-c", `setsid sh -c '${script}' >/dev/null 2>&1 & echo $!`], { encoding: "utf8" }),
    ),
  );
  try {
    return await work();
  } finally {
    // Each leads a group of its own.
    for (const pid of pids) process.kill(-pid, "SIGKILL");
  }
}

const loopAt = (nice: number): string => `exec nice -n ${nice} sh -c "while :; do :; done"`;
const busyDisk = `while :; do dd if=/dev/zero of=${join(folder, "others")} bs=1M count=512 oflag=direct conv=notrunc; done`;

it("what is published of a busy machine is right to a tenth, or nothing is", async () => {
  const quiet: Scores[] = [];
  const anchors: Scores[] = [];
  const warm = await run();
  const payload = ReportPayload.parse(warm.report);
  let before = anchorsNow(payload);
  for (let number = 1; number <= 6; number += 1) {
    quiet.push(shown(`quiet ${number}`, await run()));
    const after = anchorsNow(payload);
    const means = keys.map((key) => [key, meanOf(before, after, key)] as const);
    anchors.push(Object.fromEntries(means) as Scores);
    console.log(
      `the machine then: ${means.map(([key, mean]) => `${key} ${mean?.toFixed(0) ?? "?"}`).join(", ")}`,
    );
    before = after;
  }
  const medianIn = (all: readonly Scores[], key: (typeof keys)[number]): number | null => {
    const known = all.flatMap((scores) => scores[key] ?? []);
    return known.length === 0 ? null : median(known);
  };
  const usual = keys.map((key) => medianIn(quiet, key));
  /** What a quiet run would say if it followed the machine as the programs of others do. */
  const rightIn = (run: number): (number | null)[] =>
    keys.map((key, index) => {
      const [then, always, score] = [anchors[run]?.[key], medianIn(anchors, key), usual[index]];
      return then && always && score ? (score * then) / always : (score ?? null);
    });
  const wrong: string[] = [];
  const check = (what: string, scores: Scores, expected = usual): void => {
    for (const [index, key] of keys.entries()) {
      const [score, right] = [scores[key], expected[index] ?? null];
      if (score && right && Math.abs(score - right) / right > mostWrong)
        wrong.push(`${what}: ${key} ${score}, right ${right.toFixed(0)}`);
    }
  };
  for (const [index, scores] of quiet.entries()) check(`quiet ${index + 1}`, scores, rightIn(index));
  const scenarios: readonly (readonly [string, readonly string[]])[] = [
    ["one busy loop", [loopAt(0)]],
    ["two busy loops", [loopAt(0), loopAt(0)]],
    ["one busy loop at nice 10", [loopAt(10)]],
    ["two busy loops at nice 10", [loopAt(10), loopAt(10)]],
    ["a busy disk", [busyDisk]],
  ];
  for (const [what, scripts] of scenarios)
    check(what, await beside(scripts, async () => shown(`beside ${what}`, await run())));
  const niceness = getPriority();
  await beside([loopAt(0), loopAt(0)], async () => {
    shown("by CPU time beside two busy loops", await run("cpu_time"));
    // Without more rights a process cannot go back, so this comes last.
    setPriority(Math.max(niceness, 10));
    check("at nice 10", shown("at nice 10 beside two busy loops", await run()));
  });
  console.log(wrong.length === 0 ? "nothing published is wrong by more than 10 %" : wrong.join("\n"));
  expect(wrong).toEqual([]);
}, 1_800_000);
