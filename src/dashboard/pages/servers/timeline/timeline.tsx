import { EventCategory, type ServerEvent } from "../../../../core/event/server-event.ts";
import type { Instant } from "../../../../core/time.ts";
import { chartsAround } from "../../../parts/charts-around.ts";
import { wordsOf } from "../server-state.tsx";
import { Card, Empty, State, type Meaning } from "../../../parts/state.tsx";
import { NextPage } from "../../../parts/table.tsx";
import { Age, clock, span, Text } from "../../../parts/value.tsx";

const meanings: Readonly<Partial<Record<ServerEvent["severity"], Meaning>>> = {
  warning: "watch",
  error: "bad",
};

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
        <NoEvents
          server={server}
          category={category}
          shownDays={shownDays}
          isEnd={query.get("cursor") !== null}
        />
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
  const { severity, title, description, timestamp, duration_ms, source, type, category, metadata } = event;
  return (
    <li>
      <div class="when small quiet">
        {timestamp === null ? (
          "time not reported"
        ) : (
          <>
            <Age at={timestamp} now={now} /> <br />
            <a href={chartsAround(event.server_id, Date.parse(timestamp))} title="Charts around this time">
              {clock(timestamp)}
            </a>
          </>
        )}
      </div>
      <div>
        <p>
          <Severity severity={severity} />{" "}
          <strong>
            <Text value={title} />
          </strong>
        </p>
        {description !== null && (
          <p class="small">
            <Text value={description} />
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
      </div>
    </li>
  );
}

function Severity({ severity }: { severity: ServerEvent["severity"] }) {
  const means = meanings[severity];
  return means ? <State means={means}>{severity}</State> : <span class="small quiet">{severity}</span>;
}

interface NoEventsProps extends Pick<TimelineProps, "server" | "category" | "shownDays"> {
  /** A page behind the last entry. */
  readonly isEnd: boolean;
}

/** A filter, the days of the plan and a server of which nothing is known yet are different reasons. */
function NoEvents({ server, category, shownDays, isEnd }: NoEventsProps) {
  const ofPlan = <p>The plan shows the last {shownDays} days. What happened before is not shown.</p>;
  if (isEnd)
    return (
      <Empty title="No older event" next={<a href={`/servers/${server}/timeline`}>Show the newest events</a>}>
        {ofPlan}
      </Empty>
    );
  if (category !== null)
    return (
      <Empty
        title={`No event of the category ${category}`}
        next={<a href={`/servers/${server}/timeline`}>Show all events</a>}
      >
        {ofPlan}
      </Empty>
    );
  return (
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
      {ofPlan}
    </Empty>
  );
}
