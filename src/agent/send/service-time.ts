import { clockToleranceMs } from "../../core/metric/clock.ts";
import { parseInstant, toTimestamp, type Instant } from "../../core/time.ts";
import type { Entry } from "./queue-file.ts";
import type { Steady } from "./steady.ts";

/**
 * The service's time, by the steady clock of this machine. The machine's own clock may be wrong when an entry
 * is measured or sent, and the service accepts only times near its own.
 */
export class ServiceTime {
  #known: { readonly boot: string; readonly startedAt: Instant } | null = null;

  #isAsked = false;

  /** Whether the service was asked; an older service does not tell its time. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Call it when the answer arrives. */
  note(serverTime: string | undefined, { boot, up }: Steady): void {
    this.#isAsked = true;
    const at = parseInstant(serverTime ?? "");
    if (at !== null) this.#known = { boot, startedAt: at - up };
  }

  /** Redated by the service's clock if ours was too far off, unless the machine was restarted since. */
  placed(entry: Entry): Entry {
    const { steady, at } = entry;
    if (this.#known === null || steady?.boot !== this.#known.boot) return entry;
    const offMs = this.#known.startedAt + steady.up - at;
    if (Math.abs(offMs) <= clockToleranceMs) return entry;
    const moved = (timestamp: string): string => toTimestamp((parseInstant(timestamp) ?? at) + offMs);
    if ("sample" in entry)
      return { ...entry, sample: { ...entry.sample, sampled_at: moved(entry.sample.sampled_at) } };
    const { timestamp } = entry.event;
    return { ...entry, event: { ...entry.event, timestamp: timestamp ? moved(timestamp) : null } };
  }
}
