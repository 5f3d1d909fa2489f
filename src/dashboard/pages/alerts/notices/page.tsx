import type { SessionCaller } from "../../../../contract/call/caller.ts";
import type { InboxNotice } from "../../../../core/notice/inbox-view.ts";
import { keptMs } from "../../../../core/job/kept-for.ts";
import { dayMs, type Instant } from "../../../../core/time.ts";
import { listNotices } from "../../../../actions/notice/list-notices.ts";
import { markNoticesRead } from "../../../../actions/notice/mark-notices-read.ts";
import { typed } from "../../../form-values.ts";
import {
  personPage,
  type ActionResult,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../../page.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { EmptyList, type Kept } from "../../../parts/empty-list.tsx";
import { Empty, State } from "../../../parts/state.tsx";
import { NextPage } from "../../../parts/table.tsx";
import { Age, Text } from "../../../parts/value.tsx";

/** In-app notices, newest first. */
export const noticesPage = personPage({ path: "/notices", show, actions: { "mark-read": markRead } });

const kinds: Readonly<Record<InboxNotice["kind"], string>> = {
  alert: "alert",
  resolved: "ended",
  token_action: "action of a token",
  report: "new report",
  regression: "regression",
  server_taken: "server taken over",
  test: "test",
};

const kept: Kept = { days: keptMs.inbox / dayMs, by: "service" };

/** On a phone a page of them is lower than 3,500 px. */
const noticesAPage = 15;

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const cursor = typed(request.query, "cursor");
  const { data, page, unread } = await request.call(listNotices, {
    limit: noticesAPage,
    ...(cursor !== undefined && { cursor }),
  });
  return {
    title: "Notices",
    body: (
      <>
        <div class="title">
          <h1>Notices</h1>
          <a href="/settings/notifications">Mail and chat</a>
        </div>
        {data.length === 0 ? (
          <EmptyList query={request.query} now={request.now} one="notice" all="/notices" kept={kept}>
            <Empty
              title="No notices yet"
              next={
                <p>
                  <a href="/servers#link">Link a server</a> to get the first, and{" "}
                  <a href="/settings/notifications">choose</a> whether alerts also reach you by mail or chat.
                </p>
              }
            >
              <p>
                Notices of alerts, new reports, regressions, and of what tokens mute or publish are listed
                here.
              </p>
            </Empty>
          </EmptyList>
        ) : (
          <>
            {unread > 0 && (
              <Form does="mark-read" class="row">
                <span>{unread} unread</span>
                <Button plain>Mark all as read</Button>
              </Form>
            )}
            <div class="card">
              <ol class="entries">
                {data.map((notice) => (
                  <NoticeItem key={notice.id} notice={notice} now={request.now} />
                ))}
              </ol>
            </div>
            <NextPage cursor={page.cursor} query={request.query} />
          </>
        )}
      </>
    ),
  };
}

function NoticeItem({ notice, now }: { notice: InboxNotice; now: Instant }) {
  const { kind, tone, title, lines, link, server_id, created_at, read_at } = notice;
  const server = server_id && `/servers/${server_id}`;
  return (
    <li>
      <div class="title">
        <span class="row">
          {tone !== "info" && <State means={tone}>{kinds[kind]}</State>}
          <strong>
            <Text value={title} />
          </strong>
          {read_at === null && <span class="badge">unread</span>}
          <span class="small quiet">
            <Age at={created_at} now={now} />
          </span>
        </span>
        {tone === "info" && kind !== "report" && <span class="small quiet">{kinds[kind]}</span>}
      </div>
      <p class="evidence">
        {lines.map((line) => (
          <span key={line}>
            <Text value={line} />
          </span>
        ))}
        {link && link !== server && <a href={link}>{kind === "report" ? "The report" : "The alert"}</a>}
        {server && <a href={server}>The server</a>}
      </p>
    </li>
  );
}

async function markRead(sent: Submission<SessionCaller>): Promise<ActionResult> {
  await sent.call(markNoticesRead, {});
  return { to: "/notices" };
}
