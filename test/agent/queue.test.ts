import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { Entry, QueueGap } from "../../src/agent/send/queue-file.ts";
import { Queue, type QueueLimits } from "../../src/agent/send/queue.ts";
import { dayMs } from "../../src/core/time.ts";

const root = mkdtempSync(join(tmpdir(), "tickmark-queue-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const start = Date.parse("2026-11-20T08:00:00.000Z");
const roomy: QueueLimits = { ageMs: 7 * dayMs, bytes: 1_000_000, fileBytes: 400, held: 10 };
let folders = 0;
const folder = (): string => join(root, String((folders += 1)));

const sampleAt = (at: number): Entry => ({
  at,
  sample: { sampled_at: new Date(at).toISOString(), tps: 20, mspt: 12.5 },
});
const seconds = (batch: readonly Entry[]): number[] => batch.map(({ at }) => (at - start) / 1000);

/** The time since the machine started, ms. */
let up = 0;
const opened = (path: string, limits = roomy): Promise<Queue> =>
  Queue.open(path, { limits, steady: () => ({ boot: "one", up }) });

/** What a killed process leaves: a close writes nothing, and spares us the open file. */
const killed = (queue: Queue): Promise<void> => queue.close();

/** Everything that waits, taken out. */
async function takeAll(queue: Queue): Promise<number[]> {
  const taken: number[] = [];
  for (let batch = await queue.oldest(); batch; batch = await queue.oldest()) {
    taken.push(...seconds(batch.entries));
    await batch.settle();
  }
  return taken;
}

it("[OUR-AGT-10] what was appended is there after a crash, oldest first, and gone once it arrived", async () => {
  const path = folder();
  const before = await opened(path);
  for (let second = 0; second < 20; second += 1) await before.append(sampleAt(start + second * 1000));
  await killed(before);
  const after = await opened(path);
  expect(after.waiting).toBe(20);
  expect(await takeAll(after)).toEqual(Array.from({ length: 20 }, (_, second) => second));
  expect((await opened(path)).waiting).toBe(0);
  expect(readdirSync(path)).toEqual([]);
});

it("[OUR-AGT-10] a line that a crash tore is ignored, and what is appended later is not torn by it", async () => {
  const path = folder();
  const before = await opened(path, { ...roomy, fileBytes: 100_000 });
  await before.append(sampleAt(start));
  await killed(before);
  const [name = ""] = readdirSync(path);
  const whole = readFileSync(join(path, name), "utf8");
  for (const torn of [whole.slice(0, 1), whole.slice(0, -2), '{"at":', "\0\0\0"]) {
    appendFileSync(join(path, name), torn);
    const after = await opened(path);
    expect(after.waiting).toBe(1);
    await after.append(sampleAt(start + 1000));
    await killed(after);
    const again = await opened(path);
    expect(again.waiting).toBe(2);
    const first = await again.oldest();
    expect(seconds(first?.entries ?? [])).toEqual([0]);
    for (const added of readdirSync(path).filter((one) => one !== name)) rmSync(join(path, added));
    rmSync(join(path, name));
    appendFileSync(join(path, name), whole, { mode: 0o600 });
  }
});

it("[OUR-AGT-11] what a heartbeat brought leaves no file to grow, however many there were", async () => {
  const path = folder();
  const queue = await Queue.open(path);
  for (let second = 0; second < 50; second += 1) {
    const arrived = await queue.append(sampleAt(start + second * 1000));
    await arrived();
  }
  const sizes = readdirSync(path).map((name) => statSync(join(path, name)).size);
  expect(sizes).toEqual([0]);
  expect(statSync(join(path, readdirSync(path)[0] ?? "")).mode & 0o777).toBe(0o600);
  await queue.close();
});

it("[OUR-AGT-12] gives the oldest up when there is no room, and counts them, over a crash too", async () => {
  const path = folder();
  const queue = await opened(path, { ...roomy, bytes: 2000 });
  for (let second = 0; second < 60; second += 1) await queue.append(sampleAt(start + second * 1000));
  const kept = queue.waiting;
  expect(readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0)).toBeLessThan(
    2700,
  );
  expect(kept).toBeGreaterThan(5);
  expect(queue.gap).toEqual({
    samples: 60 - kept,
    events: 0,
    damaged: 0,
    unread_files: 0,
    from: start,
    to: start + (59 - kept) * 1000,
  });
  await killed(queue);
  const after = await opened(path, { ...roomy, bytes: 2000 });
  expect(after.gap).toEqual(queue.gap);
  expect((await takeAll(after))[0]).toBe(60 - kept);
  await after.forget(after.gap as QueueGap);
  expect((await opened(path)).gap).toBeNull();
});

it("[OUR-AGT-12] gives up what is older than a week", async () => {
  const path = folder();
  const queue = await opened(path);
  for (let hour = 0; hour < 8 * 24; hour += 1) {
    up = hour * 3_600_000;
    await queue.append(sampleAt(start + up));
  }
  up = 0;
  const { gap } = queue;
  expect(gap?.samples).toBeGreaterThanOrEqual(20);
  expect(queue.waiting + (gap?.samples ?? 0)).toBe(8 * 24);
  // A file is given up when its newest entry is that old.
  expect(gap?.to).toBeLessThan(start + 191 * 3_600_000 - 7 * dayMs);
  await queue.close();
});

it("[OUR-AGT-10] loses nothing whatever is appended, settled, taken and killed in between", async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.constant("append") },
    { weight: 2, arbitrary: fc.constant("arrive") },
    { weight: 1, arbitrary: fc.constant("take") },
    { weight: 1, arbitrary: fc.constant("look") },
    { weight: 1, arbitrary: fc.constant("kill") },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const path = folder();
      let queue = await opened(path);
      const waiting = new Set<number>();
      for (const [index, what] of steps.entries()) {
        if (what === "append" || what === "arrive") {
          const arrived = await queue.append(sampleAt(start + index * 1000));
          if (what === "arrive") await arrived();
          else waiting.add(index);
        } else if (what === "take") {
          const batch = await queue.oldest();
          for (const second of seconds(batch?.entries ?? [])) waiting.delete(second);
          await batch?.settle();
        } else if (what === "look") await queue.oldest();
        else {
          await killed(queue);
          queue = await opened(path);
        }
      }
      await killed(queue);
      const left = await takeAll(await opened(path));
      for (const second of waiting) expect(left).toContain(second);
    }),
    { numRuns: 60 },
  );
});
