import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGroups, parseMounts, parseThrottling, readLimits } from "../../src/linux/cgroup.ts";
import { cgroupSource } from "../../src/agent/sources/cgroup.ts";
import { anyText, machineTree } from "./machine-tree.ts";

const pid = 42;
const server = { pid, startTicks: 1000, java: true, arguments: [] };
const install = { findProcess: async () => server };
const gib = 1024 ** 3;
const never = new AbortController().signal;
const hourMs = 3600 * 1000;

/** A host with systemd and Docker on cgroup v2: limits on the container's scope and on the slice around it. */
const unified = {
  "proc/self/mountinfo":
    "25 30 0:23 / /proc rw - proc proc rw\n29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
  "proc/meminfo": "MemTotal:       16777216 kB\nMemFree:         1 kB\n",
  [`proc/${pid}/cgroup`]: "0::/games.slice/docker-5f3a.scope\n",
  "sys/fs/cgroup/games.slice/memory.max": "max\n",
  "sys/fs/cgroup/games.slice/cpu.max": "300000 100000\n",
  "sys/fs/cgroup/games.slice/cpu.stat": "usage_usec 1\nnr_periods 10\nnr_throttled 0\nthrottled_usec 0\n",
  "sys/fs/cgroup/games.slice/docker-5f3a.scope/memory.max": "4294967296\n",
  "sys/fs/cgroup/games.slice/docker-5f3a.scope/memory.current": `${4 * gib - 1}\n`,
  "sys/fs/cgroup/games.slice/docker-5f3a.scope/memory.stat": `anon 1\ninactive_anon 7\ninactive_file ${gib - 1}\nactive_file 9\n`,
  "sys/fs/cgroup/games.slice/docker-5f3a.scope/cpu.max": "150000 100000\n",
  "sys/fs/cgroup/games.slice/docker-5f3a.scope/cpu.stat":
    "usage_usec 9\nuser_usec 5\nnr_periods 1000\nnr_throttled 100\nthrottled_usec 7\n",
};

/** The same on cgroup v1, with the CPU controllers mounted together, as Docker sets them up. */
const legacy = {
  "proc/self/mountinfo":
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
  "proc/meminfo": "MemTotal:       16777216 kB\n",
  [`proc/${pid}/cgroup`]:
    "9:name=systemd:/docker/5f3a\n4:memory:/docker/5f3a\n1:cpu,cpuacct:/docker/5f3a\n0::/\n",
  "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
  "sys/fs/cgroup/memory/docker/memory.limit_in_bytes": "6442450944\n",
  "sys/fs/cgroup/memory/docker/memory.usage_in_bytes": `${6 * gib}\n`,
  "sys/fs/cgroup/memory/docker/memory.stat": `inactive_file 0\ntotal_inactive_anon 3\ntotal_inactive_file ${gib}\n`,
  "sys/fs/cgroup/memory/docker/5f3a/memory.limit_in_bytes": "9223372036854771712\n",
  "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
  "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
  "sys/fs/cgroup/cpu,cpuacct/docker/5f3a/cpu.cfs_quota_us": "250000\n",
  "sys/fs/cgroup/cpu,cpuacct/docker/5f3a/cpu.cfs_period_us": "100000\n",
  "sys/fs/cgroup/cpu,cpuacct/docker/5f3a/cpu.stat": "nr_periods 400\nnr_throttled 3\nthrottled_time 12345\n",
};

