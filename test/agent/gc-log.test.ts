import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGcLine } from "../../src/agent/gc/gc-lines.ts";
import { gcLogOf, gcLogPattern } from "../../src/agent/gc/gc-log-path.ts";
import { GcTally } from "../../src/agent/gc/gc-tally.ts";
import { gcLogSource } from "../../src/agent/sources/gc-log.ts";
import { sharedData } from "../support/shared-data.ts";
import { anyText, machineTree, put, statusText } from "./machine-tree.ts";
import { processorMs, undisturbedMs } from "../support/processor-time.ts";

const never = new AbortController().signal;
const mb = 1024 * 1024;

const tallyOf = (lines: readonly string[]): GcTally => {
  const tally = new GcTally();
  for (const line of lines) tally.add(line);
  return tally;
};

const recordedG1 = sharedData("runs/sample-ujl-g1-gc-all,safepoint,os+cpu.txt");
const recordedZ = sharedData("runs/sample-ujl-zgc-gc-default.txt");

/** What every line of a recorded log says, the silent ones left out. */
const said = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      const { stoppedMs, afterBytes } = parseGcLine(line);
      return stoppedMs === null && afterBytes === null ? [] : [{ line, stoppedMs, afterBytes }];
    });

describe("recorded logs", () => {
  it.skipIf(recordedG1 === null)("[OUR-AGH-09] G1 of JDK 11, everything logged", () => {
    expect(
      said(recordedG1 ?? "").map(({ stoppedMs, afterBytes, line }) => ({
        line: line.replace(/^[^G]*/, ""),
        stoppedMs,
        afterMb: afterBytes === null ? null : afterBytes / mb,
      })),
    ).toMatchSnapshot();
  });

  it.skipIf(recordedZ === null)(
    "[OUR-AGH-09] ZGC, collections only: live sets, and no guess of its pauses",
    () => {
      const tally = tallyOf(readFileSync(recordedZ ?? "", "utf8").split("\n"));
      expect(said(recordedZ ?? "").map(({ afterBytes }) => (afterBytes ?? 0) / mb)).toEqual([
        88, 164, 20_212, 716, 5020,
      ]);
      expect(tally.takeStoppedMs()).toBe(null);
      expect(tally.liveBytes).toBe(5020 * mb);
    },
  );
});

