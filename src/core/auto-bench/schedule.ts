import { fires, horizonMs, nextFire, parseCron } from "../cron.ts";
import type { Instant } from "../time.ts";

/** Least time between two runs, ms: a run takes minutes of a server that people play on. */
const shortestGapMs = 60 * 60 * 1000;

/** What is wrong with a schedule on any plan; null if nothing is. */
export function scheduleProblem(text: string, now: Instant): string | null {
  const cron = parseCron(text);
  if (!cron) {
    return "schedule_cron takes five fields: minute, hour, day of month, month and day of week, in UTC, such as 30 4 * * MON.";
  }
  let last: Instant | null = null;
  for (const at of fires(cron, now, now + horizonMs)) {
    if (last !== null && at - last < shortestGapMs)
      return "schedule_cron takes a schedule whose runs start at least 60 minutes apart.";
    last = at;
  }
  return last === null ? "schedule_cron takes a schedule that starts a run within the next 366 days." : null;
}

/** What is wrong with a valid schedule on a plan; null if nothing is. */
export function scheduleQuotaProblem(text: string, runsPerJob: number, runsPerDay: number): string | null {
  const aDay = (parseCron(text)?.times.length ?? 0) * runsPerJob;
  if (aDay <= runsPerDay) return null;
  return `schedule_cron takes a schedule within the plan's ${runsPerDay} runs in 24 hours; this one needs ${aDay}.`;
}

/** Next scheduled run of a target; null if none is scheduled. */
export function nextRun(
  target: { readonly enabled: boolean; readonly scheduleCron: string | null },
  now: Instant,
): Instant | null {
  if (!target.enabled || target.scheduleCron === null) return null;
  const cron = parseCron(target.scheduleCron);
  return cron && nextFire(cron, now);
}
