import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeWhole } from "../../src/agent/files/files.ts";
import { FollowedFile } from "../../src/agent/files/followed-file.ts";
import { runningAgent, takeLock } from "../../src/agent/state/lock.ts";
import { AgentState } from "../../src/agent/state/state.ts";
import { logSource } from "../../src/agent/sources/log.ts";
import { bundled, type Script } from "../support/bundled.ts";
import { patienceMs } from "../support/patience.ts";
import { unprivileged } from "../support/unprivileged.ts";
import { installWith } from "./install.ts";

const root = mkdtempSync(join(tmpdir(), "tickmark-state-"));
chmodSync(root, 0o755);
let script: Script;
beforeAll(async () => {
  script = await bundled(join(import.meta.dirname, "programs/state-writer.ts"));
});
afterAll(() => {
  script.remove();
  rmSync(root, { recursive: true, force: true });
});
const isRoot = process.geteuid?.() === 0;
if (!isRoot) console.warn("\n!!! SKIPPED: files of another user take root.\n");
let folders = 0;
const folder = (): string => {
  const path = join(root, `f${(folders += 1)}`);
  mkdirSync(path);
  return path;
};

it.skipIf(!isRoot)(
  "[OUR-AGT-21] no file of the state that is closed to this user counts as missing",
  async () => {
    const path = folder();
    const state = new AgentState(path);
    await state.prepare();
    const memory = {
      file: { identity: "1:2:3", position: 4, mark: "x" },
      last_line_at: 5,
      zone_ms: null,
      process: null,
    };
    await state.keepLogMemory(memory);
    await state.installationId();
    const lock = await takeLock(path);
    chownSync(path, 65_534, 65_534);
    await unprivileged(async () => {
      await expect(state.logMemory()).rejects.toThrow(`${join(path, "log.json")} cannot be read (EACCES)`);
      await expect(state.installationId()).rejects.toThrow("cannot be read (EACCES)");
      await expect(runningAgent(path)).rejects.toThrow("so another agent may run");
      await expect(takeLock(path)).rejects.toThrow("so another agent may run");
    });
    expect(await state.logMemory()).toEqual(memory);
    expect(await runningAgent(path)).toBe(process.pid);
    await lock?.release();
    chmodSync(path, 0);
    await unprivileged(async () => {
      await expect(state.isPaused()).rejects.toThrow("EACCES");
      await expect(state.link()).rejects.toThrow("cannot be read (EACCES)");
    });
  },
);

it("[OUR-AGT-21] a position nobody can understand is told, and the log is read from now on", async () => {
  const state = new AgentState(folder());
  writeFileSync(join(state.folder, "log.json"), '{"file":');
  const lines: string[] = [];
  expect(await state.logMemory((line) => void lines.push(line))).toEqual({ lostAt: expect.any(Number) });
  expect(lines).toEqual([expect.stringContaining("its content is wrong")]);
});

const lineAt = (second: number, message: string): string =>
  `[08:00:${second}] [Server thread/INFO]: ${message}\n`;

it.skipIf(!isRoot)(
  "[OUR-AGT-21] a log that cannot be read at first is no missing one: its past is not told as news, nor its news as past",
  async () => {
    const path = folder();
    chmodSync(path, 0o755);
    const log = join(path, "latest.log");
    writeFileSync(log, lineAt(10, "Banned Old: x-ray"), { mode: 0o600 });
    const source = logSource(installWith({ log }));
    const read = () => source.read(Date.now(), AbortSignal.timeout(patienceMs));
    await unprivileged(async () => {
      await expect(read()).rejects.toThrow("EACCES");
      await expect(read()).rejects.toThrow("EACCES");
    });
    expect((await read()).events).toBeUndefined();
    writeFileSync(log, lineAt(20, "Banned New: x-ray"), { flag: "a" });
    expect((await read()).events?.map(({ title }) => title)).toEqual(["New was banned"]);
    await source.close();
  },
);

it.skipIf(!isRoot)(
  "[OUR-AGT-21] a log that was put aside and is closed to this user is one entry of the timeline, and the rest is read",
  async () => {
    const path = folder();
    chmodSync(path, 0o755);
    const log = join(path, "latest.log");
    const state = new AgentState(join(path, "state"));
    await state.prepare();
    const memories = { load: () => state.logMemory(), keep: state.keepLogMemory.bind(state) };
    const agent = async () => {
      const source = logSource(installWith({ log }), { memories });
      const titles: string[] = [];
      for (let nth = 0; nth < 4; nth += 1) {
        const { events = [], settle } = await source.read(Date.now(), AbortSignal.timeout(patienceMs));
        titles.push(...events.map(({ type, title }) => `${type}: ${title}`));
        await settle?.();
      }
      await source.close();
      return titles;
    };
    // Any other time of day would be taken for another zone, if it is whole quarters of an hour away.
    const lineOf = (secondsAgo: number, message: string): string =>
      `[${new Date(Date.now() - secondsAgo * 1000).toISOString().slice(11, 19)}] [Server thread/INFO]: ${message}\n`;
    writeFileSync(log, lineOf(5, "Banned Old: x-ray"));
    expect(await agent()).toEqual([]);
    rmSync(log);
    writeFileSync(`${log}.1`, lineAt(20, "Banned Closed: x-ray"), { mode: 0o600 });
    writeFileSync(log, lineOf(0, "Banned New: x-ray"));
    chownSync(state.folder, 65_534, 65_534);
    for (const name of readdirSync(state.folder)) chownSync(join(state.folder, name), 65_534, 65_534);
    const told = await unprivileged(agent);
    expect(told).toContain("agent_gap: latest.log.1 cannot be read: its events are not known");
    expect(told).toContain("ban: New was banned");
  },
);

it("[OUR-AGT-21] a followed file that the disk cannot give back is read on later, each line once", async () => {
  const path = folder();
  const log = join(path, "a.log");
  const file = new FollowedFile(1000);
  const lines: string[] = [];
  const read = () => file.read(log, (line) => void lines.push(line), AbortSignal.timeout(patienceMs));
  // Reading the memory of a process at 0 is an I/O error.
  symlinkSync("/proc/self/mem", log);
  await expect(read()).rejects.toThrow("EIO");
  await file.close();
  rmSync(log);
  writeFileSync(log, "one\ntwo\n");
  expect(await read()).toMatchObject({ isPast: true });
  expect(lines).toEqual(["one", "two"]);
  await file.close();
});

it("[OUR-AGT-23] a write that is killed at any moment leaves the old or the new content, whole and private", async () => {
  const path = join(folder(), "link.json");
  writeFileSync(`${path}.draft`, "left by another", { mode: 0o644 });
  for (let round = 0; round < 6; round += 1) {
    const child = spawn(process.execPath, [script.path, path], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    // Its writes take fractions of a millisecond: each round ends it in another step.
    await new Promise((resolve) => setTimeout(resolve, round));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    const { text, count } = JSON.parse(readFileSync(path, "utf8")) as { text: string; count: number };
    expect(text).toBe(String(count % 10).repeat(20_000));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

it.skipIf(!isRoot)("[OUR-AGT-23] a write that is refused leaves the old content, and no draft", async () => {
  const path = folder();
  const file = join(path, "link.json");
  await writeWhole(file, "old");
  chmodSync(path, 0o555);
  await unprivileged(() => expect(writeWhole(file, "new")).rejects.toThrow("EACCES"));
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(path)).toEqual(["link.json"]);
});
