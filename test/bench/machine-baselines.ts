import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { median } from "../../src/core/statistics/order.ts";

/** Runs a program and answers what it prints; null where it is missing, which is said once. */
export function outputOf(program: string, ...options: string[]): string | null {
  try {
    return execFileSync(program, options, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      console.log(`*** LEFT OUT: there is no ${program} here`);
      return null;
    }
    throw error;
  }
}

/** A program compiled from `test/bench/native`; null without a compiler. */
export function compiled(name: string, folder: string): string | null {
  const program = join(folder, name);
  const source = `test/bench/native/${name}.c`;
  const options = ["-O2", "-march=native", "-ffp-contract=off", "-o", program, source, "-lm"];
  return outputOf("gcc", ...options) === null ? null : program;
}

/** Numbers that a program prints in one line. */
export const numbersOf = (text: string): number[] => text.trim().split(/\s+/).map(Number);

const digits = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 4 });

/** Prints medians of both sides, their ratio, and the range that it should be in. */
export function printRatio(
  what: string,
  ours: readonly number[],
  theirs: readonly number[],
  [from, to]: readonly [number, number],
): void {
  const ratio = median(ours) / median(theirs);
  const verdict = ratio >= from && ratio <= to ? "within" : "OUTSIDE";
  console.log(
    `${what}: ours ${digits(median(ours))}, theirs ${digits(median(theirs))}, ratio ${ratio.toFixed(3)} (${verdict} ${from} to ${to}; ${ours.length} rounds; load ${loadavg()[0]?.toFixed(2)})`,
  );
}

/** Where Debian keeps the programs of lmbench, which are not on the search path. */
const lmbenchFolder = "/usr/lib/lmbench/bin/x86_64-linux-gnu";

/**
 * The latency of a chase through 256 MiB in random order by lmbench, 64-byte lines, ns; null where there is no lmbench,
 * which is said.
 */
export function lmbenchLatency(): number | null {
  const program = join(lmbenchFolder, "lat_mem_rd");
  if (!existsSync(program)) {
    console.log("*** LEFT OUT: there is no lat_mem_rd here");
    return null;
  }
  // It tells of its sizes on the error stream, the largest last: MB and ns.
  const { stderr } = spawnSync(program, ["-P", "1", "-N", "1", "-t", "256", "64"], { encoding: "utf8" });
  const [size, nanoseconds] = numbersOf(stderr.trim().split("\n").at(-1) ?? "");
  if (size !== 256 || nanoseconds === undefined) throw new Error(`lat_mem_rd said: ${stderr.slice(-200)}`);
  return nanoseconds;
}

/** Standard deviation as a share of the mean, percent. */
export function variation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return (100 * Math.sqrt(square)) / mean;
}

/** Operations a second of sysbench's processor test; null where there is none. */
export function sysbenchRate(threads: number, seconds: number): number | null {
  const output = outputOf("sysbench", "cpu", `--threads=${threads}`, `--time=${seconds}`, "run");
  const [, rate] = /events per second:\s+([\d.]+)/.exec(output ?? "") ?? [];
  return rate === undefined ? null : Number(rate);
}

interface FioSide {
  readonly bw_bytes: number;
  readonly iops: number;
  readonly clat_ns: { readonly percentile?: Readonly<Record<string, number>> };
}

/** One run of fio on a file; null where there is none. */
export function fio(rw: "write" | "read" | "randread" | "randwrite", file: string, ...options: string[]) {
  const common = ["--name=one", `--filename=${file}`, "--size=1G", "--direct=1", "--ioengine=psync"];
  const output = outputOf("fio", ...common, `--rw=${rw}`, ...options, "--output-format=json");
  if (output === null) return null;
  const { jobs } = JSON.parse(output.slice(output.indexOf("{"))) as {
    jobs: { read: FioSide; write: FioSide }[];
  };
  const side = jobs[0]?.[rw.endsWith("read") ? "read" : "write"];
  if (side === undefined) throw new Error("fio printed no job.");
  const { bw_bytes: bytes, iops, clat_ns: latency } = side;
  return { mbS: bytes / 1e6, iops, p99Ms: (latency.percentile?.["99.000000"] ?? Number.NaN) / 1e6 };
}

/** Runs a command with a share of one processor, by a control group of version 1 or 2; null where none can be made. */
export function withQuota(share: number, program: string, ...options: string[]): string | null {
  const isUnified = !existsSync("/sys/fs/cgroup/cpu");
  const group = join(isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu", `tickmark-bench-${process.pid}`);
  try {
    mkdirSync(group);
    const period = 100_000;
    if (isUnified) writeFileSync(join(group, "cpu.max"), `${period * share} ${period}`);
    else writeFileSync(join(group, "cpu.cfs_quota_us"), String(period * share));
  } catch {
    console.log("*** LEFT OUT: no control group can be made here");
    if (existsSync(group)) rmdirSync(group);
    return null;
  }
  try {
    const script = `echo $$ > ${group}/cgroup.procs && exec "$0" "$@"`;
    return execFileSync("sh", ["-c", script, program, ...options], { encoding: "utf8" });
  } finally {
    const left = readFileSync(join(group, "cgroup.procs"), "utf8");
    if (left === "") rmdirSync(group);
  }
}
