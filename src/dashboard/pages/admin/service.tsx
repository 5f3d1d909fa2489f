import { dayMs } from "../../../core/time.ts";
import { keptMs } from "../../../core/job/kept-for.ts";
import { EmptyList, type Kept } from "../../parts/empty-list.tsx";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { type Instant, hourMs } from "../../../core/time.ts";
import { getInstallation } from "../../../actions/service-log/get-installation.ts";
import { listServiceLog } from "../../../actions/service-log/list-service-log.ts";
import { adminPage } from "../../page.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { ServiceLogTable } from "./service-log-table.tsx";
import { Card, Notice } from "../../parts/state.tsx";
import { Facts, NextPage, Table } from "../../parts/table.tsx";
import { Age, Quantity } from "../../parts/value.tsx";

type Installation = PersonAnswer<typeof getInstallation>;

/** An older last run of a job is marked. The slowest job runs every hour. */
const staleAfterMs = 2 * hourMs;

const kept: Kept = { days: keptMs.serviceLog / dayMs, by: "service" };

/** Versions, database, last runs of jobs, and the service's log. */
export const adminServicePage = adminPage({
  path: "/admin",

  async show({ call, query, now }) {
    const installation = await call(getInstallation, {});
    const cursor = query.get("cursor");
    const log = await call(listServiceLog, { limit: 25, ...(cursor !== null && { cursor }) });
    return {
      title: "Administration",
      body: (
        <>
          <h1>Administration</h1>
          <AdminTabs />
          <Card title="Service">
            <Facts
              of={[
                ["Version", installation.version],
                ["Scoring", `algorithm ${installation.algorithm_version}`],
                ["Diagnosis", `rules ${installation.diagnosis_version}`],
                ["Tuning advice", `rules ${installation.tuning_version}`],
                ["Database", installation.database],
                ["Schema", installation.schema],
                ["Database answered in", <Quantity value={installation.answered_in_ms} unit="ms" />],
                ["Accounts", <Quantity value={installation.accounts} digits={0} />],
                ["Linked servers", <Quantity value={installation.servers} digits={0} />],
              ]}
            />
          </Card>
          <Secret secret={installation.secret} now={now} />
          <Jobs jobs={installation.jobs} now={now} />
          <Card title="Log of the service">
            <p class="hint">
              This log lists events of the service, and what admins and the command line did, for 90 days.
              Repeated failures of a job are one line for ten minutes, with their number.
            </p>
            {log.data.length === 0 ? (
              <EmptyList query={query} now={now} one="entry" all="/admin" kept={kept}>
                <p>There are no entries in the last {kept.days} days.</p>
              </EmptyList>
            ) : (
              <ServiceLogTable rows={log.data} now={now} />
            )}
            <NextPage cursor={log.page.cursor} query={query} />
          </Card>
        </>
      ),
    };
  },
});

function Secret({ secret, now }: { secret: Installation["secret"]; now: Instant }) {
  const { need_earlier, unreadable, counted_at } = secret;
  return (
    <Card title="Secret" id="secret">
      {need_earlier > 0 && (
        <Notice means="watch">
          Keep both secrets in TICKMARK_SECRET: a job seals the values below with the new one.
        </Notice>
      )}
      {unreadable > 0 && (
        <Notice means="bad">
          No secret of this service opens some stored values: alerts do not reach these addresses, and these
          second factors accept no code. Their owners have to enter them again. Start the service with the
          secret that was in use, if there is still a copy of it.
        </Notice>
      )}
      <Facts
        of={[
          ["Values that need the earlier secret", <Quantity value={need_earlier} digits={0} />],
          ["Values that cannot be read", <Quantity value={unreadable} digits={0} />],
          ["Counted", <Age at={counted_at} now={now} />],
        ]}
      />
    </Card>
  );
}

function Jobs({ jobs, now }: { jobs: Installation["jobs"]; now: Instant }) {
  return (
    <Card title="Jobs">
      {jobs.length === 0 ? (
        <p>No job has run yet. The first jobs begin within a minute after the start.</p>
      ) : (
        <Table
          caption="Jobs and their last runs"
          rows={jobs}
          rowKey={({ name }) => name}
          columns={[
            { head: "Job", cell: ({ name }) => <code>{name}</code> },
            {
              head: "Last start",
              cell: ({ started_at }) => <Age at={started_at} now={now} staleAfterMs={staleAfterMs} />,
            },
            {
              head: "Last end",
              cell: ({ finished_at }) => <Age at={finished_at} now={now} staleAfterMs={staleAfterMs} />,
            },
          ]}
        />
      )}
    </Card>
  );
}
