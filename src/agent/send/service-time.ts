import { clockToleranceMs } from "../../core/metric/clock.ts";
import { parseInstant, toTimestamp, type Instant } from "../../core/time.ts";
import type { Entry } from "./queue-file.ts";
import type { Steady } from "./steady.ts";

/**
 * The service's time, by the steady clock of this machine. The machine's own clock may be wrong when something is measured,
 * and right again when it is sent, or the other way round; the service believes times that are near its own.
 */
export class ServiceTime {
  #known: { readonly boot: string; readonly startedAt: Instant } | null = null;

  #isAsked = false;

  /** Whether the service was asked for its time; an older service does not say it. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** The service said its time in an answer of this moment. */
  note(serverTime: string | undefined, { boot, up }: Steady): void {
    this.#isAsked = true;
    const at = parseInstant(serverTime ?? "");
    if (at !== null) this.#known = { boot, startedAt: at - up };
  }

  /**
   * The entry as the service would have dated it, where the machine's clock was further off than the service believes, and
   * the machine ran through since; else the entry as it is.
   */
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
