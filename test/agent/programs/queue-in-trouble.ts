import { closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Queue, queueLimits } from "../../../src/agent/send/queue.ts";

/** A program for a process of its own, whose descriptors or disk run out: `queue-in-trouble descriptors|disk FOLDER`. */
const [, , what = "", folder = ""] = process.argv;
const at = Date.parse("2026-11-20T08:00:00.000Z");
const lines: string[] = [];
const queue = await Queue.open(folder, {
  limits: { ...queueLimits, fileBytes: 200 },
  tell: (line) => void lines.push(line),
});
const append = (second: number): Promise<() => Promise<void>> =>
  queue.append({
    at: at + second * 1000,
    sample: { sampled_at: new Date(at + second * 1000).toISOString() },
  });

async function takeAll(settles: boolean): Promise<number[]> {
  const taken: number[] = [];
  for (let batch = await queue.oldest(); batch; batch = settles ? await queue.oldest() : null) {
    taken.push(...batch.entries.map((entry) => (entry.at - at) / 1000));
    if (settles) await batch.settle();
  }
  return taken;
}

async function outOfDescriptors(): Promise<unknown> {
  for (let second = 0; second < 10; second += 1) await append(second);
  // A file that is appended to is closed before it is read, which would leave a descriptor.
  await queue.close();
  const before = readdirSync(folder).length;
  const held: number[] = [];
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EMFILE")) throw error;
  }
  const during = [];
  for (let round = 0; round < 3; round += 1) during.push(await takeAll(false));
  await append(10);
  await append(11);
  const { waiting, gap } = queue;
  for (const descriptor of held) closeSync(descriptor);
  return { before, after: readdirSync(folder).length, during, waiting, gap, taken: await takeAll(true) };
}

async function outOfRoom(): Promise<unknown> {
  await append(0);
  const filler = join(folder, "filler");
  const fill = (): void => {
    for (const size of [4096, 1]) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    }
  };
  fill();
  for (let second = 1; second < 40; second += 1) await append(second);
  const { waiting, isHolding } = queue;
  rmSync(filler);
  await append(40);
  const onDisk = !queue.isHolding;
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  await queue.close();
  const again = await Queue.open(folder);
  return { waiting, isHolding, onDisk, isEmpty: sizes.every((size) => size === 0), again: again.waiting };
}

const found = what === "disk" ? await outOfRoom() : await outOfDescriptors();
process.stdout.write(`${JSON.stringify({ found, lines })}\n`);
