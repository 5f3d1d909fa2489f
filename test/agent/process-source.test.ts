import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseMachineCpu } from "../../src/linux/machine-cpu.ts";
import { machineStartOf, parseStat, parseStatus, readStat } from "../../src/linux/proc.ts";
import { machineSource } from "../../src/agent/sources/machine.ts";
import { processSource } from "../../src/agent/sources/process.ts";
import { anyText, machineStat, machineTree, put, statLine, statusText } from "./machine-tree.ts";

const never = new AbortController().signal;

/** Uses as much CPU as its input says, by the kernel's count, and answers with all it has used, ms. */
const burner = `
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
process.on("message", (ms) => { const until = used() + ms; while (used() < until); process.send(used()); });
globalThis.kept = Buffer.alloc(64 * 1024 * 1024, 1);
process.send(used());
`;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

async function burning(): Promise<{ child: ChildProcess; burn(ms: number): Promise<number> }> {
  const file = join(mkdtempSync(join(tmpdir(), "tickmark-burner-")), "burner.cjs");
  writeFileSync(file, burner);
  const child = fork(file, { execArgv: [] });
  children.push(child);
  await once(child, "message");
  return {
    child,
    burn: async (ms) => {
      const answer = once(child, "message") as Promise<[number]>;
      child.send(ms);
      return (await answer)[0];
    },
  };
}

/** What a reading gave, and between which moments it was made, ms. */
async function timed<T>(read: () => Promise<T>): Promise<{ is: T; from: number; until: number }> {
  const from = performance.now();
  return { is: await read(), from, until: performance.now() };
}

describe("a real process", () => {
  it("[OUR-AGH-05] its CPU is what it says itself that it used, as a share of all processors", async () => {
    const startedBefore = Date.now();
    const { child, burn } = await burning();
    const pid = child.pid ?? 0;
    const { startTicks } = (await readStat("/", pid)) ?? { startTicks: 0 };
    const findProcess = async () => ({ pid, startTicks, java: false, arguments: [] });
    const [source, machine] = [processSource({ findProcess }), machineSource()];
    const read = async () => ({
      own: await source.read(Date.now(), never),
      all: await machine.read(Date.now(), never),
    });
    const usedBefore = await burn(1);
    const first = await timed(read);
    expect(first.is.own.measured?.cpu_usage).toBeUndefined();
    expect(first.is.all.measured).toEqual({ cpu_cores: availableParallelism() });
    const usedMs = (await burn(900)) - usedBefore;
    const second = await timed(read);
    // Each reading was made at some moment while it was waited for: on a busy machine that leaves room for the share.
    const shareOf = (elapsedMs: number): number => (100 * usedMs) / (elapsedMs * availableParallelism());
    const [least, most] = [shareOf(second.until - first.from), shareOf(second.from - first.until)];
    const share = second.is.own.measured?.cpu_usage ?? -1;
    const busy = second.is.all.measured?.cpu_system ?? -1;
    console.log(
      `burned ${usedMs} ms: ${least.toFixed(1)} to ${most.toFixed(1)} %, read as ${share} %, machine ${busy} %`,
    );
    expect(share).toBeGreaterThan(0.9 * least - 2);
    expect(share).toBeLessThan(1.1 * most + 2);
    expect(busy).toBeGreaterThan(0.9 * least - 2);
    expect(busy).toBeLessThanOrEqual(100);
    expect(second.is.own.measured?.rss_mb).toBeGreaterThan(64);
    expect(second.is.own.measured?.rss_mb).toBeLessThan(400);
    const age = Date.now() - (second.is.own.bootedAt ?? 0);
    expect(age).toBeGreaterThan(usedMs - 1500);
    expect(second.is.own.bootedAt).toBeGreaterThan(startedBefore - 1500);
    expect(second.is.own.bootedAt).toBe(first.is.own.bootedAt);
  });
});

