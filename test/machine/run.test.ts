import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { BenchContext, BenchTest } from "../../src/bench/bench-test.ts";
import { batchChecksum, doBatch } from "../../src/bench/machine/cpu/cpu-kernel.ts";
import { reasonOfEnd } from "../../src/bench/machine/host-refusal.ts";
import { startCpuKernel } from "../../src/bench/machine/kernels.ts";
import { machineTests } from "../../src/bench/machine/machine-tests.ts";
import { PayloadTest, testProblems } from "../../src/core/report/payload-test.ts";
import { builtFile } from "../../src/program/program-files.ts";
import { bundled } from "../support/bundled.ts";
import { whyNoSmallDisk } from "../support/small-disk.ts";
import { ownMsOf } from "../support/own-time.ts";

const mib = 1024 ** 2;
/** On the disk of the build: the folder for temporary files is in memory. */
const folder = mkdtempSync(join("dist", "tickmark-machine-"));
const oneTest = await bundled(join(import.meta.dirname, "one-test.ts"));
const fullDisk = await bundled(join(import.meta.dirname, "full-disk.ts"));
afterAll(() => {
  for (const script of [oneTest, fullDisk]) script.remove();
  rmSync(folder, { recursive: true });
});

const context = (changed: Partial<BenchContext> = {}): BenchContext => ({
  signal: new AbortController().signal,
  folder,
  length: 0.02,
  processors: 2,
  // The most that a test takes, on machines with the largest caches.
  memoryBytes: 1024 * mib,
  measuredBy: "wall_time",
  progress: () => {},
  ...changed,
});

