import type { Fail } from "../../../contract/call/context.ts";
import { permittedPeriod } from "../../../contract/call/permitted-period.ts";
import type { EventFilter } from "../../../core/event/event-filter.ts";
import { EventCategory, EventSeverity } from "../../../core/event/server-event.ts";
import { viewingWindow } from "../../../core/metric/period.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import type { Instant } from "../../../core/time.ts";

/** Filters besides the period; source and type are compared exactly. */
export const eventFilterInput = {
  category: EventCategory.optional(),
  severity: EventSeverity.optional(),
  source: plainText(64, 1).optional(),
  type: plainText(64, 1).optional(),
};

interface AskedTimeline {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly category?: EventCategory | undefined;
  readonly severity?: EventSeverity | undefined;
  readonly source?: string | undefined;
  readonly type?: string | undefined;
}

/** Without a period: everything that the plan shows. Refuses a period that begins earlier. */
export function eventFilter(
  { from, to, category, severity, source, type }: AskedTimeline,
  retentionDays: number,
  now: Instant,
  fail: Fail<"retention_exceeded">,
): EventFilter {
  const usual = viewingWindow(retentionDays, now);
  const period = permittedPeriod({ from, to }, usual, retentionDays, now, fail);
  return {
    from: period.from,
    // Without `to` there is no end: a plugin's clock may run a little ahead of ours.
    to: to === undefined ? null : period.to,
    category: category ?? null,
    severity: severity ?? null,
    source: source ?? null,
    type: type ?? null,
  };
}
