import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  existsSync,
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
import type { Entry } from "../../src/agent/send/queue-file.ts";
import { Queue, queueLimits, type QueueParts } from "../../src/agent/send/queue.ts";
import { bundled, type Script } from "../support/bundled.ts";
import { whyNoSmallDisk } from "../support/small-disk.ts";
import { unprivileged } from "../support/unprivileged.ts";

const root = mkdtempSync(join(tmpdir(), "tickmark-queue-"));
execFileSync("chmod", ["755", root]);
let script: Script;
beforeAll(async () => {
  script = await bundled(join(import.meta.dirname, "programs/queue-in-trouble.ts"));
});
afterAll(() => {
  script.remove();
  rmSync(root, { recursive: true, force: true });
});

const isRoot = process.geteuid?.() === 0;
if (!isRoot) console.warn("\n!!! SKIPPED: files of another user take root.\n");
const noSmallDisk = whyNoSmallDisk();

const start = Date.parse("2026-11-20T08:00:00.000Z");
const small = { ...queueLimits, fileBytes: 400 };
const sampleAt = (at: number): Entry => ({ at, sample: { sampled_at: new Date(at).toISOString(), tps: 20 } });
let folders = 0;
const folder = (): string => join(root, `f${(folders += 1)}`);

async function filled(path: string, count: number, parts: QueueParts = {}): Promise<void> {
  const queue = await Queue.open(path, { limits: small, ...parts });
  for (let second = 0; second < count; second += 1) await queue.append(sampleAt(start + second * 1000));
  await queue.close();
}

async function takeAll(queue: Queue): Promise<number[]> {
  const taken: number[] = [];
  for (let batch = await queue.oldest(); batch; batch = await queue.oldest()) {
    taken.push(...batch.entries.map(({ at }) => (at - start) / 1000));
    await batch.settle();
  }
  return taken;
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, second) => second);

it.skipIf(!isRoot)(
  "[OUR-AGT-21] a file of another user is no empty one: it is told once, stays, and is sent when it can be read",
  async () => {
    const path = folder();
    await filled(path, 200);
    const names = readdirSync(path);
    chownSync(path, 65_534, 65_534);
    const lines: string[] = [];
    await unprivileged(async () => {
      const queue = await Queue.open(path, { limits: small, tell: (line) => void lines.push(line) });
      for (let round = 0; round < 5; round += 1) expect(await queue.oldest()).toBeNull();
      await queue.append(sampleAt(start + 500_000));
      expect(await takeAll(queue)).toEqual([500]);
      expect(queue.gap).toBeNull();
      expect(queue.isBusy).toBe(true);
      await queue.close();
    });
    expect(readdirSync(path)).toEqual(names);
    expect(lines).toHaveLength(names.length);
    expect(lines[0]).toContain(`${join(path, names[0] ?? "")} cannot be read (EACCES)`);
    const queue = await Queue.open(path, { limits: small, tell: (line) => void lines.push(line) });
    expect(await takeAll(queue)).toEqual(upTo(200));
    expect(lines).toHaveLength(names.length);
  },
);

it.skipIf(!isRoot)(
  "[OUR-AGT-21] files that cannot be read have a room of their own; beyond it the oldest is given up, with its span",
  async () => {
    const path = folder();
    await filled(path, 60);
    chownSync(path, 65_534, 65_534);
    const whole = readdirSync(path).length;
    await unprivileged(async () => {
      const queue = await Queue.open(path, { limits: { ...small, bytes: 2000 } });
      const left = readdirSync(path).filter((name) => name.endsWith(".ndjson"));
      expect(left.reduce((sum, name) => sum + statSync(join(path, name)).size, 0)).toBeLessThan(2000);
      expect(queue.gap).toMatchObject({ samples: 0, unread_files: whole - left.length });
      expect(queue.gap?.to).toBeGreaterThan(Date.now() - 600_000);
      await queue.close();
    });
  },
);

it("[OUR-AGT-21] without a free descriptor nothing is given up, what comes is held, and all of it is sent afterwards", () => {
  const path = folder();
  const limited = ["-c", 'ulimit -n 40; exec "$@"', "sh", process.execPath, script.path, "descriptors", path];
  const run = spawnSync("sh", limited, { encoding: "utf8" });
  expect(run.stderr).toBe("");
  const { found, lines } = JSON.parse(run.stdout) as { found: Record<string, unknown>; lines: string[] };
  expect(found).toMatchObject({ waiting: 12, gap: null, during: [[], [], []] });
  expect(found["after"]).toBeGreaterThanOrEqual(found["before"] as number);
  expect(found["taken"]).toEqual(upTo(12));
  // Once for each file, and not once for each of the three rounds.
  expect(lines.filter((line) => line.includes("cannot be read (EMFILE)"))).toHaveLength(
    found["before"] as number,
  );
  expect(lines.filter((line) => line.includes("cannot be kept on disk (EMFILE)"))).toHaveLength(1);
});