const testOf = (id: string): BenchTest => {
  const found = machineTests.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no test ${id}.`);
  return found;
};

/** Numbers of the processes that this one started for a machine test. */
const testProcesses = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")
    .split(" ")
    .filter((pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("machine-test.js"))
    .map(Number);

describe("the kernels", () => {
  it("they are small, in the package, and a batch has its known checksum", () => {
    const at = builtFile("kernels");
    const kernels = readdirSync(at).filter((name) => name.endsWith(".wasm"));
    expect(kernels.toSorted()).toEqual(["cpu.wasm", "memory.wasm"]);
    expect(kernels.reduce((sum, name) => sum + statSync(join(at, name)).size, 0)).toBeLessThan(20_000);
    expect(batchChecksum).toBeGreaterThan(0);
    expect(doBatch(startCpuKernel())).toBe(true);
    const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
    expect(files).toContain("dist");
  });
});

describe("a machine test", () => {
  for (const id of ["cpu_single_core", "cpu_multi_core"])
    it(`[OUR-BCH-95] ${id} by CPU time has no speed by wall time`, async () => {
      // A slice in which a busy machine gave the threads no time shows nothing done; so short ones may be most of five.
      const result = await testOf(id).run(context({ measuredBy: "cpu_time", length: 0.15 }));
      expect(result).toMatchObject({ outcome: "success" });
      expect(result.metrics?.["ops_per_cpu_second"]).toBeGreaterThan(0);
      expect(result.metrics).not.toHaveProperty("ops_per_second");
    });

  for (const test of machineTests)
    it(`[OUR-BCH-02] ${test.id} answers what the payload takes`, async () => {
      const seen: number[] = [];
      const result = await test.run(context({ progress: (done) => seen.push(done) }));
      const payload = PayloadTest.parse({
        ...result,
        test_id: test.id,
        test_name: test.name,
        category: test.category,
        benchmark_mode: "custom",
        success: result.outcome === "success",
        duration_ms: 1,
      });
      expect(payload).toMatchObject({ outcome: "success", reason_code: null, host_limit: null });
      expect(testProblems(payload, "1.10.0")).toEqual([]);
      // These depend on what else this machine does.
      const ofMachine = new Set(["slice_spread_percent", "other_disk_percent"]);
      const witnesses = payload.witnesses.filter(({ key }) => !ofMachine.has(key));
      expect(witnesses.filter(({ expected, actual }) => actual !== expected)).toEqual([]);
      expect(witnesses.length).toBeGreaterThan(payload.flags?.["direct_io"] === false ? -1 : 0);
      expect(Object.keys({ ...payload.metrics }).some((key) => key.includes("cpu"))).toBe(
        payload.metrics?.["direct_io"] !== false,
      );
      expect(seen.filter((done) => done < 0 || done > 1)).toEqual([]);
      expect(readdirSync(folder)).toEqual([]);
    });

  it("[OUR-BCH-03] an abort ends each of them at once and leaves nothing", async () => {
    const { metrics } = await testOf("disk_random_4k").run(context());
    const long = machineTests.filter(({ id }) => id !== "disk_random_4k" || metrics?.["direct_io"] === true);
    expect(long.length).toBeGreaterThan(4);
    for (const test of long) {
      const controller = new AbortController();
      const reason = new Error("Enough.");
      const running = test.run(context({ length: 1, signal: controller.signal }));
      setTimeout(() => controller.abort(reason), 250);
      const ms = await ownMsOf(() => expect(running, test.id).rejects.toBe(reason));
      expect(ms, test.id).toBeLessThan(5000);
      expect(testProcesses()).toEqual([]);
      expect(readdirSync(folder)).toEqual([]);
    }
    await expect(testOf("cpu_single_core").run(context({ signal: AbortSignal.abort(7) }))).rejects.toBe(7);
  });

  it("[OUR-BCH-05] less memory makes a test smaller, too little skips it", async () => {
    const small = await testOf("memory_bandwidth").run(context({ memoryBytes: 48.5 * mib }));
    expect(small).toMatchObject({
      outcome: "success",
      host_limit: { setting: "memory", limit: 48, unit: "MB" },
      parameters: { size_mb: 48 },
    });
    const latency = await testOf("memory_latency").run(context({ memoryBytes: 96 * mib }));
    expect(latency).toMatchObject({ outcome: "success", host_limit: { limit: 96, needed: 256 } });
    for (const id of ["memory_bandwidth", "memory_latency", "cpu_multi_core"])
      expect(await testOf(id).run(context({ memoryBytes: 8 * mib })), id).toMatchObject({
        outcome: "skipped",
        reason_code: "memory_budget_refused",
      });
    const threads = await testOf("cpu_multi_core").run(context({ processors: 4, memoryBytes: 32 * mib }));
    expect(threads).toMatchObject({ metrics: { threads: 2 }, host_limit: { setting: "memory" } });
  });

  it("[OUR-BCH-12] a folder that is not there, and a process that is killed, are results", async () => {
    for (const id of ["disk_sequential", "disk_random_4k"])
      expect(await testOf(id).run(context({ folder: join(folder, "none") }))).toMatchObject({
        outcome: "skipped",
        reason_code: "folder_not_writable",
      });
    const running = testOf("cpu_single_core").run(context({ length: 1 }));
    for (const pid of testProcesses()) process.kill(pid, "SIGKILL");
    expect(await running).toMatchObject({ outcome: "failure", reason_code: "memory_budget_refused" });
  });
});

/** A test of the build in a shell that sets a limit first. */
const underLimit = (before: string, id: string, at = folder, shell: readonly string[] = ["sh"]) => {
  const [program = "sh", ...options] = shell;
  const script = `${before} && exec "$0" ${oneTest.path} ${id} ${at}`;
  const answer = execFileSync(program, [...options, "-c", script, process.execPath], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  return JSON.parse(answer) as Awaited<ReturnType<BenchTest["run"]>>;
};

describe("under limits of the host", () => {
  it("[OUR-BCH-12] a limit on the address space makes memory tests smaller, and the others run", () => {
    const print = `console.log(/VmSize:\\s+(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1])`;
    const engineKb = Number(execFileSync(process.execPath, ["-e", print], { encoding: "utf8" }));
    expect(engineKb).toBeGreaterThan(100_000);
    const limit = `ulimit -v ${engineKb + 450_000}`;
    expect(underLimit(limit, "cpu_single_core").outcome).toBe("success");
    const bandwidth = underLimit(limit, "memory_bandwidth");
    expect(bandwidth).toMatchObject({ outcome: "success", host_limit: { setting: "memory" } });
  });

  it("[OUR-BCH-12] a limit on the size of a file makes the file smaller", () => {
    expect(underLimit("ulimit -f 10000", "disk_sequential")).toMatchObject({
      outcome: "skipped",
      reason_code: "file_size_limit_reached",
    });
  });

  it.each([
    // What Node.js wrote under limits on threads of 12, 18 and 21, and under one on its heap.
    [
      "SIGABRT",
      "#  Assertion failed: (0) == (uv_thread_create(t.get(), start_thread, this))",
      "thread_limit_reached",
    ],
    ["SIGABRT", "node[11398]: pthread_create: Resource temporarily unavailable\n", "thread_limit_reached"],
    ["SIGABRT", "", "thread_limit_reached"],
    ["SIGABRT", "FATAL ERROR: Reached heap limit Allocation failed", "memory_budget_refused"],
    ["SIGTRAP", "# Fatal process out of memory: SegmentedTable::InitializeTable", "memory_budget_refused"],
    ["SIGKILL", "", "memory_budget_refused"],
    ["SIGSEGV", "", "test_crashed"],
    [null, "Error: The kernel has no export run.", "test_crashed"],
  ] as const)("[OUR-BCH-12] a process that %s ended with the words %j: %s", (signal, words, reason) => {
    expect(reasonOfEnd(signal, words, false)).toBe(reason);
    const underAddressLimit = reason === "thread_limit_reached" ? "memory_budget_refused" : reason;
    expect(reasonOfEnd(signal, words, true)).toBe(underAddressLimit);
  });

  const skip = whyNoSmallDisk() !== null;
  const ownMounts = ["unshare", "-rm", "sh"];
  it.skipIf(skip)("[OUR-BCH-06] in memory disguised as a disk there is no direct IO", () => {
    const mount = `mount -t tmpfs -o size=300m tmpfs ${folder}`;
    const random = underLimit(mount, "disk_random_4k", folder, ownMounts);
    expect(random).toMatchObject({ outcome: "success", metrics: { direct_io: false, read_iops: null } });
    const sequential = underLimit(mount, "disk_sequential", folder, ownMounts);
    expect(sequential).toMatchObject({ outcome: "success", flags: { direct_io: false } });
  });

  it.skipIf(skip)("[OUR-BCH-12] a disk with too little space, and one that is read-only, are results", () => {
    const mount = `mount -t tmpfs -o size=100m tmpfs ${folder}`;
    expect(underLimit(mount, "disk_sequential", folder, ownMounts)).toMatchObject({
      outcome: "skipped",
      reason_code: "disk_space_refused",
      host_limit: { setting: "disk_space", limit: 50, needed: 64, unit: "MB" },
    });
    // Another program fills the disk while the test writes its file.
    const filled = execFileSync(
      "unshare",
      ["-rm", "sh", "-c", `${mount} && exec "$0" ${fullDisk.path} ${folder}`, process.execPath],
      { encoding: "utf8" },
    );
    expect(JSON.parse(filled)).toEqual({ reason: "disk_space_refused", left: [] });
    const readOnly = `mount -t tmpfs -o size=300m,ro tmpfs ${folder}`;
    expect(underLimit(readOnly, "disk_random_4k", folder, ownMounts)).toMatchObject({
      outcome: "skipped",
      reason_code: "folder_not_writable",
    });
  });
});
