import { minuteMs } from "../../../core/time.ts";
import { TimedCache } from "../../../core/timed-cache.ts";
import type { PlotData } from "./plot-data.ts";

/** The small charts of servers, by the account that sees them and the server. */
export type PlotCache = TimedCache<PlotData | null>;

/**
 * The page of a fleet is renewed every 15 seconds, and most of its time went into reading three hours of every server
 * again. A chart shows three hours on 120 pixels: a minute is less than one of them. It takes some 2 kB.
 */
export const plotCache = (): PlotCache => new TimedCache({ maxAgeMs: minuteMs, clockStepMs: 0, most: 5000 });
