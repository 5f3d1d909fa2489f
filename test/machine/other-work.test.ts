import { spawn, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { expect, it } from "vitest";
import { watchDisk } from "../../src/bench/machine/disk/disk-watch.ts";
import { onlyDiskOf } from "../../src/bench/machine/disk-type.ts";
import {
  OtherPrograms,
  withDescendants,
  type ProcessTimes,
} from "../../src/bench/machine/others/process-times.ts";
import { parseAllowedList } from "../../src/bench/machine/processors.ts";
import { otherWorkBetween, watchOtherWork } from "../../src/bench/machine/others/watch-other-work.ts";
import { runTests } from "../../src/bench/run-tests.ts";
import { parseProgramTicks } from "../../src/linux/machine-cpu.ts";
import { parseStat } from "../../src/linux/proc.ts";
import { cpuStallMs } from "../../src/linux/pressure.ts";
import { machineTree, put, statLine } from "../agent/machine-tree.ts";

const pid = 42;

/** A count after so many seconds, in ticks. */
const count = (
  seconds: number,
  machine: readonly [user: number, kernel: number] | null,
  own: readonly [user: number, kernel: number] = [0, 0],
  stallMs: number | null = null,
) => ({
  atMs: seconds * 1000,
  machine: machine && { userTicks: machine[0], kernelTicks: machine[1] },
  own: { userTicks: own[0], kernelTicks: own[1] },
  stallMs,
});

it("[OUR-BCH-90] other work is what programs used of the machine, less the run's own part, in percent of one core", () => {
  const before = count(0, [1000, 500], [700, 100], 100);
  const after = count(10, [2300, 700], [1700, 150], 1100);
  // 1,500 ticks of 10 s, of which 1,050 and the error of the clocks are the run's: 444.75 of 1,000.
  expect(otherWorkBetween(before, after)).toEqual({
    cpuPercent: expect.closeTo(44.475, 6),
    userPercent: expect.closeTo(29.5, 6),
    stallPercent: 10,
  });
  // The kernel counts a busy program to a hundredth of a second: no more than the machine did is nothing.
  expect(otherWorkBetween(count(0, [0, 0]), count(10, [990, 0], [1000, 0])).cpuPercent).toBe(0);
});

it("[OUR-BCH-90] where the kernel does not count the machine's work, other work is not known", () => {
  expect(otherWorkBetween(count(0, null), count(10, null))).toEqual({
    cpuPercent: null,
    userPercent: null,
    stallPercent: null,
  });
  expect(otherWorkBetween(count(0, [0, 0]), count(10, [0, 0], [900, 20])).cpuPercent).toBeNull();
  expect(parseProgramTicks("intr 1 2 3\n", null)).toBeNull();
  expect(parseProgramTicks("cpu  one two three\n", null)).toBeNull();
});

it("[OUR-BCH-90] only the processors that the run may use are counted, without interrupts and stolen time", () => {
  const stat =
    "cpu  30 3 12 900 5 7 8 9 0 0\ncpu0 10 1 4 300 1 2 3 4 0 0\ncpu1 20 2 8 600 4 5 5 5 0 0\nbtime 9\n";
  expect(parseProgramTicks(stat, null)).toEqual({ userTicks: 33, kernelTicks: 12 });
  expect(parseProgramTicks(stat, new Set([1]))).toEqual({ userTicks: 22, kernelTicks: 8 });
  expect(parseProgramTicks(stat, new Set([7]))).toBeNull();
  expect(parseAllowedList("Cpus_allowed_list:\t0-2,8\n")).toEqual(new Set([0, 1, 2, 8]));
  expect(parseAllowedList("Cpus_allowed:\tff\n")).toBeNull();
});

/** `/proc/PID/stat` with the parent and the times of ended children. */
function statOf(child: number, parent: number, ticks: readonly number[], name = "node"): string {
  const [user = 0, kernel = 0, reapedUser = 0, reapedKernel = 0] = ticks;
  return statLine(child, { name })
    .replace(") S 1 ", `) S ${parent} `)
    .replace(" 0 0 0 0 20 0 ", ` ${user} ${kernel} ${reapedUser} ${reapedKernel} 20 0 `);
}

const statusOf = (list: string): string => `Name:\tnode\nCpus_allowed:\t3\nCpus_allowed_list:\t${list}\n`;

it("[OUR-BCH-90] the run's own part is that of its process and of all it started, also of what has ended", async () => {
  const root = machineTree({
    "proc/stat": "cpu  1000 0 500 9000 0 0 0 0 0 0\ncpu0 1000 0 500 9000 0 0 0 0 0 0\n",
    "proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=5000\nfull avg10=0.00 total=0\n",
    [`proc/${pid}/status`]: statusOf("0"),
    [`proc/${pid}/stat`]: statOf(pid, 1, [10, 5, 100, 50]),
    "proc/43/stat": statOf(43, pid, [20, 0]),
    "proc/44/stat": statOf(44, 43, [40, 0], "java"),
    "proc/77/stat": statOf(77, 1, [500, 0], "make"),
  });
  expect(await cpuStallMs(root)).toBe(5);
  const { begin, end, limitPercent } = await watchOtherWork(root, pid);
  expect(limitPercent).toBe(10);
  const endCount = await begin();
  const parsed = parseStat(statOf(pid, 1, [10, 5, 100, 50]));
  expect(parsed).toMatchObject({
    parentPid: 1,
    cpuTicks: 15,
    userTicks: 10,
    reapedTicks: 150,
    reapedUserTicks: 100,
  });
  // Process 43 ended, and its time is that of ended children now; all work of the machine is the run's.
  put(root, "proc/stat", "cpu  1200 0 500 9000 0 0 0 0 0 0\ncpu0 1200 0 500 9000 0 0 0 0 0 0\n");
  put(root, `proc/${pid}/stat`, statOf(pid, 1, [10, 5, 120, 50]));
  put(root, "proc/43/stat", "");
  put(root, "proc/44/stat", statOf(44, pid, [240, 0], "java"));
  expect(await endCount()).toMatchObject({ cpuPercent: 0, userPercent: 0, stallPercent: 0 });
  put(root, "proc/77/stat", statOf(77, 1, [9500, 0], "make"));
  put(root, "proc/stat", "cpu  10200 0 500 9000 0 0 0 0 0 0\ncpu0 10200 0 500 9000 0 0 0 0 0 0\n");
  const { work, busiest } = await end();
  expect(work.cpuPercent).toBeGreaterThan(100);
  expect(busiest.map(({ name }) => name)).toEqual(["make"]);
});

it("[OUR-BCH-91] pressure is the share of the time in which the kernel counted waiting programs", async () => {
  expect(otherWorkBetween(count(0, null, [0, 0], 500), count(4, null, [0, 0], 1500)).stallPercent).toBe(25);
  expect(otherWorkBetween(count(0, null, [0, 0], null), count(4, null, [0, 0], 9)).stallPercent).toBeNull();
  const line =
    "some avg10=0.00 avg60=0.00 avg300=0.00 total=234363607\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
  expect(await cpuStallMs(machineTree({ "proc/pressure/cpu": line }))).toBe(234_363.607);
  expect(await cpuStallMs(machineTree({}))).toBeNull();
});

it("[OUR-BCH-93] what a quota leaves to others is theirs to use", async () => {
  const root = machineTree({
    "proc/self/mountinfo": "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    [`proc/${pid}/cgroup`]: "0::/one\n",
    [`proc/${pid}/mountinfo`]: "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    [`proc/${pid}/status`]: "Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n",
    "sys/fs/cgroup/one/cpu.max": "150000 100000\n",
  });
  expect((await watchOtherWork(root, pid)).limitPercent).toBe(660);
  put(root, "sys/fs/cgroup/one/cpu.max", "1000000 100000\n");
  expect((await watchOtherWork(root, pid)).limitPercent).toBe(10);
});

const times = (each: number, parentPid: number, cpuTicks: number, name: string): ProcessTimes => ({
  pid: each,
  parentPid,
  name,
  state: "R",
  cpuTicks,
  userTicks: cpuTicks,
  reapedTicks: 0,
  reapedUserTicks: 0,
  startTicks: 5,
});

it("[OUR-BCH-94] the busiest programs are three at most, by name, and never the run itself", () => {
  const programs = new OtherPrograms();
  const escape = "\u001B[31mred\u202E\nline";
  const processes = (ticks: number): ProcessTimes[] => [
    times(pid, 1, ticks * 9, "node"),
    times(43, pid, ticks * 9, "node"),
    times(50, 1, 700 + ticks, "cc1plus"),
    times(51, 1, ticks, "cc1plus"),
    times(52, 1, ticks, escape),
    times(53, 1, ticks / 2, "x".repeat(90)),
    times(54, 1, ticks / 4, "sshd"),
    times(55, 1, 100, "idle"),
  ];
  for (const ticks of [0, 40, 400]) {
    const all = processes(ticks);
    programs.look(all, withDescendants(all, pid));
  }
  // A number that another program has now is another program.
  programs.look([{ ...times(50, 1, 4, "cc1plus"), startTicks: 9 }], new Set([pid]));
  expect(programs.busiest(3, 1000)).toEqual([
    { name: "cc1plus", cpuPercent: 80 },
    { name: "[31mred line", cpuPercent: 40 },
    { name: "x".repeat(40), cpuPercent: 20 },
  ]);
  expect(programs.busiest(3, 1_000_000)).toEqual([]);
});

const stats = (operations: number, sectors: number): string =>
  ` 253       0 vda 9 0 9 0 9 0 9 0 0 0 0 0 0 0 0 0 0\n 259       0 nvme0n1 ${operations} 3 ${sectors} 7 50 0 800 9 0 1 1 0 0 0 0 0 0\n 259       1 nvme0n1p1 1 0 1 0 1 0 1 0 0 0 0\n`;

it("[OUR-BCH-92] the disk's work is that of the one whole disk below the folder", async () => {
  const folder = tmpdir();
  const disk = "sys/devices/pci/nvme0n1";
  const root = machineTree({
    "proc/self/mountinfo": `30 1 253:3 / ${folder} rw - ext4 /dev/dm-3 rw\n`,
    "proc/diskstats": stats(100, 8000),
    [`${disk}/nvme0n1p1/partition`]: "1\n",
    "sys/devices/virtual/block/dm-3/size": "1\n",
  });
  put(root, "sys/dev/block/253:3", { to: join(root, "sys/devices/virtual/block/dm-3") });
  put(root, "sys/devices/virtual/block/dm-3/slaves/nvme0n1p1", { to: join(root, `${disk}/nvme0n1p1`) });
  expect(await onlyDiskOf(folder, root)).toBe("nvme0n1");
  const watch = await watchDisk(folder, root);
  put(root, "proc/diskstats", stats(350, 8400));
  expect(await watch.since()).toEqual({ operations: 250, bytes: 400 * 512 });
  expect(await watch.since()).toEqual({ operations: 0, bytes: 0 });
  // Of several disks, nobody can say which part of their work is the test's.
  put(root, "sys/devices/pci/sda/size", "1\n");
  put(root, "sys/devices/virtual/block/dm-3/slaves/sda", { to: join(root, "sys/devices/pci/sda") });
  expect(await onlyDiskOf(folder, root)).toBeNull();
  expect(await (await watchDisk(folder, root)).since()).toBeNull();
  expect(await onlyDiskOf(folder, machineTree({}))).toBeNull();
});

/** A busy loop that no process of this one started: its parent ends first. */
function strangeLoop(): { readonly pid: number; ticks(): number; stop(): void } {
  const script = `"$0" -e 'for(;;){}' >/dev/null 2>&1 & echo $!`;
  const loop = Number(execFileSync("sh", ["-c", script, process.execPath], { encoding: "utf8" }));
  return {
    pid: loop,
    ticks: () => parseStat(readFileSync(`/proc/${loop}/stat`, "utf8"))?.cpuTicks ?? 0,
    stop: () => process.kill(loop, "SIGKILL"),
  };
}

const usedTicks = async (loop: { ticks(): number }, wanted: number): Promise<void> => {
  for (const from = loop.ticks(); loop.ticks() - from < wanted;) await after(20);
};

it("[OUR-BCH-93] a test beside a real busy loop is not judged", async () => {
  const loop = strangeLoop();
  try {
    const run = async () => {
      await usedTicks(loop, 40);
      return { outcome: "success", metrics: { ops_per_second: 24_145 } } as const;
    };
    const [result] = await runTests([{ id: "one", name: "One", category: "cpu", seconds: 1, run }], {
      mode: "standard",
      measuredBy: "wall_time",
      signal: new AbortController().signal,
      folder: mkdtempSync(join(tmpdir(), "tickmark-other-work-")),
      length: 1,
      processors: 1,
      memoryBytes: 0,
      pauseMs: 0,
      // However slow this machine is, the loop gets more than a thousandth of a core.
      watch: { ...(await watchOtherWork("/", process.pid)), limitPercent: 0.1 },
      onProgress: () => undefined,
      onFinished: () => undefined,
      log: () => undefined,
    });
    expect(result).toMatchObject({
      outcome: "skipped",
      reason_code: "machine_busy",
      metrics: { ops_per_second: 24_145 },
    });
  } finally {
    loop.stop();
  }
});

it("[OUR-BCH-90] a busy loop counts to the run that started it, and to no other", async () => {
  const loop = spawn(process.execPath, ["-e", "for(;;){}"], { stdio: "ignore" });
  // A run that does nothing: to it, the loop is a stranger.
  const idle = spawn("sleep", ["600"], { stdio: "ignore" });
  try {
    const ticks = (): number => parseStat(readFileSync(`/proc/${loop.pid}/stat`, "utf8"))?.cpuTicks ?? 0;
    const [mine, strange] = [
      await watchOtherWork("/", process.pid),
      await watchOtherWork("/", idle.pid ?? 0),
    ];
    const [endMine, endStrange] = [await mine.begin(), await strange.begin()];
    const [from, fromMs] = [ticks(), performance.now()];
    await usedTicks({ ticks }, 100);
    const used = ticks() - from;
    const seconds = (performance.now() - fromMs) / 1000;
    const [own, others] = [await endMine(), await endStrange()];
    expect(own.cpuPercent).not.toBeNull();
    // Percent of a core times seconds are ticks. What other programs did is in both.
    expect(((others.cpuPercent ?? 0) - (own.cpuPercent ?? 0)) * seconds).toBeGreaterThan(used * 0.7);
  } finally {
    const ended = [loop, idle].map((child) => once(child, "exit"));
    loop.kill("SIGKILL");
    idle.kill("SIGKILL");
    await Promise.all(ended);
  }
});