describe("control groups", () => {
  it("[OUR-AGH-06] version 2: the least limit on the way up counts, memory and CPU apart", async () => {
    expect(await readLimits(machineTree(unified), pid)).toEqual({
      memoryBytes: 4 * gib,
      memorySlows: false,
      memoryUsedBytes: 3 * gib,
      cpuCores: 1.5,
      throttling: { periods: 1000, throttledPeriods: 100, throttledMs: 0.007 },
    });
  });

  it("[OUR-AGH-06] version 1: each controller has its own tree, and a limit of 2^63 is none", async () => {
    expect(await readLimits(machineTree(legacy), pid)).toEqual({
      memoryBytes: 6 * gib,
      memorySlows: false,
      memoryUsedBytes: 5 * gib,
      cpuCores: 2.5,
      throttling: { periods: 400, throttledPeriods: 3, throttledMs: 0.012345 },
    });
  });

  it("[OUR-AGH-06] inside a container: its own group is the root of what is mounted", async () => {
    const inside = machineTree({
      ...unified,
      [`proc/${pid}/cgroup`]: "0::/\n",
      "sys/fs/cgroup/memory.max": "2147483648\n",
      "sys/fs/cgroup/cpu.max": "max 100000\n",
    });
    expect(await readLimits(inside, pid)).toEqual({
      memoryBytes: 2 * gib,
      memorySlows: false,
      memoryUsedBytes: null,
      cpuCores: null,
      throttling: null,
    });
    const mountedPart = machineTree({
      ...legacy,
      "proc/self/mountinfo": "35 31 0:32 /docker/5f3a /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n",
    });
    expect((await readLimits(mountedPart, pid)).memoryBytes).toBe(gib);
  });

  it("[OUR-AGH-06] a container beside this one is looked at through its own root", async () => {
    const beside = machineTree({
      ...unified,
      [`proc/${pid}/cgroup`]: "0::/../docker-77.scope\n",
      [`proc/${pid}/root/sys/fs/cgroup/memory.max`]: "3221225472\n",
    });
    expect((await readLimits(beside, pid)).memoryBytes).toBe(3 * gib);
  });

  it("[OUR-AGH-06] a limit the machine's memory does not reach is none", async () => {
    const root = machineTree({ ...unified, "proc/meminfo": "MemTotal:        4194304 kB\n" });
    expect(await cgroupSource(install, root).read(0, never)).toEqual({});
    const large = await cgroupSource(install, machineTree(unified)).read(0, never);
    expect(large.measured).toEqual({ container_limit_mb: 4096, container_used_mb: 3072 });
  });

  it("[OUR-AGT-260] what is used is told of the group with the limit, and not guessed", async () => {
    const old = await cgroupSource(install, machineTree(legacy)).read(0, never);
    expect(old.measured).toEqual({ container_limit_mb: 6144, container_used_mb: 5120 });
    const uncounted = {
      ...unified,
      "sys/fs/cgroup/games.slice/docker-5f3a.scope/memory.current": "many\n",
    };
    const without = await cgroupSource(install, machineTree(uncounted)).read(0, never);
    expect(without.measured).toEqual({ container_limit_mb: 4096 });
  });

  it("[OUR-AGT-262] MemoryHigh is a limit, and `agent check` says that it slows", async () => {
    const scope = "sys/fs/cgroup/games.slice/docker-5f3a.scope";
    const slowed = machineTree({ ...unified, [`${scope}/memory.high`]: `${3.5 * gib}\n` });
    expect(await readLimits(slowed, pid)).toMatchObject({ memoryBytes: 3.5 * gib, memorySlows: true });
    const source = cgroupSource(install, slowed);
    expect((await source.read(0, never)).measured).toMatchObject({ container_limit_mb: 3584 });
    expect((await source.check(never))[0]?.says).toBe(
      "The kernel slows the server down from 3584 MB on (MemoryHigh).",
    );
    for (const high of ["max", `${5 * gib}`]) {
      const root = machineTree({ ...unified, [`${scope}/memory.high`]: `${high}\n` });
      expect(await readLimits(root, pid)).toMatchObject({ memoryBytes: 4 * gib, memorySlows: false });
    }
    const highOnly = { ...unified, [`${scope}/memory.max`]: "max\n", [`${scope}/memory.high`]: `${gib}\n` };
    expect(await readLimits(machineTree(highOnly), pid)).toMatchObject({
      memoryBytes: gib,
      memorySlows: true,
    });
  });

  it("[OUR-AGH-07] throttling is reported once an hour, from 5 % of the periods on", async () => {
    const root = machineTree(unified);
    const source = cgroupSource(install, root);
    const stat = join(root, "sys/fs/cgroup/games.slice/docker-5f3a.scope/cpu.stat");
    const events = async (periods: number, throttled: number, now: number) => {
      writeFileSync(stat, `nr_periods ${periods}\nnr_throttled ${throttled}\n`);
      return (await source.read(now, never)).events ?? [];
    };
    expect(await events(1000, 900, 0)).toEqual([]);
    expect(await events(1300, 914, 30_000)).toEqual([]);
    expect(await events(1600, 929, 60_000)).toMatchObject([
      {
        type: "cpu_throttled",
        severity: "warning",
        metadata: { throttled_periods_percent: 5, cpu_quota_cores: 1.5 },
      },
    ]);
    expect(await events(1900, 1200, 90_000)).toEqual([]);
    expect(await events(2200, 1500, 60_000 + hourMs)).toHaveLength(1);
  });

  it("[OUR-AGH-06] this machine's own groups can be read", async () => {
    const own = await readLimits("/", process.pid);
    expect(own.memoryBytes === null || own.memoryBytes > 0).toBe(true);
    expect(own.cpuCores === null || own.cpuCores > 0).toBe(true);
  });

  it("[OUR-AGH-16] any text is read", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        parseMounts(text);
        parseMounts(`1 2 3 ${text} - cgroup2 x ${text}`);
        parseGroups(text);
        parseThrottling(text);
        parseThrottling(`nr_periods ${text}`);
      }),
    );
  });
});
