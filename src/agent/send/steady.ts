import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { nullIfClosed } from "../../core/failure-code.ts";

/** A moment by a clock that nobody sets: the machine's boot, and the time since then. */
export interface Steady {
  readonly boot: string;
  /** Since the boot, ms. */
  readonly up: number;
}

/** Changes with each boot. Without the kernel's id it is random: no two processes then share a clock. */
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

/** The time between two moments, ms; null if the machine was restarted between them. */
export const steadySpan = (from: Steady | null, to: Steady): number | null =>
  from?.boot === to.boot ? to.up - from.up : null;