describe("a recorded machine", () => {
  const running = (pid: number, startTicks: number) => ({ pid, startTicks, java: true, arguments: [] });

  it("[OUR-AGH-04] a number that was given again starts a new count", async () => {
    let server = running(7, 1000);
    const root = machineTree({
      "proc/stat": machineStat({ busy: 1000, idle: 1000 }),
      "proc/7/stat": statLine(7, { cpuTicks: 500 }),
      "proc/7/status": statusText(7, { rssKb: 2048 }),
    });
    const source = processSource({ findProcess: async () => server }, root);
    const first = await source.read(0, never);
    expect(first.measured).toEqual({ rss_mb: 2 });
    expect(first.bootedAt).toBe(1_700_000_000_000 + 10_000);
    put(root, "proc/stat", machineStat({ busy: 1300, idle: 1100 }));
    put(root, "proc/7/stat", statLine(7, { cpuTicks: 600 }));
    expect((await source.read(0, never)).measured).toEqual({ cpu_usage: 25, rss_mb: 2 });
    server = running(7, 2000);
    put(root, "proc/stat", machineStat({ busy: 1400, idle: 1400 }));
    put(root, "proc/7/stat", statLine(7, { cpuTicks: 900, startTicks: 2000 }));
    const other = await source.read(0, never);
    expect(other.measured?.cpu_usage).toBeUndefined();
    expect(other.bootedAt).toBe(1_700_000_000_000 + 20_000);
    server = running(7, 1000);
    await expect(source.read(0, never)).rejects.toThrow("ended");
  });

  it("[OUR-AGT-261] pages that are mapped three times count once, where the control group shows it", async () => {
    const kbIn = { mapped: 1_784_000, used: 640_000, pss: 626_000 };
    const rssOf = async ({
      mapped,
      used,
      pss,
    }: {
      mapped: number;
      used: number | null;
      pss: number | null;
    }) => {
      const root = machineTree({
        "proc/stat": machineStat({ busy: 1000, idle: 1000 }),
        "proc/7/stat": statLine(7),
        "proc/7/status": statusText(7, { rssKb: mapped }),
        ...(pss !== null && {
          "proc/7/smaps_rollup": `55-7f ---p 00 00:00 0 [rollup]\nRss:  ${mapped} kB\nPss:  ${pss} kB\nPss_Dirty: 1 kB\n`,
        }),
        ...(used !== null && {
          "proc/7/cgroup": "0::/game.service\n",
          "proc/self/mountinfo": "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
          "sys/fs/cgroup/game.service/memory.current": `${(used + 50_000) * 1024}\n`,
          "sys/fs/cgroup/game.service/memory.stat": `inactive_file ${50_000 * 1024}\n`,
        }),
      });
      const { measured } = await processSource({ findProcess: async () => running(7, 1000) }, root).read(
        0,
        never,
      );
      return measured?.rss_mb;
    };
    const mb = (kb: number): number => Math.round(kb / 1024);
    expect(await rssOf(kbIn)).toBe(mb(kbIn.pss));
    // Within a tenth, the quick figure is right.
    expect(await rssOf({ ...kbIn, used: 1_622_000 })).toBe(mb(kbIn.mapped));
    expect(await rssOf({ ...kbIn, used: 1_621_000 })).toBe(mb(kbIn.pss));
    // Nothing confirms it.
    expect(await rssOf({ ...kbIn, used: null })).toBe(mb(kbIn.pss));
    expect(await rssOf({ ...kbIn, used: null, pss: null })).toBe(mb(kbIn.mapped));
    // A process in a group with others may have less; none has more than its group.
    expect(await rssOf({ ...kbIn, used: 9_000_000, pss: null })).toBe(mb(kbIn.mapped));
    expect(await rssOf({ ...kbIn, pss: null })).toBeUndefined();
  });

  it("[OUR-AGH-05] the machine's share leaves out what was idle, waiting for disks included", async () => {
    const root = machineTree({ "proc/stat": "cpu  100 0 0 100 100 0 0 0 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n" });
    const source = machineSource(root);
    expect((await source.read(0, never)).measured).toEqual({ cpu_cores: 1 });
    put(root, "proc/stat", "cpu  150 10 20 190 130 5 5 10 3 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
    expect((await source.read(0, never)).measured).toEqual({ cpu_system: 45.45, cpu_cores: 1 });
    put(root, "proc/stat", "nothing\n");
    await expect(source.read(0, never)).rejects.toThrow("/proc/stat");
  });

  it("[OUR-AGH-15] a server that does not run is reported, with what to do", async () => {
    const source = processSource({ findProcess: async () => null });
    await expect(source.read(0, never)).rejects.toThrow("not running");
    expect(await source.check(never)).toMatchObject([{ able: false, about: "server's process" }]);
  });

  it("[OUR-AGH-16] a name with blanks and brackets moves no field, and any text is read", () => {
    expect(parseStat(statLine(7, { name: "a) b (java) S 1", cpuTicks: 5, startTicks: 9 }))).toMatchObject({
      name: "a) b (java) S 1",
      state: "S",
      cpuTicks: 5,
      startTicks: 9,
    });
    fc.assert(
      fc.property(anyText, (text) => {
        parseStat(`1 (${text}) S ${text}`);
        parseStatus(`Uid:\t${text}\nSigCgt:\t${text}`);
        parseMachineCpu(`cpu ${text}`);
        machineStartOf(`btime ${text}`);
      }),
    );
  });
});
