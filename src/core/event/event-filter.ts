import type { Instant } from "../time.ts";
import type { EventCategory, EventSeverity } from "./server-event.ts";

export interface EventFilter {
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive; null for no end. */
  readonly to: Instant | null;
  readonly category: EventCategory | null;
  readonly severity: EventSeverity | null;
  readonly source: string | null;
  readonly type: string | null;
}