describe("lines of a GC log", () => {
  it.each([
    ["[0.2s][info][gc,start] GC(0) Pause Young (Normal) (G1 Evacuation Pause)", null, null],
    [
      "[0.2s][info][gc     ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 14M->12M(128M) 7.033ms",
      7.033,
      12,
    ],
    ["[2,0s] GC(7) Pause Full (System.gc()) 1G->512M(2G) 120,5ms", 120.5, 512],
    ["GC(9) Pause Remark 614M->614M(1024M) 1.250ms", 1.25, null],
    ["GC(9) Pause Cleanup 0.125ms", 0.125, null],
    ["[gc,phases] GC(2) Y: Pause Mark Start (Major) 0.011ms", 0.011, null],
    ["[gc,phases] GC(2) y: Pause Relocate Start 0.007ms", 0.007, null],
    ["[gc] GC(2) Major Collection (Proactive) 100M(42%)->50M(16%) 0.035s", null, 50],
    ["[gc] GC(3) Minor Collection (Allocation Rate)", null, null],
    ["[gc] GC(4) Concurrent Mark 182.334ms", null, null],
    ["[gc] GC(4) Concurrent cleanup 52M->21M(256M) 0.033ms", null, 21],
    ["[gc] GC(5) Pause Degenerated GC (Mark) 200M->50M(256M) 50.0ms", 50, 50],
    ["[gc,stats] Pause Init Mark (G)                 119 us", null, null],
    [
      "2.3: [GC (Allocation Failure) [PSYoungGen: 9K->1K(7K)] 2048K->1024K(4096K), 0.0125 secs] [Times: user=0.02 sys=0.00, real=0.01 secs]",
      12.5,
      1,
    ],
    [
      "2.3: [Full GC (Ergonomics) [PSYoungGen: 9K->0K(7K)] [ParOldGen: 9K->9K(9K)] 4096K->2048K(8192K), [Metaspace: 3K->3K(9K)], 0.5000 secs]",
      500,
      2,
    ],
    ["3.1: [GC pause (G1 Evacuation Pause) (young), 0.0040000 secs]", 4, null],
    [
      "   [Eden: 24.0M(24.0M)->0.0B(13.0M) Survivors: 0.0B->3072.0K Heap: 24.0M(256.0M)->20.5M(256.0M)]",
      null,
      20.5,
    ],
    ["4.5: [GC concurrent-mark-end, 0.0512000 secs]", null, null],
  ])("[OUR-AGH-09] %s", (line, stoppedMs, afterMb) => {
    expect(parseGcLine(line)).toMatchObject({
      stoppedMs,
      afterBytes: afterMb === null ? null : afterMb * mb,
    });
  });

  it("[OUR-AGH-09] a full collection inside a young one is counted once", () => {
    const nested = [
      "GC(5) Pause Young (Allocation Failure)",
      "GC(6) Pause Full (Allocation Failure)",
      "GC(6) Pause Full (Allocation Failure) 60M->20M(64M) 80.0ms",
      "GC(5) Pause Young (Allocation Failure) 63M->20M(64M) 90.0ms",
      "GC(7) Pause Young (Allocation Failure) 63M->20M(64M) 10.0ms",
    ];
    expect(tallyOf(nested).takeStoppedMs()).toBe(100);
  });

  it("[OUR-AGH-16] any line is read, a long one at once", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        parseGcLine(text);
        parseGcLine(`GC(1) ${text}`);
        parseGcLine(`GC(1) Pause ${text}ms`);
        parseGcLine(`[GC ${text} secs]`);
      }),
    );
    const ms = undisturbedMs(500, () =>
      processorMs(() => {
        for (const piece of ["1", "1M->", "GC(", "[GC ", ", 1.1 secs]", "9M(9%)->"]) {
          parseGcLine(piece.repeat(1_000_000));
          parseGcLine(`[GC ${piece.repeat(1990 / piece.length)}`);
        }
      }),
    );
    expect(ms).toBeLessThanOrEqual(500);
  });
});

describe("where the GC log is", () => {
  it.each([
    [["java", "-Xlog:gc*:file=logs/gc.log:time,uptime:filecount=5,filesize=10M", "-jar"], "logs/gc.log"],
    [["-Xlog:gc:logs/gc-%p-%t.log"], "logs/gc-%p-%t.log"],
    [['-Xlog:gc*=debug,safepoint:file="/var/log/a:b.log":time'], "/var/log/a:b.log"],
    [["-Xloggc:gc.log"], "gc.log"],
    [["-Xlog:gc:one.log", "-Xlog:gc:two.log"], "two.log"],
    [["-Xlog:all:file=x.log"], "x.log"],
    [["-Xlog:gc"], null],
    [["-Xlog:gc:stdout"], null],
    [["-Xlog:gc+heap:file=x.log", "-Xlog:gc=off:y.log", "-Xlog:safepoint*:z.log"], null],
    [["-Xlog", "-Xlog:", "-Xlog::", "-Xloggc:"], null],
  ])("[OUR-AGH-12] %j write to %j", (argumentList, pattern) => {
    expect(gcLogPattern(argumentList)).toBe(pattern);
  });

  it("[OUR-AGH-12] is the newest of this process, its arguments in a file or not", async () => {
    const root = machineTree({
      "proc/8/status": statusText(8, { innerPid: 3 }),
      "proc/8/cwd/logs/gc-3-2026-01-01_10-00-00.log": "",
      "proc/8/cwd/logs/gc-3-2026-01-02_10-00-00.log": "",
      "proc/8/cwd/logs/gc-3-2026-01-02_10-00-00.log.0": "",
      "proc/8/cwd/logs/gc-4-2026-01-03_10-00-00.log": "",
      "proc/8/cwd/user_jvm_args.txt":
        "# comment -Xlog:gc:no.log\n-Xmx4G\n-Xlog:gc*:file=logs/gc-%p-%t.log:time\n",
      "proc/8/root/var/gc.log.0.current": "",
    });
    const dated = (name: string, seconds: number) =>
      utimesSync(join(root, "proc/8/cwd/logs", name), seconds, seconds);
    dated("gc-3-2026-01-01_10-00-00.log", 1000);
    dated("gc-3-2026-01-02_10-00-00.log", 2000);
    dated("gc-3-2026-01-02_10-00-00.log.0", 3000);
    dated("gc-4-2026-01-03_10-00-00.log", 4000);
    const of = (...argumentList: string[]) =>
      gcLogOf(root, { pid: 8, startTicks: 1, java: true, arguments: argumentList });
    expect(await of("java", "@user_jvm_args.txt", "nogui")).toMatch(/gc-3-2026-01-02_10-00-00\.log$/);
    expect(await of("-Xloggc:/var/gc.log")).toMatch(/proc\/8\/root\/var\/gc\.log\.0\.current$/);
    expect(await of("-Xlog:gc:none/gc.log")).toBe(null);
    expect(await of("@no-such-file")).toBe(null);
  });
});

