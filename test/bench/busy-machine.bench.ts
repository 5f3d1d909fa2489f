import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { getPriority, loadavg, setPriority } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { bench, type FinishedBench } from "../../src/bench/bench.ts";
import { describePayload } from "../../src/core/report/payload-report.ts";
import { ReportPayload } from "../../src/core/report/payload.ts";
import { median } from "../../src/core/statistics/order.ts";
import { conditionWords } from "../../src/dashboard/words/reports.ts";

// Runs of `bench` on this machine as it is, and beside programs that use it. A run that is wrong has no score.

const folder = mkdtempSync(join("dist", "tickmark-busy-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A third of the usual length, as `--quick` has it; the mode is that of a run with scores. */
const length = 1 / 3;
const tests = ["cpu_single_core", "cpu_multi_core", "disk_sequential", "disk_random_4k"];
const keys = ["single_core", "multi_core", "disk"] as const;
/** What may be published is not wrong by more than this share. */
const mostWrong = 0.1;

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

type Scores = Readonly<Record<(typeof keys)[number], number | null>>;

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
  for (let pair = 1; pair <= 3; pair += 1)
    for (const each of ["a", "b"]) quiet.push(shown(`quiet ${pair}${each}`, await run()));
  const usual = keys.map((key) => {
    const known = quiet.flatMap((scores) => scores[key] ?? []);
    return known.length === 0 ? null : median(known);
  });
  const wrong: string[] = [];
  const check = (what: string, scores: Scores): void => {
    for (const [index, key] of keys.entries()) {
      const [score, right] = [scores[key], usual[index] ?? null];
      if (score && right && Math.abs(score - right) / right > mostWrong)
        wrong.push(`${what}: ${key} ${score}, quiet ${right}`);
    }
  };
  for (const [index, scores] of quiet.entries()) check(`quiet ${index}`, scores);
  const scenarios: readonly (readonly [string, readonly string[]])[] = [
    ["one busy loop", [loopAt(0)]],
    ["two busy loops", [loopAt(0), loopAt(0)]],
    ["one busy loop at nice 10", [loopAt(10)]],
    ["two busy loops at nice 10", [loopAt(10), loopAt(10)]],
    ["a busy disk", [busyDisk]],
  ];
  for (const [what, scripts] of scenarios)
    check(what, await beside(scripts, async () => shown(`beside ${what}`, await run())));
  const before = getPriority();
  await beside([loopAt(0), loopAt(0)], async () => {
    shown("by CPU time beside two busy loops", await run("cpu_time"));
    // Without more rights a process cannot go back, so this comes last.
    setPriority(Math.max(before, 10));
    check("at nice 10", shown("at nice 10 beside two busy loops", await run()));
  });
  console.log(wrong.length === 0 ? "nothing published is wrong by more than 10 %" : wrong.join("\n"));
  expect(wrong).toEqual([]);
}, 1_800_000);
