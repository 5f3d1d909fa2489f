import { expect, it } from "vitest";
import { Unavailable } from "../../../src/core/errors.ts";
import { DiskRoom } from "../../../src/store/engine/disk-room.ts";
import { handClock, minuteMs, secondMs } from "../../support/clock.ts";

it("[OUR-OPS-10] a disk is full from the first write that met it until none met it for a minute", () => {
  const clock = handClock(0);
  const room = new DiskRoom(clock.now);
  room.saved();
  room.failed(new Unavailable(null, "locked"));
  room.failed(new Error("a mistake"));
  expect(room.isFull).toBe(false);
  room.failed(new Unavailable(null, "full"));
  expect(room.isFull).toBe(true);
  // A counter that fits says nothing of what is to be saved next.
  clock.advance(30 * secondMs);
  room.saved();
  expect(room.isFull).toBe(true);
  room.failed(new Unavailable(null, "full"));
  clock.advance(minuteMs - 1);
  room.saved();
  expect(room.isFull).toBe(true);
  clock.advance(1);
  expect(room.isFull).toBe(true);
  room.saved();
  expect(room.isFull).toBe(false);
});
