import { minuteMs, type Instant } from "../../../core/time.ts";
import type { PlotData } from "./plot-data.ts";

/** A small chart shows three hours on 120 pixels: a minute is less than one of them. */
const keptForMs = minuteMs;
/** Charts that are kept: of 60 points each, some 2 kB. */
const mostPlots = 5000;

interface Kept {
  readonly plot: PlotData | null;
  readonly readAt: Instant;
}

/**
 * The small charts of servers, in the memory of this process: the page of a fleet is renewed every 15 seconds, and most
 * of its time went into reading three hours of every server again.
 */
export class PlotMemory {
  readonly #kept = new Map<string, Kept>();

  /** The chart of a server, at most a minute old; `read` reads it anew. The key names whoever may see it as well. */
  async of(key: string, now: Instant, read: () => Promise<PlotData | null>): Promise<PlotData | null> {
    const kept = this.#kept.get(key);
    if (kept && now >= kept.readAt && now - kept.readAt < keptForMs) return kept.plot;
    const plot = await read();
    // A new one stands last, so that the first one is the oldest.
    this.#kept.delete(key);
    this.#kept.set(key, { plot, readAt: now });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostPlots) break;
      this.#kept.delete(oldest);
    }
    return plot;
  }
}