describe("following", () => {
  const pause = (ms: number, afterMb: number, id = 1): string =>
    `[1.0s][info][gc] GC(${id}) Pause Young (Normal) (G1 Evacuation Pause) 900M->${afterMb}M(1024M) ${ms}.000ms\n`;
  const following = (text: string) => {
    const root = machineTree({ "gc.log": text });
    const path = join(root, "gc.log");
    const server = { pid: 1, startTicks: 1, java: true, arguments: [] };
    const source = gcLogSource({ gcLog: path, findProcess: async () => server });
    return { root, path, read: async () => (await source.read(0, never)).measured, source };
  };

  it("[OUR-AGH-12] starts at the end: what was logged before is the live set, and no pause", async () => {
    const { path, read, source } = following(pause(500, 300));
    expect(await read()).toEqual({ heap_after_gc_mb: 300 });
    expect(await read()).toEqual({ heap_after_gc_mb: 300, gc_stw_ms: 0 });
    appendFileSync(path, `${pause(7, 310)}${pause(2, 305)}`);
    expect(await read()).toEqual({ heap_after_gc_mb: 305, gc_stw_ms: 9 });
    await source.close();
  });

  it("[OUR-AGH-12] reads a line when it is whole, and a renamed log to its end", async () => {
    const { root, path, read, source } = following("");
    await read();
    const line = pause(4, 200);
    appendFileSync(path, line.slice(0, 40));
    expect(await read()).toEqual({ gc_stw_ms: 0 });
    appendFileSync(path, line.slice(40));
    expect(await read()).toEqual({ heap_after_gc_mb: 200, gc_stw_ms: 4 });
    appendFileSync(path, pause(1, 201));
    renameSync(path, `${path}.0`);
    expect(await read()).toEqual({ heap_after_gc_mb: 201, gc_stw_ms: 1 });
    appendFileSync(`${path}.0`, pause(2, 202));
    writeFileSync(path, pause(3, 203));
    expect(await read()).toEqual({ heap_after_gc_mb: 203, gc_stw_ms: 5 });
    truncateSync(path, 0);
    expect(await read()).toEqual({ heap_after_gc_mb: 203, gc_stw_ms: 0 });
    appendFileSync(path, pause(6, 204));
    expect(await read()).toEqual({ heap_after_gc_mb: 204, gc_stw_ms: 6 });
    put(root, "other", "");
    await source.close();
  });

  it("[OUR-AGH-12] is silent about a server that writes none, and says so of one that cannot be read", async () => {
    const server = { pid: 1, startTicks: 1, java: true, arguments: ["java"] };
    const none = gcLogSource({ gcLog: null, findProcess: async () => server });
    expect(await none.read(0, never)).toEqual({});
    expect(await none.check(never)).toEqual([]);
    const gone = gcLogSource({ gcLog: "/nowhere/gc.log", findProcess: async () => server });
    await expect(gone.read(0, never)).rejects.toThrow("cannot be read");
  });
});
