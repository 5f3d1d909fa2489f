import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Moment } from "../core/backup/schedule.ts";

export interface BackupClock {
  now(): Moment;
  /** Resolves after `ms`, or as soon as `signal` aborts. */
  rest(ms: number, signal: AbortSignal): Promise<void>;
}

const bootFile = "/proc/sys/kernel/random/boot_id";

/** Identifies a boot of the machine. If the system does not tell it, each process has its own id. */
function bootId(): string {
  try {
    return readFileSync(bootFile, "utf8").trim();
  } catch {
    return randomUUID();
  }
}

/** Every process of one boot reads the same ticks. */
export function machineClock(): BackupClock {
  const boot = bootId();
  return {
    now: () => ({ boot, ticks: Number(process.hrtime.bigint() / 1_000_000n), wall: Date.now() }),
    rest: (ms, signal) => delay(ms, undefined, { signal, ref: true }).catch(() => {}),
  };
}
