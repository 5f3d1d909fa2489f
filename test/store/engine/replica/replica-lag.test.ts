import { expect, it } from "vitest";
import { ReplicaLag } from "../../../../src/store/engine/replica/replica-lag.ts";

it("[OUR-STO-202] the lag is the age of the newest position of the primary that the replica has replayed", () => {
  const lag = new ReplicaLag();
  expect(lag.behindMs(0)).toBeNull();
  lag.noteWritten(1000, 100n);
  lag.noteReplayed(99n);
  expect(lag.behindMs(1100)).toBeNull();
  lag.noteReplayed(100n);
  expect(lag.behindMs(1100)).toBe(100);
  lag.noteWritten(1500, 200n);
  lag.noteWritten(2000, 300n);
  lag.noteReplayed(299n);
  expect(lag.behindMs(2000)).toBe(500);
  // Nothing is measured any more.
  expect(lag.behindMs(9000)).toBe(7500);
});

it("[OUR-STO-202] a primary that is idle makes no lag", () => {
  const lag = new ReplicaLag();
  for (let at = 0; at < 100_000; at += 500) {
    lag.noteWritten(at, 100n);
    lag.noteReplayed(100n);
    expect(lag.behindMs(at)).toBe(0);
  }
});

it("[OUR-STO-202] another server behind the same address counts by what it has replayed itself", () => {
  const lag = new ReplicaLag();
  for (const [at, position] of [
    [1000, 100n],
    [1500, 200n],
    [2000, 300n],
  ] as const) {
    lag.noteWritten(at, position);
    lag.noteReplayed(position);
  }
  expect(lag.behindMs(2000)).toBe(0);
  lag.noteReplayed(250n);
  expect(lag.behindMs(2000)).toBeNull();
});

it("[OUR-STO-202] a replica that stands still for hours is never said to be nearer than it is", () => {
  const lag = new ReplicaLag();
  const position = (at: number): bigint => BigInt(at) * 10n;
  const end = 4 * 3600 * 1000;
  for (let at = 0; at <= end; at += 500) {
    lag.noteWritten(at, position(at));
    lag.noteReplayed(0n);
  }
  expect(lag.behindMs(end)).toBe(end);
  for (const replayed of [1000, 1_000_000, end - 60_000, end - 2000]) {
    lag.noteReplayed(position(replayed));
    expect(lag.behindMs(end)).toBeGreaterThanOrEqual(end - replayed);
  }
  lag.noteReplayed(position(end));
  expect(lag.behindMs(end)).toBe(0);
});
