import type { DaySeconds } from "../../core/status-page/days.ts";
import { hourMs, minuteMs, type Instant } from "../../core/time.ts";

/** Days of a server that are over, oldest first. */
export interface PastDays {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly days: readonly DaySeconds[];
}

interface Kept extends PastDays {
  readonly workedOutAt: Instant;
}

/** Data of a day may arrive for as long as an agent keeps it, so the days are worked out anew after a while. */
const keptForMs = 6 * hourMs;
/** A clock that was set back by more has them worked out anew as well. */
const clockStepMs = 5 * minuteMs;
/** Servers whose days are kept: 90 days of four numbers each, some 15 kB a server. */
const mostServers = 500;

/**
 * The past days of servers on public pages, in the memory of this process: working out 90 days reads 90 blocks of
 * samples, and only the last day changes from minute to minute.
 */
export class PastDaysMemory {
  readonly #kept = new Map<string, Kept>();

  /** The days from `from` to `to`; `read` works them out where they are not kept, or no longer. */
  async of(
    server: string,
    { from, to, now }: { readonly from: Instant; readonly to: Instant; readonly now: Instant },
    read: () => Promise<readonly DaySeconds[]>,
  ): Promise<readonly DaySeconds[]> {
    const kept = this.#kept.get(server);
    const age = now - (kept?.workedOutAt ?? -Infinity);
    if (kept?.from === from && kept.to === to && age < keptForMs && age > -clockStepMs) return kept.days;
    const days = await read();
    this.#kept.delete(server);
    this.#kept.set(server, { from, to, days, workedOutAt: now });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostServers) break;
      this.#kept.delete(oldest);
    }
    return days;
  }
}
