import { dayMs, hourMs, minuteMs } from "../time.ts";

/** The version of the rules below; an answer names it, and a changed threshold changes it. */
export const healthVersion = "1";

/** Samples of this long before the end of the period are "now", and so many of them are needed to judge by. */
export const nowMs = 15 * minuteMs;
export const leastSamplesNow = 10;

/** A boot is not judged by its ticks before this: worlds load and the JVM compiles. */
export const startingMs = 10 * minuteMs;

/** Samples that rules look at, before the end of the period, */
export const watchedMs = 3 * hourMs;
/** and so long the beginning of a finding is looked for that held all the while. */
export const tracedMs = dayMs;

/** A tick has 50 ms (20 ticks a second); the diagnosis of benchmarks warns from 40 ms with late ticks (decided with it). */
export const tickBudgetMs = 50;
export const tickWarningMs = 40;
/** Where MSPT is not measured: 18 of 20 ticks a second. */
export const leastTps = 18;

/** Unclean ends of the last 24 hours that make a crash loop. */
export const crashLoop = 2;
export const crashWindowMs = dayMs;

/** Least heap after a collection as a share of the heap's limit, as in the diagnosis of benchmarks. */
export const heapWarning = 0.8;
export const heapCritical = 0.9;
/** The least of three hours says something only with so many measured samples. */
export const leastHeapSamples = 20;

/** Memory of the process as a share of its container's limit, all samples of "now". */
export const containerWarning = 0.95;

/** Median load of the whole machine, percent; and the share of it that other programs use, points. */
export const machineBusy = 90;
export const othersUse = 40;

/** Time that the game stands still for garbage collection, percent of the last hour. */
export const gcInfo = 2;
export const gcWarning = 10;
export const gcCritical = 25;

/** Single ticks of the last hour, ms, and how many samples with one make a finding. */
export const spikeMs = 500;
export const longSpikeMs = 2000;
export const leastSpikes = 3;

/** A plugin's own share of the newest profile, percent, and how old that profile may be. */
export const pluginShare = 20;
export const profileMs = 7 * dayMs;
/** By how many points it grew since the newest profile before the ticks became late, and how much older that may be. */
export const pluginRise = 5;
export const formerProfileMs = 30 * dayMs;

/** An online server sends a sample at least every minute; three minutes without one are a gap. */
export const silentMs = 3 * minuteMs;

/** A server that has been monitored for so long should have an alert rule. */
export const unguardedMs = dayMs;

/** Processors that a cgroup throttles: the event of the last hour, and the share of its time slices, percent. */
export const throttledMs = hourMs;
export const throttledCritical = 25;

/** A change coincides with a finding that began so long after it, or shortly before it. */
export const coincidesBeforeMs = 30 * minuteMs;
export const coincidesAfterMs = 5 * minuteMs;
export const mostCoincidences = 5;

export const mostFindings = 12;
export const mostChanges = 20;
