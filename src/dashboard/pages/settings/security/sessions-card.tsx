import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { browserName } from "../../../../core/access/browser-name.ts";
import type { Instant } from "../../../../core/time.ts";
import { endOtherSessions } from "../../../../actions/access/end-other-sessions.ts";
import { endSession } from "../../../../actions/access/end-session.ts";
import { rememberDevice } from "../../../../actions/access/remember-device.ts";
import type { listSessions } from "../../../../actions/access/list-sessions.ts";
import type { ActionResult, Submission } from "../../../page.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Age, Text } from "../../../parts/value.tsx";

type Sessions = PersonAnswer<typeof listSessions>["data"];

/** For the forms of `SessionsCard`; `page` is the path of its page. */
export const sessionActions = (page: string) => ({
  end_session: async ({ form, call }: Submission<SessionCaller>): Promise<ActionResult> => {
    await call(endSession, { session_id: form.get("session_id") ?? "" });
    return { to: page };
  },
  end_other_sessions: async ({
    call,
    device,
    setDevice,
  }: Submission<SessionCaller>): Promise<ActionResult> => {
    await call(endOtherSessions, {});
    setDevice((await call(rememberDevice, { device })).device);
    return { to: page };
  },
});

export function SessionsCard({ sessions, now }: { sessions: Sessions; now: Instant }) {
  return (
    <Card title="Browsers that are signed in" id="sessions">
      <Table
        caption="Browsers that are signed in"
        rows={sessions}
        rowKey={({ id }) => id}
        columns={[
          { head: "Browser", cell: ({ user_agent }) => <Browser agent={user_agent} /> },
          { head: "Signed in", cell: ({ created_at }) => <Age at={created_at} now={now} /> },
          {
            head: "Last used",
            cell: ({ last_used_at, current }) =>
              current ? (
                <span class="short">
                  <State means="good">this one</State>
                </span>
              ) : (
                <Age at={last_used_at} now={now} />
              ),
          },
          {
            head: "End it",
            cell: ({ id, current }) =>
              current ? (
                <a class="short" href="/sign-out">
                  Sign out
                </a>
              ) : (
                <Form does="end_session" hidden={{ session_id: id }} class="form inline">
                  <Button plain>Sign it out</Button>
                </Form>
              ),
          },
        ]}
      />
      <p class="hint">
        The last use is recorded by the hour. A browser is signed out after 30 days without use, and after 90
        days in any case.
      </p>
      {sessions.length > 1 && (
        <Form does="end_other_sessions" class="form inline">
          <Button>Sign out all others</Button>
        </Form>
      )}
    </Card>
  );
}

/** The short name is a guess, so the full user agent is shown too. */
function Browser({ agent }: { agent: string | null }) {
  if (agent === null) return <span class="quiet">not reported</span>;
  const name = browserName(agent);
  return (
    <>
      {name && <span>{name} </span>}
      <span class="small quiet">
        <Text value={agent} />
      </span>
    </>
  );
}
