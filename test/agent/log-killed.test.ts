import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readStat } from "../../src/linux/proc.ts";
import type { LogMemory } from "../../src/agent/state/log-memory.ts";
import type { ServerProcess } from "../../src/agent/install/server-install.ts";
import { logSource } from "../../src/agent/sources/log.ts";
import type { Reading } from "../../src/agent/sources/source.ts";
import { machineTree, put, statLine } from "./machine-tree.ts";
import { installWith } from "./install.ts";
import { patienceMs } from "../support/patience.ts";

let folder = "";
let log = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log-killed-"));
  log = join(folder, "latest.log");
});
afterEach(() => rmSync(folder, { recursive: true }));

const clockOf = (at: number): string => new Date(at).toTimeString().slice(0, 8);
function write(...messages: string[]): void {
  const lines = messages.map((message) => `[${clockOf(Date.now())}] [Server thread/INFO]: ${message}\n`);
  appendFileSync(log, lines.join(""));
}
const starts = (): void =>
  write("Starting minecraft server version 1.21.8", 'Done (2.500s)! For help, type "help"');
const typesOf = ({ events = [] }: Reading): string[] => events.map(({ type }) => type);

/** A server whose process is to be seen in `/proc` of a recorded machine, in a control group that counts kills. */
function watched(pid: number | null) {
  const group = "sys/fs/cgroup/game";
  const root = machineTree({
    "proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n",
    [`${group}/memory.events`]: "low 0\nhigh 0\nmax 0\noom 0\noom_kill 3\n",
  });
  let process: ServerProcess | null = null;
  const run = (next: number | null): void => {
    if (process) rmSync(join(root, "proc", String(process.pid)), { recursive: true });
    process = next === null ? null : { pid: next, startTicks: 1000 + next, java: false, arguments: [] };
    if (next === null) return;
    put(root, `proc/${next}/stat`, statLine(next, { startTicks: 1000 + next }));
    put(root, `proc/${next}/cgroup`, "0::/game\n");
  };
  run(pid);
  let now = Date.now();
  const source = logSource(installWith({ log, findProcess: async () => process }), { root });
  return {
    run,
    kills: (count: number) => writeFileSync(join(root, group, "memory.events"), `oom 1\noom_kill ${count}\n`),
    /** Seconds pass, one reading in each. */
    read: async (seconds = 1): Promise<Reading> => {
      const events: NonNullable<Reading["events"]>[number][] = [];
      for (let second = 0; second < seconds; second += 1) {
        const reading = await source.read(now, AbortSignal.timeout(patienceMs));
        events.push(...(reading.events ?? []));
        now += 1000;
      }
      return { events };
    },
    close: () => source.close(),
  };
}

it("[OUR-AGG-32] a server that ends and stays away is reported, once", async () => {
  const server = watched(41);
  await server.read();
  starts();
  expect(typesOf(await server.read())).toEqual(["server_start"]);
  server.run(null);
  const { events } = await server.read(20);
  expect(events).toMatchObject([{ type: "server_crash", severity: "error" }]);
  // Nothing shows a kill: its parent alone could read how it ended.
  expect(events?.[0]?.metadata).toEqual({ reason: "process_ended" });
  server.run(42);
  starts();
  expect(typesOf(await server.read(10))).toEqual(["server_start"]);
  await server.close();
});

it("[OUR-AGG-32] a server that is killed and back between two looks leaves a crash and a start", async () => {
  const server = watched(41);
  await server.read();
  starts();
  await server.read();
  server.run(42);
  starts();
  const { events } = await server.read(20);
  expect(events).toMatchObject([
    { type: "server_crash", metadata: { reason: "process_ended" } },
    { type: "server_start" },
  ]);
  await server.close();
});

it("[OUR-AGG-32] without a process to be seen, a start after no stop says it too", async () => {
  const server = watched(null);
  await server.read();
  starts();
  starts();
  expect(typesOf(await server.read(3))).toEqual(["server_start", "server_crash", "server_start"]);
  await server.close();
});

