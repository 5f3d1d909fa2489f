import type { ComponentChildren } from "preact";
import type { ServerEvent } from "../../../../core/event/server-event.ts";
import type { Instant } from "../../../../core/time.ts";
import { Age, clock, Text } from "../../../parts/value.tsx";
import { Severity } from "./severity.tsx";

interface TimelineEntryProps {
  readonly event: Pick<ServerEvent, "severity" | "description" | "timestamp">;
  readonly now: Instant;
  readonly title: ComponentChildren;
  /** Where its time leads; null for nowhere. */
  readonly hrefOf: ((at: Instant) => string) | null;
  readonly children: ComponentChildren;
}

/** One entry of a timeline: when, how serious, what, and more about it. */
export function TimelineEntry({ event, now, title, hrefOf, children }: TimelineEntryProps) {
  const { severity, description, timestamp } = event;
  return (
    <li>
      <div class="when small quiet">
        {timestamp === null ? (
          "time not reported"
        ) : (
          <>
            <Age at={timestamp} now={now} /> <br />
            {hrefOf === null ? (
              clock(timestamp)
            ) : (
              <a href={hrefOf(Date.parse(timestamp))} title="Charts around this time">
                {clock(timestamp)}
              </a>
            )}
          </>
        )}
      </div>
      <div>
        <p>
          <Severity severity={severity} /> <strong>{title}</strong>
        </p>
        {description !== null && (
          <p class="small">
            <Text value={description} />
          </p>
        )}
        {children}
      </div>
    </li>
  );
}
