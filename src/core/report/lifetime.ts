import type { PlanName } from "../access/plan.ts";
import { dayMs, type Instant } from "../time.ts";

/** Uploads from servers of Free accounts are kept for 90 days, ms. */
const freeLifetimeMs = 90 * dayMs;

/** Null: the report or single test never expires. */
export const expiryOn = (plan: PlanName, uploadedAt: Instant): Instant | null =>
  plan === "free" ? uploadedAt + freeLifetimeMs : null;
