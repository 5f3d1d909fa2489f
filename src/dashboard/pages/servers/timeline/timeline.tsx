import { suspectsIn } from "../../../../core/health/suspects.ts";
import { EventCategory, type ServerEvent } from "../../../../core/event/server-event.ts";
import type { Instant } from "../../../../core/time.ts";
import { chartsAround } from "../../../parts/charts-around.ts";
import { wordsOf } from "../server-state.tsx";
import { EmptyList, KeptWords, type Kept } from "../../../parts/empty-list.tsx";
import { Card, Empty } from "../../../parts/state.tsx";
import { TimelineEntry } from "./timeline-entry.tsx";
import { NextPage } from "../../../parts/table.tsx";
import { span, Text } from "../../../parts/value.tsx";

interface TimelineProps {
  /** The server's id. */
  readonly server: string;
  readonly events: readonly ServerEvent[];
  readonly cursor: string | null;
  readonly category: EventCategory | null;
  readonly query: URLSearchParams;
  readonly now: Instant;
  /** The days of the timeline that the account's plan shows. */
  readonly shownDays: number;
}

export function Timeline({ server, events, cursor, category, query, now, shownDays }: TimelineProps) {
  return (
    <Card
      title="Timeline"
      id="timeline"
      aside={<Categories server={server} chosen={category} query={query} />}
    >
      {events.length === 0 ? (
        <NoEvents server={server} query={query} now={now} shownDays={shownDays} />
      ) : (
        <ol class="timeline">
          {events.map((event) => (
            <Event key={event.id} event={event} now={now} />
          ))}
        </ol>
      )}
      <NextPage cursor={cursor} query={query} />
    </Card>
  );
}

function Categories({
  server,
  chosen,
  query,
}: {
  server: string;
  chosen: EventCategory | null;
  query: URLSearchParams;
}) {
  const href = (category: string | null): string => {
    const next = new URLSearchParams(query);
    next.delete("cursor");
    if (category === null) next.delete("category");
    else next.set("category", category);
    return next.size === 0 ? `/servers/${server}/timeline` : `?${next}`;
  };
  return (
    <nav aria-label="Category of the timeline">
      <ul class="chips">
        <li>
          <a href={href(null)} aria-current={chosen === null ? "true" : undefined}>
            all
          </a>
        </li>
        {EventCategory.options.map((category) => (
          <li key={category}>
            <a href={href(category)} aria-current={chosen === category ? "true" : undefined}>
              {category}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Event({ event, now }: { event: ServerEvent; now: Instant }) {
  const { title, duration_ms, source, type, category, metadata, server_id } = event;
  const suspects = type === "server_crash" ? suspectsIn(metadata) : [];
  return (
    <TimelineEntry
      event={event}
      now={now}
      title={<Text value={title} />}
      hrefOf={(at) => chartsAround(server_id, at)}
    >
      {suspects.length > 0 && (
        <p class="small">
          The crash report suspects: <Text value={suspects.join(", ")} />
        </p>
      )}
      <p class="small quiet">
        {category} · <Text value={wordsOf(type)} /> · <Text value={source} />
        {duration_ms !== null && ` · took ${span(duration_ms)}`}
      </p>
      {metadata !== null && (
        <details class="small">
          <summary>Details</summary>
          <pre>{JSON.stringify(metadata, null, 2)}</pre>
        </details>
      )}
    </TimelineEntry>
  );
}

/** What a server of which nothing is known yet needs is another reason than a filter or the days of the plan. */
function NoEvents({
  server,
  query,
  now,
  shownDays,
}: Pick<TimelineProps, "server" | "query" | "now" | "shownDays">) {
  const kept: Kept = { days: shownDays, by: "plan" };
  return (
    <EmptyList
      query={query}
      now={now}
      one="event"
      all={`/servers/${server}/timeline`}
      filters={["category"]}
      kept={kept}
    >
      <Empty
        title={`No event in the last ${shownDays} days`}
        next={
          <p>
            Start or restart the server: that is an event.{" "}
            <a href={`/servers/${server}/first-steps`}>First steps</a> shows whether the service hears of it.
          </p>
        }
      >
        <p>Starts, stops, bans, benchmarks and what tokens do are listed here.</p>
        <KeptWords kept={kept} />
      </Empty>
    </EmptyList>
  );
}
