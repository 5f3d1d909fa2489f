import { hourMs, ownClockToleranceMs, type Instant } from "./time.ts";

/** A form can be sent for this long, ms: less than the 24 hours for which sent forms are remembered. */
const formLifetimeMs = 12 * hourMs;

/** A UUIDv7 begins with its creation time, ms. */
const formId = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether the form is so new that a repeated sending would be noticed. */
export function isFreshForm(id: string, now: Instant): boolean {
  const [, high = "", low = ""] = formId.exec(id) ?? [];
  if (high === "") return false;
  const age = now - Number.parseInt(high + low, 16);
  return age > -ownClockToleranceMs && age < formLifetimeMs;
}
