import type { TimePosition } from "../position.ts";
import type { Instant } from "../time.ts";
import type { EventCategory, EventRecord, EventSeverity } from "./server-event.ts";

export interface EventFilter {
  /** At or after. */
  readonly from: Instant;
  /** Before; null for no end. */
  readonly to: Instant | null;
  readonly category: EventCategory | null;
  readonly severity: EventSeverity | null;
  readonly source: string | null;
  readonly type: string | null;
}

export interface EventStore {
  /**
   * Stores what a plugin reported and raises what event rules make of it, in one step; answers the events that were new: a server's local id stands for one event.
   */
  record(serverId: string, events: readonly EventRecord[], now: Instant): Promise<EventRecord[]>;
  /** A server's timeline, newest first. */
  list(
    serverId: string,
    filter: EventFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<EventRecord[]>;
}
