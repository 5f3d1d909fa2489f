import { dayMs, hourMs, minuteMs } from "../time.ts";

/** The version of the rules, in every answer; a changed threshold changes it. */
export const healthVersion = "1";

/** "Now" is this long before the end of the period, ms, and needs this many samples. */
export const nowMs = 15 * minuteMs;
export const leastSamplesNow = 10;

/** Ticks of a boot are not judged before this, ms: worlds load and the JVM compiles. */
export const startingMs = 10 * minuteMs;

/** Rules read this much before the end of the period, ms, */
export const watchedMs = 3 * hourMs;
/** and search at least this far back for the beginning of a finding that held all the while, ms. */
export const tracedMs = dayMs;
/** Timeline entries are read this much before the period, ms: an episode may have begun before it. */
export const earlierEventsMs = dayMs;

/** A tick has 50 ms (20 a second); 40 ms is the warning level of the diagnosis of benchmarks too. */
export const tickBudgetMs = 50;
export const tickWarningMs = 40;
/** Without MSPT: 18 of 20 ticks a second. */
export const leastTps = 18;

/** This many unclean ends within 24 hours are a crash loop. */
export const crashLoop = 2;
export const crashWindowMs = dayMs;
/** Unclean ends at most this far apart are one episode, ms. */
export const crashGapMs = dayMs;

/** Least heap after a collection as a share of the limit, as in the diagnosis of benchmarks. */
export const heapWarning = 0.8;
export const heapCritical = 0.9;
/** The least of three hours needs this many measured samples. */
export const leastHeapSamples = 20;

/** Memory of the process as a share of its container's limit, in all samples of "now". */
export const containerWarning = 0.95;

/**
 * Free space of the disk with the worlds, as a share of what the server may use of it. 10 % is where owners can
 * still choose what to delete; the kernel's own reserve of ext4 is 5 %, and at 3 % one backup fills the rest.
 */
export const diskWarning = 0.1;
export const diskCritical = 0.03;
/** On a small disk this is as critical, MB: an autosave and a new log of a usual server fit in it. */
export const diskCriticalMb = 1024;
/** A finding of the disk ends after this time above its limit, ms: a backup that comes and goes is one. */
export const diskEndsAfterMs = hourMs;
/** Growth is judged by the lows of this time, ms, */
export const diskGrowthMs = 7 * dayMs;
/** of at least so many and over so long, ms: with less, one night's backups look like growth. */
export const leastDiskLows = 10;
export const leastDiskGrowthMs = 3 * dayMs;
/** Growth that fills the rest within this time is a finding, ms. */
export const diskFullWithinMs = 7 * dayMs;

/** Median load of the whole machine, %, and the part of it that other programs use, % points. */
export const machineBusy = 90;
export const othersUse = 40;

/** Pauses for garbage collection, % of the last hour. */
export const gcInfo = 2;
export const gcWarning = 10;
export const gcCritical = 25;

/** Single ticks of the last hour, ms, and the number of samples with one that make a finding. */
export const spikeMs = 500;
export const longSpikeMs = 2000;
export const leastSpikes = 3;
/** Samples with a long tick at most this far apart are one episode, ms. */
export const spikeGapMs = 30 * minuteMs;

/** A plugin's own share of the newest profile, %, and the greatest age of that profile, ms. */
export const pluginShare = 20;
export const profileMs = 7 * dayMs;
/** The rise since the former profile, % points, and the greatest age between both profiles, ms. */
export const pluginRise = 5;
export const formerProfileMs = 30 * dayMs;

/** An online server sends a sample at least every minute; this long without one is a gap, ms. */
export const silentMs = 3 * minuteMs;

/** A server should have an alert rule after this time of monitoring, ms. */
export const unguardedMs = dayMs;

/** CPU throttling by a cgroup: its events come at most once an hour, and are one episode up to this gap, ms. */
export const throttledGapMs = 2 * hourMs;
/** Share of time slices, %. */
export const throttledCritical = 25;

/** A change coincides with a finding that begins at most this long after it, or before it, ms. */
export const coincidesBeforeMs = 30 * minuteMs;
export const coincidesAfterMs = 5 * minuteMs;
export const mostCoincidences = 5;

export const mostFindings = 12;
export const mostChanges = 20;
