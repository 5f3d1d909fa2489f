import type { PlanName } from "../access/plan.ts";
import { dayMs, type Instant } from "../time.ts";

/** What servers of Free accounts upload is kept for 90 days, ms. */
const freeLifetimeMs = 90 * dayMs;

/** When a report or single test of a server on that plan expires; null: it stays. */
export const expiryOn = (plan: PlanName, uploadedAt: Instant): Instant | null =>
  plan === "free" ? uploadedAt + freeLifetimeMs : null;
