import { toTimestamp, type Instant } from "../time.ts";
import type { SeriesChunk } from "./chunk.ts";
import type { MetricSeries } from "./metric-series.ts";

/** The stretches of imported points of a series; a point that the server sent ends one. */
export class ImportedStretches {
  readonly #stretches: { readonly from: Instant; to: Instant; points: number }[] = [];
  /** Whether the newest point is imported. */
  #isOpen = false;

  /** Chunks come in order of time. */
  add({ times, imported }: SeriesChunk): void {
    if (imported === undefined) {
      this.#isOpen &&= times.length === 0;
      return;
    }
    const marks = imported.values();
    for (const [index, at] of times.entries()) {
      const isImported = marks[index] === 1;
      const open = this.#isOpen ? this.#stretches.at(-1) : undefined;
      if (isImported && open) Object.assign(open, { to: at, points: open.points + 1 });
      else if (isImported) this.#stretches.push({ from: at, to: at, points: 1 });
      this.#isOpen = isImported;
    }
  }

  written(): MetricSeries["imported"] {
    return this.#stretches.map(({ from, to, points }) => ({
      source: "spark",
      from: toTimestamp(from),
      to: toTimestamp(to),
      points,
    }));
  }
}