it("[OUR-AGG-32] a kill of the kernel for want of memory is reported so, where its group counts it", async () => {
  const server = watched(41);
  await server.read();
  starts();
  await server.read();
  server.run(null);
  server.kills(4);
  const { events } = await server.read(5);
  expect(events).toMatchObject([
    { type: "server_crash", metadata: { reason: "killed", out_of_memory: true } },
  ]);
  await server.close();
});

it("[OUR-AGG-32] a stop or a crash that the log tells is no kill, even when it is read after the end is seen", async () => {
  const server = watched(41);
  await server.read();
  starts();
  await server.read();
  write("Stopping the server");
  server.run(null);
  expect(typesOf(await server.read(10))).toEqual(["server_stop"]);
  server.run(42);
  starts();
  await server.read(10);
  server.run(null);
  await server.read(1);
  // The last words of a process may come to the file a moment later.
  appendFileSync(
    log,
    `[${clockOf(Date.now())}] [Server thread/ERROR]: This crash report has been saved to: /srv/crash-1.txt\n`,
  );
  expect(typesOf(await server.read(10))).toEqual(["server_crash"]);
  await server.close();
});

it("[OUR-AGT-236] a server that ends while it loads could not start; a program that writes no log is none", async () => {
  const server = watched(40);
  write("Loading libraries, please wait...");
  await server.read();
  server.run(null);
  expect(typesOf(await server.read(10))).toEqual(["server_start_failed"]);
  await server.close();
});

it("[OUR-AGG-32] [OUR-AGG-33] a server that was killed while the agent was away is reported with the time of its last sign", async () => {
  const process = { pid: 41, startTicks: 1041, java: false, arguments: [] };
  const root = machineTree({ "proc/41/stat": statLine(41, { startTicks: 1041 }) });
  let kept: LogMemory | null = null;
  const memories = {
    load: async () => kept,
    keep: async (memory: LogMemory) => void (kept = memory),
  };
  const run = async (found: ServerProcess | null): Promise<Reading["events"]> => {
    const source = logSource(installWith({ log, findProcess: async () => found }), { root, memories });
    const events: NonNullable<Reading["events"]>[number][] = [];
    for (let second = 0; second < 4; second += 1) {
      const reading = await source.read(Date.now() + second * 1000, AbortSignal.timeout(patienceMs));
      events.push(...(reading.events ?? []));
      await reading.settle?.();
    }
    await source.close();
    return events;
  };
  const seenAt = (): string => new Date(kept?.process?.seen_at ?? 0).toISOString();
  const lastLineAt = Math.floor(Date.now() / 1000) * 1000;
  starts();
  expect(await run(process)).toEqual([]);
  expect(Date.parse(seenAt())).toBeGreaterThan(lastLineAt);
  const crash = { type: "server_crash", metadata: { reason: "process_ended" }, timestamp: seenAt() };
  const before = kept;
  rmSync(join(root, "proc/41"), { recursive: true });
  expect(await run(null)).toMatchObject([crash]);
  // The same, where it runs again by the time the agent does.
  kept = before;
  const again = Date.now() + 60_000;
  appendFileSync(
    log,
    `[${clockOf(again)}] [Server thread/INFO]: Starting minecraft server version 1.21.8\n` +
      `[${clockOf(again)}] [Server thread/INFO]: Done (2.500s)! For help, type "help"\n`,
  );
  utimesSync(log, new Date(again), new Date(again));
  expect(await run(null)).toMatchObject([crash, { type: "server_start" }]);
});

it("[OUR-AGG-32] a real process that gets SIGKILL is reported", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log(1)"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (!child.stdout) throw new Error("No output.");
  await once(child.stdout, "data");
  const pid = child.pid ?? 0;
  const { startTicks } = (await readStat("/", pid)) ?? { startTicks: 0 };
  let isGone = false;
  const findProcess = async () => (isGone ? null : { pid, startTicks, java: false, arguments: [] });
  const source = logSource(installWith({ log, findProcess }));
  const read = () => source.read(Date.now(), AbortSignal.timeout(patienceMs));
  await read();
  starts();
  await read();
  child.kill("SIGKILL");
  await once(child, "exit");
  isGone = true;
  const types = [...typesOf(await read()), ...typesOf(await read())];
  expect(types).toEqual(["server_crash"]);
  await source.close();
});
