import { existsSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askJvm } from "../../src/agent/process/attach.ts";
import { collectClassHistogram } from "../../src/agent/collect/class-histogram.ts";
import { readStat } from "../../src/linux/proc.ts";
import { gcLogSource } from "../../src/agent/sources/gc-log.ts";
import { jvmSource } from "../../src/agent/sources/jvm.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { compiledProgram, jcmd, jstat, startJvm, stopThreads, type TestJvm } from "./jvm.ts";

const never = new AbortController().signal;
const folder = compiledProgram();
const running: TestJvm[] = [];
let service: TestService;

const start = async (...options: string[]): Promise<TestJvm> => {
  const jvm = await startJvm(folder ?? "", options);
  running.push(jvm);
  return jvm;
};

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await service.close();
});

const sum = (figures: ReadonlyMap<string, number>, ...columns: string[]): number =>
  columns.reduce((total, column) => total + (figures.get(column) ?? Number.NaN), 0);

/** The live set: 200 arrays of 100 KiB and what the JVM itself holds, MB. */
const [leastLive, mostLive] = [19, 45];

describe.skipIf(folder === null)("a JVM of this machine", () => {
  it("[OUR-AGH-08] [OUR-AGH-09] G1, by the counters it shares: heap, limit, live set and pauses are jstat's", async () => {
    const jvm = await start("-XX:+UseG1GC", "-Xlog:gc*:file=g1.log");
    const [source, log] = [jvmSource(jvm.install), gcLogSource(jvm.install)];
    await jvm.tell("100");
    const first = await source.read(0, never);
    const before = await jstat(jvm.server.pid);
    await log.read(0, never);
    expect(first.measured?.gc_stw_ms).toBeUndefined();
    await jvm.tell("600");
    await jvm.tell("gc");
    await jvm.tell("5");
    const { measured = {} } = await source.read(0, never);
    const after = await jstat(jvm.server.pid);
    const logged = (await log.read(0, never)).measured ?? {};
    const usedMb = sum(after, "S0U", "S1U", "EU", "OU") / 1024;
    const pausedMs = (sum(after, "GCT") - sum(before, "GCT")) * 1000;
    console.log("G1", measured, logged, { usedMb, pausedMs });
    expect(Math.abs((measured.ram_used_mb ?? 0) - usedMb)).toBeLessThanOrEqual(1.5);
    expect(measured.ram_max_mb).toBe(128);
    const capacity = sum(after, "S0C", "S1C", "EC", "OC") / 1024;
    expect(capacity).toBe(128);
    expect(Math.abs((measured.gc_stw_ms ?? 0) - pausedMs)).toBeLessThanOrEqual(2);
    expect(pausedMs).toBeGreaterThan(0);
    expect(measured.heap_after_gc_mb).toBeGreaterThanOrEqual(leastLive);
    expect(measured.heap_after_gc_mb).toBeLessThan(mostLive);
    // The log rounds to whole MB, and tells each pause to the microsecond.
    expect(Math.abs((logged.heap_after_gc_mb ?? 0) - (measured.heap_after_gc_mb ?? 0))).toBeLessThanOrEqual(
      1,
    );
    expect(Math.abs((logged.gc_stw_ms ?? 0) - pausedMs)).toBeLessThan(2 + pausedMs * 0.1);
    await log.close();
  });

  it("[OUR-AGH-08] [OUR-AGH-09] a JVM without shared counters gets commands; its pauses need a GC log", async () => {
    const jvm = await start("-XX:+UseG1GC", "-XX:+PerfDisableSharedMem");
    const source = jvmSource(jvm.install);
    await jvm.tell("300");
    await source.read(0, never);
    const { measured = {} } = await source.read(0, never);
    const info = await jcmd(jvm.server.pid, "GC.heap_info");
    const usedMb = Number(/ used (\d+)K/.exec(info)?.[1]) / 1024;
    expect(Math.abs((measured.ram_used_mb ?? 0) - usedMb)).toBeLessThanOrEqual(1.5);
    expect(measured.ram_max_mb).toBe(128);
    expect(measured.heap_after_gc_mb).toBeGreaterThanOrEqual(leastLive);
    expect(measured.heap_after_gc_mb).toBeLessThan(mostLive);
    expect(measured.gc_stw_ms).toBeUndefined();
    const findings = await source.check(never);
    expect(findings.map(({ able }) => able)).toEqual([true, true, false]);
    expect(findings[2]?.says).toContain("-Xlog:gc*");
    expect(existsSync(`${folder}/.attach_pid${jvm.server.pid}`)).toBe(false);
  });

  it("[OUR-AGH-08] [OUR-AGH-09] ZGC: heap as jcmd tells it, pauses as jstat does", async () => {
    const jvm = await start("-XX:+UseZGC");
    const source = jvmSource(jvm.install);
    await jvm.tell("100");
    // ZGC collects when it likes: each reading lies between two of jstat's.
    const pauses = async () => sum(await jstat(jvm.server.pid), "GCT") * 1000;
    const early = await pauses();
    await source.read(0, never);
    const before = await pauses();
    await jvm.tell("300");
    await jvm.tell("gc");
    const after = await pauses();
    const { measured = {} } = await source.read(0, never);
    const late = await pauses();
    const usedMb = Number(/ used (\d+)M/.exec(await jcmd(jvm.server.pid, "GC.heap_info"))?.[1]);
    console.log("ZGC", measured, { usedMb, pausedMs: [after - before, late - early] });
    expect(Math.abs((measured.ram_used_mb ?? 0) - usedMb)).toBeLessThanOrEqual(4);
    expect(measured.ram_max_mb).toBe(128);
    expect(measured.heap_after_gc_mb).toBeGreaterThanOrEqual(leastLive);
    expect(measured.heap_after_gc_mb).toBeLessThan(mostLive);
    expect(measured.gc_stw_ms).toBeGreaterThanOrEqual(after - before - 2);
    expect(measured.gc_stw_ms).toBeLessThanOrEqual(late - early + 2);
  });

  it("[OUR-AGH-08] Serial, whose counters stand still between collections, gets commands", async () => {
    const jvm = await start("-XX:+UseSerialGC");
    await jvm.tell("100");
    const { measured = {} } = await jvmSource(jvm.install).read(0, never);
    const info = await jcmd(jvm.server.pid, "GC.heap_info");
    const usedKb = [...info.matchAll(/generation +total \d+K, used (\d+)K/g)];
    expect(usedKb).toHaveLength(2);
    const usedMb = usedKb.reduce((total, [, kb]) => total + Number(kb), 0) / 1024;
    expect(Math.abs((measured.ram_used_mb ?? 0) - usedMb)).toBeLessThanOrEqual(1.5);
    expect(measured.ram_max_mb).toBe(128);
    expect(measured.heap_after_gc_mb).toBeLessThan(mostLive);
  });

  it("[OUR-AGH-09] Shenandoah: its counters hold concurrent work too, so only its GC log tells pauses", async () => {
    const jvm = await start("-XX:+UseShenandoahGC", "-Xlog:gc:file=shenandoah-%p.log").catch(() => null);
    if (jvm === null) {
      console.warn("*** SKIPPED: this JVM has no Shenandoah ***");
      return;
    }
    const [source, log] = [jvmSource(jvm.install), gcLogSource(jvm.install)];
    await log.read(0, never);
    await source.read(0, never);
    await jvm.tell("200");
    await jvm.tell("gc");
    const { measured = {} } = await source.read(0, never);
    expect(measured.ram_used_mb).toBeGreaterThan(leastLive);
    expect(measured.gc_stw_ms).toBeUndefined();
    expect(measured.heap_after_gc_mb).toBeUndefined();
    const logged = (await log.read(0, never)).measured ?? {};
    expect(logged.gc_stw_ms).toBeGreaterThan(0);
    expect(logged.heap_after_gc_mb).toBeGreaterThanOrEqual(leastLive);
    expect(logged.heap_after_gc_mb).toBeLessThan(mostLive);
    await log.close();
  });

  it("[OUR-AGH-13] its class histogram is taken by the service", async () => {
    const jvm = running[0] ?? (await start());
    const collected = await collectClassHistogram(jvm.install, never);
    expect(collected).toMatchObject({ kind: "memory report", contentType: "text/x-java-class-histogram" });
    const owner = await service.account("pro");
    const { credential } = await service.server(owner);
    const answer = await service.request("POST", "/plugin/v1/memory-reports", {
      token: credential,
      body: Buffer.from(collected.body),
      headers: { "content-type": collected.contentType },
    });
    expect([answer.status, answer.json]).toEqual([201, { id: expect.any(String) }]);
    const bytes = Number(/(\d+) +\[B /.exec(String(collected.body))?.[1]);
    expect(bytes).toBeGreaterThan(200 * 100 * 1024);
  });
});

describe("asking", () => {
  it("[OUR-AGH-10] a process that is no JVM is sent no signal, whatever it calls itself", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log(1)"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;
    const { startTicks } = (await readStat("/", pid)) ?? { startTicks: 0 };
    const options = { signal: never, most: 1000 };
    const as = (java: boolean, ...argumentList: string[]) =>
      askJvm("/", { pid, startTicks, java, arguments: argumentList }, "GC.heap_info", options);
    await expect(as(true)).rejects.toThrow("does not handle SIGQUIT");
    await expect(as(false)).rejects.toThrow("not a JVM of this user");
    await expect(as(true, "-XX:+DisableAttachMechanism")).rejects.toThrow("switches diagnostic commands off");
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect(as(true)).rejects.toThrow("not a JVM");
  });

  it.skipIf(folder === null)(
    "[OUR-AGH-10] a JVM that stands still costs one reading, not the agent",
    async () => {
      const jvm = running[1] ?? (await start("-XX:+PerfDisableSharedMem"));
      await stopThreads(jvm.child);
      await expect(jvmSource(jvm.install).read(0, AbortSignal.timeout(300))).rejects.toThrow("in time");
      jvm.child.kill("SIGCONT");
      const { measured } = await jvmSource(jvm.install).read(0, never);
      expect(measured?.ram_max_mb).toBe(128);
    },
  );
});
