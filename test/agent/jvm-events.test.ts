import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { javaServer } from "../../src/agent/install/server-kind.ts";
import { collectionLogIn, liveSetIn } from "../../src/agent/process/jvm-answers.ts";
import { jvmSource } from "../../src/agent/sources/jvm.ts";
import { installedJdks } from "../support/jdks.ts";
import { compiledProgram, startJvm, type TestJvm } from "./jvm.ts";
import { machineTree, put, statusText } from "./machine-tree.ts";

const never = new AbortController().signal;
const folder = compiledProgram();
const running: TestJvm[] = [];
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
});

const listing = (log: string): string =>
  `The name "list" did not match any known event log. Valid event log names are:\n"jit" : Compilation events\n"${log}" : Collections\n"events" : Events\n`;

const history = (title: string, block: string): string =>
  `Collections (2 events):\nEvent: 5.154 ${title}\n{${block} invocations=52 (full 0):\n garbage-first heap   total 131072K, used 42213K [0x1, 0x2)\n  region size 1024K, 1 young (1024K)\n Metaspace       used 74K, committed 320K\n}\n`;

it.each([
  ["gc", "Heap after GC"],
  ["heap", "heap After GC"],
])("[OUR-AGH-200] the log of collections is found by either name: %s", (log, block) => {
  expect(collectionLogIn(listing(log))).toBe(log);
  expect(liveSetIn(history("GC", block))).toBe(42213 * 1024);
});

it("[OUR-AGH-200] a JVM without such a log has none", () => {
  expect(collectionLogIn(listing("vmops"))).toBeNull();
});

/** A process that counts as a JVM and answers on its attach socket; `null` is a command that it refuses. */
async function answering(answers: Readonly<Record<string, string | null>>) {
  const pid = 41;
  const root = machineTree({
    [`proc/${pid}/status`]: statusText(pid, { uid: process.getuid?.() ?? 0 }),
    [`proc/${pid}/maps`]: "7f0000000000-7f0000001000 r-xp 00000000 08:01 1 /opt/java/lib/server/libjvm.so\n",
  });
  const path = join(root, `proc/${pid}/root/tmp/.java_pid${pid}`);
  mkdirSync(dirname(path), { recursive: true });
  const asked: string[] = [];
  const listener = createServer((socket: Socket) => {
    socket.once("data", (data) => {
      const command = data.toString().split("\0")[2] ?? "";
      asked.push(command);
      const answer = answers[command] ?? null;
      socket.end(answer === null ? "1\nUnknown diagnostic command\n" : `0\n${answer}`);
    });
  });
  listener.listen(path);
  await once(listener, "listening");
  let startTicks = 1000;
  const findProcess = async () => ({ pid, startTicks, java: true, arguments: ["java"] });
  const source = jvmSource({ kind: javaServer, findProcess }, root);
  return {
    asked,
    source,
    restart: () => {
      startTicks += 1;
      put(root, `proc/${pid}/status`, statusText(pid, { uid: process.getuid?.() ?? 0 }));
    },
    close: () => listener.close(),
  };
}

const heap = " garbage-first heap   total 131072K, used 50000K\n";

it("[OUR-AGH-200] the list is requested once for each process, and a refused command never again", async () => {
  const jvm = await answering({ "GC.heap_info": heap, "VM.flags": "-XX:MaxHeapSize=134217728" });
  for (let nth = 0; nth < 3; nth += 1) {
    const { measured } = await jvm.source.read(0, never);
    expect(measured).toEqual({ ram_used_mb: 49, ram_max_mb: 128 });
  }
  expect(jvm.asked).toEqual([
    "GC.heap_info",
    "VM.flags",
    "VM.events log=list",
    "GC.heap_info",
    "GC.heap_info",
  ]);
  jvm.restart();
  await jvm.source.read(0, never);
  expect(jvm.asked.filter((command) => command === "VM.events log=list")).toHaveLength(2);
  const findings = await jvm.source.check(never);
  expect(findings[1]?.says).toMatch(/^This JVM keeps no history of its collections\. .*-Xlog:gc/);
  jvm.close();
});

it("[OUR-AGH-200] Java 25's log is read under its name, without the other one being requested", async () => {
  const jvm = await answering({
    "GC.heap_info": heap,
    "VM.events log=list": listing("heap"),
    "VM.events log=heap": history("GC", "heap After GC"),
  });
  await jvm.source.read(0, never);
  const { measured } = await jvm.source.read(0, never);
  expect(measured?.heap_after_gc_mb).toBe(41);
  expect(jvm.asked.filter((command) => command.startsWith("VM.events"))).toEqual([
    "VM.events log=list",
    "VM.events log=heap",
    "VM.events log=heap",
  ]);
  jvm.close();
});

const jdks = installedJdks();
if (jdks.length === 0)
  console.warn("*** SKIPPED: no JDK in /usr/lib/jvm: no real list of logs is looked at ***");

describe.skipIf(folder === null || jdks.length === 0)("the JDKs of this machine", () => {
  it.each(jdks.flatMap(({ home, version }) => ["UseG1GC", "UseZGC"].map((gc) => ({ home, version, gc }))))(
    "[OUR-AGH-200] Java $version with $gc and without shared counters has its live set",
    async ({ home, gc }) => {
      const jvm = await startJvm(folder ?? "", [`-XX:+${gc}`, "-XX:+PerfDisableSharedMem"], { jdk: home });
      running.push(jvm);
      await jvm.tell("100");
      await jvm.tell("gc");
      const { measured } = await jvmSource(jvm.install).read(0, never);
      // 200 arrays of 100 KiB, and what the JVM itself holds.
      expect(measured?.heap_after_gc_mb).toBeGreaterThanOrEqual(19);
      expect(measured?.heap_after_gc_mb).toBeLessThan(45);
    },
  );
});
