import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { HardwareBlock, HostBlock } from "../../src/core/report/payload-blocks.ts";
import { diskTypeOf, parseMounted } from "../../src/bench/machine/disk-type.ts";
import { readHardware } from "../../src/bench/machine/hardware.ts";
import { stealOf, watchHost, type CpuLook } from "../../src/bench/machine/host-watch.ts";
import { parseAllowed, readProcessors } from "../../src/bench/machine/processors.ts";
import { usableMemory } from "../../src/bench/machine/usable-memory.ts";
import { machineStat, machineTree, put } from "../agent/machine-tree.ts";

const pid = 42;
const mib = 1024 ** 2;

/** A container on cgroup v2 with 1.5 processors and 4 GiB, of which 1 GiB is in use, a quarter of it cached files. */
const container = {
  "proc/stat": machineStat({ busy: 100, idle: 900 }),
  "proc/meminfo": "MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable:    8388608 kB\n",
  "proc/self/mountinfo":
    "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n30 1 8:1 / / rw - ext4 /dev/sda1 rw\n",
  [`proc/${pid}/cgroup`]: "0::/one\n",
  [`proc/${pid}/status`]:
    "Name:\tnode\nVmSize:\t 1048576 kB\nVmData:\t 524288 kB\nCpus_allowed:\tff,0000000f\n",
  [`proc/${pid}/limits`]:
    "Limit                     Soft Limit           Hard Limit           Units     \nMax file size             unlimited            unlimited            bytes     \nMax data size             unlimited            unlimited            bytes     \nMax address space         unlimited            unlimited            bytes     \n",
  "sys/fs/cgroup/one/cpu.max": "150000 100000\n",
  "sys/fs/cgroup/one/cpu.stat": "usage_usec 9\nnr_periods 100\nnr_throttled 10\nthrottled_usec 5000000\n",
  "sys/fs/cgroup/one/memory.max": "4294967296\n",
  "sys/fs/cgroup/one/memory.current": "1073741824\n",
  "sys/fs/cgroup/one/memory.stat": "anon 1\ninactive_file 268435456\n",
};

it("[OUR-BCH-08] available processors are those of the mask, or the quota rounded up where it is less", async () => {
  expect(parseAllowed("Cpus_allowed:\tff,0000000f\n")).toBe(12);
  expect(parseAllowed("Cpus_allowed_list:\t0-3\n")).toBeNull();
  const root = machineTree(container);
  expect(await readProcessors(root, pid)).toEqual({ available: 2, allowed: 12, quotaCores: 1.5 });
  put(root, "sys/fs/cgroup/one/cpu.max", "3000000 100000\n");
  expect(await readProcessors(root, pid)).toEqual({ available: 12, allowed: 12, quotaCores: 30 });
  put(root, "sys/fs/cgroup/one/cpu.max", "20000 100000\n");
  expect(await readProcessors(root, pid)).toEqual({ available: 1, allowed: 12, quotaCores: 0.2 });
  put(root, "sys/fs/cgroup/one/cpu.max", "max 100000\n");
  expect(await readProcessors(root, pid)).toEqual({ available: 12, allowed: 12, quotaCores: null });
});

it("[OUR-BCH-09] a test may use half of the least memory that is left", async () => {
  const root = machineTree(container);
  expect(await usableMemory(root, pid)).toBe(((4096 - 768) / 2) * mib);
  put(root, "sys/fs/cgroup/one/memory.max", "max\n");
  expect(await usableMemory(root, pid)).toBe(4096 * mib);
  const limits = container[`proc/${pid}/limits`] ?? "";
  put(
    root,
    `proc/${pid}/limits`,
    limits.replace(/(Max address space +)unlimited/, (_, name: string) => `${name}${3072 * mib}`),
  );
  expect(await usableMemory(root, pid)).toBe(1024 * mib);
  put(
    root,
    `proc/${pid}/limits`,
    limits.replace(/(Max data size +)unlimited/, (_, name: string) => `${name}${1024 * mib}`),
  );
  expect(await usableMemory(root, pid)).toBe(256 * mib);
  const legacy = machineTree({
    ...container,
    "proc/self/mountinfo": "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
    [`proc/${pid}/cgroup`]: "4:memory:/one\n",
    "sys/fs/cgroup/memory/one/memory.limit_in_bytes": "2147483648\n",
    "sys/fs/cgroup/memory/one/memory.usage_in_bytes": "1073741824\n",
    "sys/fs/cgroup/memory/one/memory.stat": "inactive_file 1\ntotal_inactive_file 1073741824\n",
  });
  expect(await usableMemory(legacy, pid)).toBe(1024 * mib);
});

it("[OUR-BCH-10] steal is that of the run and of its worst ten seconds", () => {
  const look = (atMs: number, totalTicks: number, stealTicks: number): CpuLook => ({
    atMs,
    totalTicks,
    stealTicks,
  });
  // 200 ticks a second; the ten seconds from second 20 on lose a tenth.
  const looks = Array.from({ length: 41 }, (_, second) =>
    look(second * 1000, second * 200, Math.min(Math.max(second - 20, 0), 10) * 20),
  );
  expect(stealOf(looks)).toEqual({ avg: 2.5, max: 10 });
  expect(stealOf(looks.slice(18, 24))).toEqual({ avg: 6, max: 6 });
  expect(stealOf([])).toBeNull();
  expect(stealOf(looks.slice(0, 1))).toBeNull();
});

