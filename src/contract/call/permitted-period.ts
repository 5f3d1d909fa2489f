import {
  beyondRetention,
  isMistake,
  readPeriod,
  type Period,
  type RequestedPeriod,
} from "../../core/metric/period.ts";
import type { Instant } from "../../core/time.ts";
import type { Fail } from "./context.ts";

/** Refuses a period that contradicts itself, and names the parameter. */
export function checkPeriod(requested: RequestedPeriod, now: Instant, fail: Fail<"validation_error">): void {
  const period = readPeriod(requested, now);
  if (isMistake(period)) fail("validation_error", period.message, { field: period.field });
}

/** Returns `usual` if no period was requested. Refuses one that begins earlier than `retentionDays` ago. */
export function permittedPeriod(
  requested: RequestedPeriod,
  usual: Period,
  retentionDays: number,
  now: Instant,
  fail: Fail<"retention_exceeded">,
): Period {
  const read = readPeriod(requested, now);
  const period = read === null || isMistake(read) ? usual : read;
  const beyond = beyondRetention(period, retentionDays, now);
  return beyond ? fail("retention_exceeded", beyond.message, { ...beyond.details }) : period;
}
