import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { Instant } from "../../../core/time.ts";
import { hourMs } from "../../../core/time.ts";
import { getInstallation } from "../../../endpoints/web/service-log/get-installation.ts";
import { listServiceLog } from "../../../endpoints/web/service-log/list-service-log.ts";
import { adminPage } from "../../page.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { ServiceLogTable } from "./service-log-table.tsx";
import { Card } from "../../parts/state.tsx";
import { Facts, NextPage, Table } from "../../parts/table.tsx";
import { Age, Quantity } from "../../parts/value.tsx";

type Installation = PersonAnswer<typeof getInstallation>;

/** A job that has not run for so long looks old: the slowest is due every hour. */
const staleAfterMs = 2 * hourMs;

/** The installation itself: what runs, on which database, when its jobs last did, and what happened to it. */
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
          <Jobs jobs={installation.jobs} now={now} />
          <Card title="Log of the service">
            <p class="hint">
              What happened to the service itself, and what admins and the command line did, for 90 days. A
              job that fails again and again is one line in ten minutes, with the number of times.
            </p>
            {log.data.length === 0 ? (
              <p>Nothing happened in the last 90 days.</p>
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

function Jobs({ jobs, now }: { jobs: Installation["jobs"]; now: Instant }) {
  return (
    <Card title="Jobs">
      {jobs.length === 0 ? (
        <p>No job has run yet. The first ones begin within a minute of the start.</p>
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
