import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { nullIfClosed } from "../../core/failure-code.ts";

/** A moment by a clock that nobody sets: the time since this machine started, and which start it was. */
export interface Steady {
  readonly boot: string;
  /** Since that start, ms. */
  readonly up: number;
}

/** Another one after each start of the machine. Where the kernel shows none, no two processes share a clock. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim().slice(0, 8);
  } catch (error) {
    return nullIfClosed(error) ?? randomUUID().slice(0, 8);
  }
}

let boot: string | null = null;

export function steadyNow(): Steady {
  boot ??= bootId();
  return { boot, up: Math.round(uptime() * 1000) };
}

/** The time from one moment to another, ms; null if the machine started anew between them. */
export const steadySpan = (from: Steady | null, to: Steady): number | null =>
  from?.boot === to.boot ? to.up - from.up : null;
