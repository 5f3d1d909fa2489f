import { minuteMs } from "../../../core/time.ts";
import { TimedCache } from "../../../core/timed-cache.ts";
import type { PlotData } from "./plot-data.ts";

/** By account and server. */
export type PlotCache = TimedCache<PlotData | null>;

/**
 * The fleet page is renewed every 15 seconds, and reading three hours of every server took most of its time.
 * In a chart of three hours on 120 px, a minute is less than a pixel. An entry takes about 2 kB.
 */
export const plotCache = (): PlotCache => new TimedCache({ maxAgeMs: minuteMs, clockStepMs: 0, most: 5000 });
