import { afterEach, expect, it, vi } from "vitest";
import { lateReads } from "../../../../src/store/engine/open-database.ts";
import { ReplicaLog } from "../../../../src/store/engine/replica/replica-log.ts";
import type { ReadReplica } from "../../../../src/store/engine/replica/replica.ts";
import { memoryDatabase } from "../../../support/memory-database.ts";
import { times } from "../rows.ts";

afterEach(() => vi.useRealTimers());

/** One that is always near enough, and answers every unit so. */
const answering = (value: unknown): ReadReplica => ({
  lagMs: () => 0,
  isUsed: () => true,
  tryRead: async () => ({ value: value as never }),
  close: async () => {},
});

it("[OUR-STO-207] an account that changed something reads from the primary for longer than the replica may be behind", async () => {
  vi.useFakeTimers();
  const db = memoryDatabase();
  const reads = lateReads(db, answering("late"));
  reads.noteChange("one");
  vi.advanceTimersByTime(2500);
  expect(reads.readerFor("one")).toBe(db);
  expect(await reads.readerFor("other").read(function* () {})).toBe("late");
  expect(await reads.readerFor(null).read(function* () {})).toBe("late");
  vi.advanceTimersByTime(600);
  expect(reads.readerFor("one")).not.toBe(db);
  await db.close();
});

it("[OUR-STO-207] the accounts that are remembered for it are bounded, and the newest stay", async () => {
  const db = memoryDatabase();
  const reads = lateReads(db, answering("late"));
  for (const index of times(10_001)) reads.noteChange(`account ${index}`);
  expect(reads.readerFor("account 0")).not.toBe(db);
  expect(reads.readerFor("account 1")).toBe(db);
  expect(reads.readerFor("account 10000")).toBe(db);
  await db.close();
});

it("[OUR-STO-201] without a replica the database itself answers", async () => {
  const db = memoryDatabase();
  const reads = lateReads(db, null);
  reads.noteChange("an account");
  expect(reads.readerFor("an account")).toBe(db);
  expect(reads.readerFor(null)).toBe(db);
  await db.close();
});

it("[OUR-STO-205] the log has one entry at each change, and at most one warning a minute", () => {
  const entries: [level: string, words: string][] = [];
  const log = new ReplicaLog((level, words) => void entries.push([level, words]));
  const levels = (): string[] => entries.splice(0).map(([level]) => level);
  for (let now = 0; now < 120_000; now += 500) log.noteUsed();
  expect(levels()).toEqual(["info"]);
  for (let now = 120_000; now < 300_000; now += 500) log.noteUnused(now, "it is away");
  expect(levels()).toEqual(["warn"]);
  log.noteUsed();
  expect(levels()).toEqual(["info"]);
  for (let now = 300_000; now < 359_000; now += 1000) {
    log.noteUnused(now, "it is away");
    log.noteUsed();
  }
  expect(levels()).toEqual(["warn", "info"]);
});
