import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Moment } from "../core/backup/schedule.ts";

/** The time by which backups are made. */
export interface BackupClock {
  now(): Moment;
  /** Resolves after so long, and as soon as `signal` ends the wait. */
  rest(ms: number, signal: AbortSignal): Promise<void>;
}

const bootFile = "/proc/sys/kernel/random/boot_id";

/** What tells this boot of the machine from others; where the system does not say, each process counts for itself. */
function bootId(): string {
  try {
    return readFileSync(bootFile, "utf8").trim();
  } catch {
    return randomUUID();
  }
}

/** The clocks of this machine. Every process of one boot reads the same ticks. */
export function machineClock(): BackupClock {
  const boot = bootId();
  return {
    now: () => ({ boot, ticks: Number(process.hrtime.bigint() / 1_000_000n), wall: Date.now() }),
    rest: (ms, signal) => delay(ms, undefined, { signal, ref: true }).catch(() => {}),
  };
}
