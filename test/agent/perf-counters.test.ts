import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heapMaxIn, heapUsedIn, liveSetIn } from "../../src/agent/process/jvm-answers.ts";
import { heapMaxOf, heapUsedOf, liveSetOf, stoppedMsOf } from "../../src/agent/process/jvm-figures.ts";
import { parsePerfFile, type PerfCounters } from "../../src/agent/process/perf-counters.ts";
import { randomCases } from "../support/long.ts";

/** A file as a JVM keeps it, by the layout of version 2. */
function perfFile(counters: Readonly<Record<string, number | string>>, isLittle: boolean): Buffer {
  const entries = Object.entries(counters).map(([name, value]) => {
    const nameBytes = Buffer.from(`${name}\0`);
    const dataAt = Math.ceil((20 + nameBytes.length) / 8) * 8;
    const dataBytes = typeof value === "number" ? 8 : Buffer.byteLength(value) + 1;
    const entry = Buffer.alloc(Math.ceil((dataAt + dataBytes) / 8) * 8);
    const view = new DataView(entry.buffer, entry.byteOffset);
    view.setInt32(0, entry.length, isLittle);
    view.setInt32(4, 20, isLittle);
    view.setInt32(8, typeof value === "number" ? 0 : dataBytes, isLittle);
    view.setUint8(12, (typeof value === "number" ? "J" : "B").charCodeAt(0));
    view.setInt32(16, dataAt, isLittle);
    nameBytes.copy(entry, 20);
    if (typeof value === "number") view.setBigInt64(dataAt, BigInt(value), isLittle);
    else entry.write(value, dataAt);
    return entry;
  });
  const head = Buffer.alloc(32);
  const view = new DataView(head.buffer, head.byteOffset);
  view.setUint32(0, 0xcafec0c0);
  head.set([isLittle ? 1 : 0, 2, 0, 1], 4);
  view.setInt32(24, 32, isLittle);
  view.setInt32(28, entries.length, isLittle);
  return Buffer.concat([head, ...entries]);
}

const mb = 1024 * 1024;
const g1 = {
  "sun.gc.collector.0.name": "G1 young collection pauses",
  "sun.gc.collector.0.invocations": 2,
  "sun.gc.collector.0.time": 30_000_000,
  "sun.gc.collector.2.time": 5_000_000,
  "sun.gc.generation.0.maxCapacity": 512 * mb + 24,
  "sun.gc.generation.1.maxCapacity": 512 * mb + 8,
  "sun.gc.generation.0.space.0.used": 100 * mb,
  "sun.gc.generation.0.space.1.used": 0,
  "sun.gc.generation.0.space.2.used": 4 * mb,
  "sun.gc.generation.1.space.0.used": 200 * mb,
  "sun.os.hrt.frequency": 1_000_000_000,
};
const countersOf = (changes: Readonly<Record<string, number | string>>): PerfCounters =>
  new Map(Object.entries({ ...g1, ...changes }));

describe("counters of a JVM", () => {
  it("[OUR-AGH-08] are read in either byte order", () => {
    const expected = new Map<string, number | string>(Object.entries(g1));
    expect(parsePerfFile(perfFile(g1, true))).toEqual(expected);
    expect(parsePerfFile(perfFile(g1, false))).toEqual(expected);
  });

  it("[OUR-AGH-08] generations that share the heap have its limit each, fixed ones add up", () => {
    expect(heapUsedOf(countersOf({}))).toBe(304 * mb);
    expect(liveSetOf(countersOf({}))).toBe(204 * mb);
    expect(heapMaxOf(countersOf({}))).toBe(512 * mb + 8);
    const serial = { "sun.gc.collector.0.name": "Serial young collection pauses" };
    expect(heapMaxOf(countersOf(serial))).toBe(1024 * mb + 32);
    expect(heapUsedOf(countersOf(serial))).toBe(null);
    expect(liveSetOf(countersOf({ "sun.gc.collector.0.invocations": 0 }))).toBe(null);
    expect(liveSetOf(new Map())).toBe(null);
  });

  it("[OUR-AGH-09] concurrent work is no pause", () => {
    expect(stoppedMsOf(countersOf({}))).toBe(35);
    expect(stoppedMsOf(countersOf({ "sun.gc.collector.0.name": "ZGC minor collection pauses" }))).toBe(35);
    expect(stoppedMsOf(countersOf({ "sun.gc.collector.0.name": "Shenandoah partial" }))).toBe(null);
    expect(stoppedMsOf(countersOf({ "sun.os.hrt.frequency": 0 }))).toBe(null);
  });

  it("[OUR-AGH-16] no bytes end in anything but missing counters", () => {
    const whole = perfFile(g1, true);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const damaged = Buffer.from(whole.subarray(0, length));
        if (at < damaged.length) damaged[at] = byte;
        const counters = parsePerfFile(damaged);
        if (counters !== null) {
          for (const figure of [heapUsedOf, heapMaxOf, liveSetOf, stoppedMsOf]) figure(counters);
        }
      }),
      { numRuns: randomCases(1000) },
    );
    expect(parsePerfFile(Buffer.alloc(0))).toBe(null);
    const notReady = Buffer.from(whole);
    notReady[7] = 0;
    expect(parsePerfFile(notReady)).toBe(null);
  });
});

describe("answers of a JVM", () => {
  it.each([
    [
      " garbage-first heap   total 262144K, used 170240K [0x1, 0x2)\n  region size 1024K, 127 young (130048K)\n Metaspace       used 82K",
      170_240,
    ],
    [
      " garbage-first heap   total reserved 262144K, committed 262144K, used 36864K [0x1, 0x2)\n Metaspace used 80K",
      36_864,
    ],
    [
      " ZHeap           used 124M, capacity 256M, max capacity 256M\n Metaspace       used 133K\n  class space    used 4K",
      124 * 1024,
    ],
    [
      "Shenandoah Heap\n 256M max, 256M soft max, 256M committed, 109M used\n 1024 x 256K regions",
      109 * 1024,
    ],
    [
      " PSYoungGen      total 86528K, used 42908K [0x1\n  eden space 86016K, 49% used [0x1\n ParOldGen       total 175104K, used 20944K [0x1\n  object space 175104K, 11% used",
      63_852,
    ],
    [" DefNew     total 78656K, used 100K [0x1\n Tenured    total 174784K, used 28K [0x1", 128],
    ["", null],
  ])("[OUR-AGH-08] heap in use: %j", (text, kb) => {
    expect(heapUsedIn(text)).toBe(kb === null ? null : kb * 1024);
  });

  it("[OUR-AGH-08] the live set is that after the last collection, the limit that of the flags", () => {
    const heap = (when: string, used: string) =>
      `Event: 1.0 GC heap ${when}\n{Heap ${when} GC invocations=1 (full 0):\n garbage-first heap   total 9K, used ${used}K [0x1)\n Metaspace       used 82K\n}\n`;
    const text = `GC Heap History (4 events):\n${heap("before", "8")}${heap("after", "4")}${heap("before", "7")}${heap("after", "3")}${heap("before", "6")}`;
    expect(liveSetIn(text)).toBe(3 * 1024);
    expect(liveSetIn("GC Heap History (0 events):\nNo events\n")).toBe(null);
    expect(heapMaxIn("-XX:InitialHeapSize=1 -XX:MaxHeapSize=4294967296 -XX:+UseG1GC")).toBe(4 * 1024 * mb);
    expect(heapMaxIn("java.lang.IllegalArgumentException: Unknown diagnostic command")).toBe(null);
  });
});
