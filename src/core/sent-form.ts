import { hourMs, ownClockToleranceMs, type Instant } from "./time.ts";

/** So long a form can be sent; less than the 24 hours for which is known that it was, ms. */
const formLifetimeMs = 12 * hourMs;

/** A UUIDv7 begins with the millisecond of its making. */
const formId = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a form with this id was made lately enough that a second sending of it would be noticed. */
export function isFreshForm(id: string, now: Instant): boolean {
  const [, high = "", low = ""] = formId.exec(id) ?? [];
  if (high === "") return false;
  const age = now - Number.parseInt(high + low, 16);
  return age > -ownClockToleranceMs && age < formLifetimeMs;
}
