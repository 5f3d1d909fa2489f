import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { EventCategory } from "../../../../core/event/server-event.ts";
import { listServerEvents } from "../../../../endpoints/api/event/list-server-events.ts";
import { getServerStatus } from "../../../../endpoints/api/server/get-server-status.ts";
import { getCaptureState } from "../../../../actions/server/get-capture-state.ts";
import { personPage, type PageContent, type PageRequest } from "../../../page.ts";
import { nullIfRefused, planRefusals } from "../../../parts/null-if-refused.ts";
import { ServerHead } from "../../../parts/server-head.tsx";
import { WithoutMonitoring } from "../without-monitoring.tsx";
import { Timeline } from "./timeline.tsx";

export const serverTimelinePage = personPage({ path: "/servers/{id}/timeline", show });

/** On one page. */
const entries = 20;

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { now, person, query } = request;
  const server_id = request.params["id"] ?? "";
  // This call comes first and alone: it refuses a server of another account.
  await request.call(getServerStatus, { server_id });
  const [{ server_name: name }, timeline] = await Promise.all([
    request.call(getCaptureState, { server_id }),
    readTimeline(request, server_id),
  ]);
  return {
    title: `Timeline of ${name ?? "a server without a name"}`,
    body: (
      <>
        <ServerHead id={server_id} name={name} />
        {timeline ? (
          <Timeline
            {...timeline}
            server={server_id}
            query={query}
            now={now}
            shownDays={person.limits.retention_days}
          />
        ) : (
          <WithoutMonitoring account={person.account} />
        )}
      </>
    ),
  };
}

/** An unknown category is ignored. */
async function readTimeline(request: PageRequest<SessionCaller>, server_id: string) {
  const category = EventCategory.safeParse(request.query.get("category")).data ?? null;
  const cursor = request.query.get("cursor");
  const page = await nullIfRefused(
    planRefusals,
    request.call(listServerEvents, {
      server_id,
      limit: entries,
      ...(category !== null && { category }),
      ...(cursor !== null && { cursor }),
    }),
  );
  return page && { events: page.data, cursor: page.page.cursor, category };
}