it.skipIf(noSmallDisk !== null)(
  "[OUR-AGT-21] what a full disk does not take is held in memory, and is on disk once there is room",
  () => {
    const path = folder();
    mkdirSync(path);
    const mounted = 'mount -t tmpfs -o size=256k tmpfs "$0" && exec "$@"';
    const command = ["-rm", "sh", "-c", mounted, path, process.execPath, script.path, "disk", path];
    const run = spawnSync("unshare", command, { encoding: "utf8" });
    expect(run.stderr).toBe("");
    const { found, lines } = JSON.parse(run.stdout) as { found: unknown; lines: string[] };
    expect(found).toEqual({ waiting: 40, isHolding: true, onDisk: true, isEmpty: false, again: 41 });
    expect(lines).toEqual([
      expect.stringContaining("Unsent data cannot be kept on disk (ENOSPC)"),
      "Unsent data is kept on disk again.",
    ]);
  },
);

it("[OUR-AGT-21] a file that the disk cannot give back stays, and the others are sent meanwhile", async () => {
  const path = folder();
  await filled(path, 20);
  const [first = "", second = ""] = readdirSync(path);
  const kept = readFileSync(join(path, first), "utf8");
  rmSync(join(path, first));
  // Reading the memory of a process at 0 is an I/O error.
  symlinkSync("/proc/self/mem", join(path, first));
  const lines: string[] = [];
  const queue = await Queue.open(path, { limits: small, tell: (line) => void lines.push(line) });
  const [earliest] = await takeAll(queue);
  const inFirst = kept.split("\n").length - 1;
  expect(earliest).toBe(inFirst);
  expect(queue.gap).toBeNull();
  expect(lines).toEqual([expect.stringContaining("cannot be read (EIO)")]);
  expect(existsSync(join(path, second))).toBe(false);
  rmSync(join(path, first));
  writeFileSync(join(path, first), kept);
  expect(await takeAll(queue)).toEqual(upTo(inFirst));
  expect(lines.at(-1)).toContain("can be read again");
});

it("[OUR-AGT-12] damaged lines are counted once, with their span, over a kill between the count and the removal too", async () => {
  const path = folder();
  await filled(path, 3);
  const [name = ""] = readdirSync(path);
  const whole = readFileSync(join(path, name), "utf8").split("\n");
  writeFileSync(join(path, name), [whole[0], "\0\0\0\0", whole[2], "{}", '{"at":'].join("\n"));
  const before = readFileSync(join(path, name));
  const queue = await Queue.open(path, { limits: small });
  expect(await takeAll(queue)).toEqual([0, 2]);
  const gap = { samples: 0, events: 0, damaged: 2, unread_files: 0, from: start, to: start + 2000 };
  expect(queue.gap).toEqual(gap);
  // The kill: the gap is on disk, and the file not removed yet.
  writeFileSync(join(path, name), before);
  const after = await Queue.open(path, { limits: small });
  expect(after.gap).toEqual(gap);
  expect(await takeAll(after)).toEqual([]);
  expect(after.gap).toEqual(gap);
});

it("[OUR-AGT-12] what somebody cut off or removed while the agent ran is counted, and a damaged count is one more", async () => {
  const path = folder();
  const queue = await Queue.open(path, { limits: small });
  for (let second = 0; second < 12; second += 1) await queue.append(sampleAt(start + second * 1000));
  const [first = "", next = ""] = readdirSync(path);
  const inFirst = readFileSync(join(path, first), "utf8").split("\n").length - 1;
  rmSync(join(path, first));
  writeFileSync(join(path, next), "");
  const sent = await takeAll(queue);
  expect(sent.length + (queue.gap?.damaged ?? 0)).toBe(12);
  expect(queue.gap?.damaged).toBeGreaterThan(inFirst);
  await queue.close();
  writeFileSync(join(path, "gap.json"), "{");
  expect((await Queue.open(path)).gap).toMatchObject({ damaged: 1 });
});

it("[OUR-AGT-22] a clock that was set by years gives nothing up, whether the agent runs on or starts anew", async () => {
  const years = 2 * 365 * 86_400_000;
  for (const step of [years, -years]) {
    const path = folder();
    await filled(path, 30);
    const queue = await Queue.open(path, { limits: small });
    for (let second = 30; second < 60; second += 1)
      await queue.append(sampleAt(start + step + second * 1000));
    expect(queue.gap).toBeNull();
    expect(queue.waiting).toBe(60);
    expect((await takeAll(queue)).slice(0, 30)).toEqual(upTo(30));
  }
});

it("[OUR-AGT-21] an append after a line that could not be finished leaves no line that is half of each", async () => {
  const path = folder();
  await filled(path, 2);
  const [name = ""] = readdirSync(path);
  appendFileSync(join(path, name), '{"at":1,"sam');
  const queue = await Queue.open(path, { limits: small });
  await queue.append(sampleAt(start + 2000));
  expect(await takeAll(queue)).toEqual([0, 1, 2]);
  expect(queue.gap).toBeNull();
});
