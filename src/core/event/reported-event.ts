import { z } from "zod";
import { orNull } from "../reported.ts";
import { plainText, thirdPartyText } from "../text/third-party-text.ts";
import { parseInstant, type Instant } from "../time.ts";
import { IsoInstant } from "../timestamp.ts";
import { EventCategory, EventMetadata, EventSeverity, type EventRecord } from "./server-event.ts";

/** Long enough for any run, and sums stay exact integers, ms. */
const longestMs = 1_000_000_000_000;

/** An event as a plugin sends it; unknown keys are ignored, missing nullable ones are null. */
export const ReportedEvent = z.object({
  local_id: plainText(120, 1),
  type: thirdPartyText(64),
  category: EventCategory,
  source: thirdPartyText(64),
  severity: EventSeverity,
  title: thirdPartyText(500),
  description: orNull(thirdPartyText(4000)),
  metadata: orNull(EventMetadata),
  timestamp: orNull(IsoInstant.transform((value) => parseInstant(value) ?? 0)),
  duration_ms: orNull(z.int().min(0).max(longestMs)),
});
export type ReportedEvent = z.infer<typeof ReportedEvent>;

export const EventBatch = z.object({ events: z.array(ReportedEvent).max(500) });

export const eventOf = (
  reported: ReportedEvent,
  {
    id,
    serverId,
    receivedAt,
  }: { readonly id: string; readonly serverId: string; readonly receivedAt: Instant },
): EventRecord => ({
  id,
  serverId,
  localId: reported.local_id,
  type: reported.type,
  category: reported.category,
  source: reported.source,
  severity: reported.severity,
  title: reported.title,
  description: reported.description,
  metadata: reported.metadata,
  happenedAt: reported.timestamp,
  durationMs: reported.duration_ms,
  receivedAt,
});
