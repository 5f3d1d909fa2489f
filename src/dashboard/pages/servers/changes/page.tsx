import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { changeOfEntry } from "../../../../core/health/changes.ts";
import type { Instant } from "../../../../core/time.ts";
import { listAccountEvents } from "../../../../endpoints/api/event/list-account-events.ts";
import { personPage, type PageContent, type PageRequest } from "../../../page.ts";
import { EmptyList, KeptWords, type Kept } from "../../../parts/empty-list.tsx";
import { nullIfRefused, planRefusals } from "../../../parts/null-if-refused.ts";
import { PlanNotice } from "../../../parts/plan.tsx";
import { Card, Empty } from "../../../parts/state.tsx";
import { NextPage } from "../../../parts/table.tsx";
import { Text } from "../../../parts/value.tsx";
import { ChangeWords } from "../change-words.tsx";
import { TimelineEntry } from "../timeline/timeline-entry.tsx";

/** What changed on all servers: software, settings and health, or everything that happened. */
export const changesPage = personPage({ path: "/servers/changes", show });

/** On one page. */
const entries = 30;

type Event = PersonAnswer<typeof listAccountEvents>["data"][number];

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { now, person, plans, query, call } = request;
  const isAll = query.get("all") === "yes";
  const cursor = query.get("cursor");
  const found = await nullIfRefused(
    planRefusals,
    call(listAccountEvents, {
      limit: entries,
      ...(!isAll && { changed: true }),
      ...(cursor !== null && { cursor }),
    }),
  );
  return {
    title: "What changed",
    body: (
      <>
        <div class="title">
          <h1>What changed on all servers</h1>
          <a href="/servers">Servers</a>
        </div>
        <PlanNotice plans={plans} account={person.account} feature="monitoring">
          The timelines of your servers are part of monitoring.
        </PlanNotice>
        {found && (
          <Card title="Newest first" aside={<Which isAll={isAll} />}>
            {found.data.length === 0 ? (
              <NoChange query={query} now={now} shownDays={person.limits.retention_days} />
            ) : (
              <ol class="timeline">
                {found.data.map((event) => (
                  <Change key={event.id} event={event} now={now} />
                ))}
              </ol>
            )}
            <NextPage cursor={found.page.cursor} query={query} />
          </Card>
        )}
      </>
    ),
  };
}

const Which = ({ isAll }: { isAll: boolean }) => (
  <nav aria-label="Which entries">
    <ul class="chips">
      <li>
        <a href="/servers/changes" aria-current={isAll ? undefined : "true"}>
          software, settings and health
        </a>
      </li>
      <li>
        <a href="/servers/changes?all=yes" aria-current={isAll ? "true" : undefined}>
          everything
        </a>
      </li>
    </ul>
  </nav>
);

function Change({ event, now }: { event: Event; now: Instant }) {
  const { server_id, server_name, title } = event;
  const change = changeOfEntry(event);
  return (
    <TimelineEntry
      event={event}
      now={now}
      title={change ? <ChangeWords of={change} /> : <Text value={title} />}
      hrefOf={null}
    >
      <p class="small quiet">
        <a href={`/servers/${server_id}/timeline`}>
          <Text value={server_name} none="Server without a name" />
        </a>
      </p>
    </TimelineEntry>
  );
}

function NoChange({ query, now, shownDays }: { query: URLSearchParams; now: Instant; shownDays: number }) {
  const kept: Kept = { days: shownDays, by: "plan" };
  return (
    <EmptyList query={query} now={now} one="entry" all="/servers/changes" kept={kept}>
      <Empty
        title={`No change in the last ${shownDays} days`}
        next={<a href="/servers">Look at your servers</a>}
      >
        <p>Changed plugins, versions, settings and states of all servers are listed here.</p>
        <KeptWords kept={kept} />
      </Empty>
    </EmptyList>
  );
}
