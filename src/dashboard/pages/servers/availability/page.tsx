import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { shownDuration } from "../../../../core/text/plain-words.ts";
import { secondMs } from "../../../../core/time.ts";
import { listAvailability } from "../../../../endpoints/api/monitoring/list-availability.ts";
import { personPage, type PageContent, type PageRequest } from "../../../page.ts";
import { PlanNotice } from "../../../parts/plan.tsx";
import { nullIfRefused, planRefusals } from "../../../parts/null-if-refused.ts";
import { Card, Empty, State } from "../../../parts/state.tsx";
import { NextPage, Table } from "../../../parts/table.tsx";
import { clock, Quantity, Text } from "../../../parts/value.tsx";
import { availabilityParts } from "../../../words/health.ts";
import { PartsBar } from "../charts/parts-bar.tsx";

/** How available all servers were, the least available first. */
export const availabilityPage = personPage({ path: "/servers/availability", show });

type Answer = PersonAnswer<typeof listAvailability>;
type Row = Answer["data"][number];

const ranges = [
  ["24h", "24 hours", 1],
  ["7d", "7 days", 7],
  ["30d", "30 days", 30],
] as const;

const rowsAPage = 50;

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { call, person, plans, query } = request;
  const offered = ranges.filter(([, , days]) => days <= person.limits.retention_days);
  const range = offered.find(([name]) => name === query.get("range"))?.[0] ?? "24h";
  const cursor = query.get("cursor");
  const answer = await nullIfRefused(
    planRefusals,
    call(listAvailability, { range, limit: rowsAPage, ...(cursor !== null && { cursor }) }),
  );
  return {
    title: "Availability",
    body: (
      <>
        <div class="title">
          <h1>Availability of all servers</h1>
          <a href="/servers">Servers</a>
        </div>
        <PlanNotice plans={plans} account={person.account} feature="monitoring">
          Availability is known of what monitoring recorded.
        </PlanNotice>
        {answer && (
          <>
            <nav aria-label="Period">
              <ul class="chips">
                {offered.map(([name, words]) => (
                  <li key={name}>
                    <a href={`?range=${name}`} aria-current={name === range ? "true" : undefined}>
                      {words}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            {answer.data.length === 0 ? <NoServer /> : <Found answer={answer} query={query} />}
          </>
        )}
      </>
    ),
  };
}

const NoServer = () => (
  <Empty title="No server yet" next={<a href="/servers#link">Link a server</a>}>
    <p>How long each of your servers was up and down will be listed here.</p>
  </Empty>
);

function Found({ answer, query }: { answer: Answer; query: URLSearchParams }) {
  const { period, totals, data, page } = answer;
  return (
    <Card title="Least available first">
      <p class="small quiet">
        {clock(period.from)} to {clock(period.to)}
      </p>
      <p class="judged">
        {totals.percent === null ? (
          "Nothing was monitored in this period."
        ) : (
          <>
            <strong>
              <Quantity value={totals.percent} unit="%" digits={2} />
            </strong>{" "}
            up on {totals.measured} of {totals.servers} {totals.servers === 1 ? "server" : "servers"},{" "}
            {incidentWords(totals.incidents)}
          </>
        )}
      </p>
      <Table
        caption="Servers, the least available first"
        rows={data}
        rowKey={({ server_id }) => server_id}
        columns={[
          { head: "Server", cell: (row) => <Name row={row} /> },
          {
            head: "Up",
            number: true,
            cell: ({ percent }) => <Quantity value={percent} unit="%" digits={2} />,
          },
          {
            head: "Incidents",
            number: true,
            cell: ({ incidents }) => <Quantity value={incidents} digits={0} />,
          },
          { head: "Time", wide: true, cell: (row) => <Times row={row} /> },
        ]}
      />
      <NextPage cursor={page.cursor} query={query} more="More" />
      <p class="small quiet">
        The percentage is the share of up in up and down: the other parts are no fault.
      </p>
    </Card>
  );
}

const incidentWords = (incidents: number): string =>
  incidents === 0 ? "no incident" : incidents === 1 ? "one incident" : `${incidents} incidents`;

const Name = ({ row: { server_id, name } }: { row: Row }) => (
  <a class="name" href={`/servers/${server_id}/charts#availability`}>
    <Text value={name} none="Server without a name" />
  </a>
);

/** Every part but up, which the percentage says. */
function Times({ row }: { row: Row }) {
  const parts = availabilityParts.filter(([part]) => part !== "up_seconds" && row[part] > 0);
  return (
    <>
      <PartsBar availability={row} />
      <div class="row small">
        {parts.map(([part, name, means]) => (
          <State key={part} means={means}>
            {name} {shownDuration(row[part] * secondMs)}
          </State>
        ))}
      </div>
    </>
  );
}