it("[OUR-BCH-10] throttling is what the counters gained; a counter that is not there is null", async () => {
  const root = machineTree(container);
  const watch = await watchHost(root, pid);
  put(
    root,
    "sys/fs/cgroup/one/cpu.stat",
    "usage_usec 9\nnr_periods 160\nnr_throttled 25\nthrottled_usec 5750000\n",
  );
  put(root, "proc/stat", machineStat({ busy: 200, idle: 1800 }));
  const { figures } = await watch.end();
  expect(figures).toMatchObject({
    steal_percent_avg: 0,
    steal_percent_max: 0,
    throttled_periods: 15,
    total_periods: 60,
    throttled_ms: 750,
    container_limit_mb: 4096,
  });
  expect(HostBlock.safeParse(figures).success).toBe(true);
  const nothing = await watchHost(machineTree({}), pid);
  const unknown = (await nothing.end()).figures;
  expect(Object.values(unknown)).toEqual(Array.from({ length: 8 }, () => null));
});

it("[OUR-BCH-11] hardware is read from files of the kernel", async () => {
  const topology = (index: number, core: number) => ({
    [`sys/devices/system/cpu/cpu${index}/topology/physical_package_id`]: "0\n",
    [`sys/devices/system/cpu/cpu${index}/topology/core_id`]: `${core}\n`,
  });
  const root = machineTree({
    ...container,
    "proc/cpuinfo":
      "processor\t: 0\nmodel name\t: AMD Ryzen 7   5700X 8-Core Processor\ncpu MHz\t\t: 2200.000\n",
    ...topology(0, 0),
    ...topology(1, 0),
    ...topology(2, 1),
    ...topology(3, 1),
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": "4662000\n",
  });
  expect(await readHardware("/", root, pid)).toEqual({
    cpu_name: "AMD Ryzen 7 5700X 8-Core Processor",
    cpu_cores: 2,
    cpu_threads: 4,
    available_processors: 2,
    cpu_quota_cores: 1.5,
    cpu_frequency_ghz: 4.66,
    ram_gb: 16,
    memory_limit_gb: 4,
    disk_type: "unknown",
  });
  expect(HardwareBlock.safeParse(await readHardware(tmpdir())).success).toBe(true);
});

it("[OUR-BCH-11] a folder's disk is the device below the innermost mount", async () => {
  const mounts = (type: string, device: string, source: string): string =>
    `30 1 8:1 / / rw - ext4 /dev/sda1 rw\n31 30 ${device} / ${tmpdir()} rw shared:1 - ${type} ${source} rw\n`;
  const typeWith = (mountInfo: string, files: Record<string, string | { to: string }>) =>
    diskTypeOf(tmpdir(), machineTree({ "proc/self/mountinfo": mountInfo, ...files }));
  expect(parseMounted(mounts("xfs", "259:1", "/dev/nvme0n1p1"), tmpdir())).toMatchObject({ type: "xfs" });
  expect(parseMounted(mounts("xfs", "259:1", "/dev/nvme0n1p1"), "/srv")).toMatchObject({ type: "ext4" });
  const disk = (name: string, turns: string) => ({
    [`sys/devices/${name}/queue/rotational`]: `${turns}\n`,
    [`sys/devices/${name}/${name}1/partition`]: "1\n",
    "sys/dev/block/259:1": { to: `../../devices/${name}/${name}1` },
  });
  const mounted = mounts("xfs", "259:1", "/dev/x1");
  expect(await typeWith(mounted, disk("nvme0n1", "0"))).toBe("nvme");
  expect(await typeWith(mounted, disk("sdb", "0"))).toBe("ssd");
  expect(await typeWith(mounted, disk("sdb", "1"))).toBe("hdd");
  expect(await typeWith(mounted, disk("vda", "1"))).toBe("unknown");
  const onQemu = { ...disk("sdb", "1"), "sys/devices/sdb/device/vendor": "QEMU    \n" };
  expect(await typeWith(mounted, onQemu)).toBe("unknown");
  const encrypted = {
    "sys/dev/block/259:1": { to: "../../devices/dm-0" },
    "sys/devices/dm-0/slaves/nvme0n1": { to: "../../nvme0n1" },
    "sys/devices/nvme0n1/queue/rotational": "0\n",
  };
  expect(await typeWith(mounted, encrypted)).toBe("nvme");
  expect(
    await typeWith(mounts("btrfs", "0:41", "/dev/sdb1"), {
      "sys/class/block/sdb1": { to: "../../devices/sdb/sdb1" },
      ...disk("sdb", "0"),
    }),
  ).toBe("ssd");
  expect(await typeWith(mounts("nfs4", "0:50", "host:/x"), {})).toBe("network");
  expect(await typeWith(mounts("overlay", "0:51", "overlay"), {})).toBe("unknown");
});
