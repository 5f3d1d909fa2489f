import type { Instant } from "../../../core/time.ts";
import { onlineWithinMs } from "../../../core/server/status.ts";
import { Spark } from "./spark.tsx";
import { JudgedState, wordsOf } from "./server-state.tsx";
import { VerdictBadge } from "../../parts/verdict-badge.tsx";
import { healthFindingNames } from "../../../core/health/finding-words.ts";
import { State, type Meaning } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Age, Quantity, Text } from "../../parts/value.tsx";
import type { FleetGroup, FleetRow } from "./fleet.ts";

/** The servers of one group, those with problems first. */
export function FleetTable({ group, now }: { group: FleetGroup; now: Instant }) {
  return (
    <Table
      caption={`Servers: ${group.name ?? "without a group"}`}
      rows={group.rows}
      rowKey={({ server }) => server.id}
      columns={[
        { head: "Server", cell: ({ server }) => <Name id={server.id} name={server.name} /> },
        { head: "Health", cell: ({ status }) => <Health of={status.health} now={now} /> },
        { head: "State", cell: ({ status }) => <Live status={status} now={now} /> },
        { head: "TPS", number: true, cell: (row) => <Figure row={row} field="tps" now={now} /> },
        { head: "MSPT p95", number: true, cell: (row) => <Figure row={row} field="mspt_p95" now={now} /> },
        { head: "Players", number: true, cell: (row) => <Figure row={row} field="player_count" now={now} /> },
        { head: "MSPT, 3 h", cell: ({ plot }) => <Trend plot={plot} /> },
        { head: "Alerts", cell: ({ status }) => <Alerts of={status.open_alerts} /> },
        {
          head: "Heartbeat",
          cell: ({ status: { state, last_heartbeat } }) =>
            state === "not_monitored" && last_heartbeat === null ? (
              <span class="quiet">not accepted</span>
            ) : (
              <Age at={last_heartbeat} now={now} staleAfterMs={onlineWithinMs} />
            ),
        },
        { head: "Benchmarks", cell: ({ server, verdict }) => <Verdict id={server.id} verdict={verdict} /> },
      ]}
    />
  );
}

function Name({ id, name }: { id: string; name: string | null }) {
  return (
    <a class="name" href={`/servers/${id}`}>
      <Text value={name} none="Server without a name" />
    </a>
  );
}

/** The verdict, and what it is for first; the server's page has the rest. */
function Health({
  of: { verdict, since, reasons },
  now,
}: {
  of: FleetRow["status"]["health"];
  now: Instant;
}) {
  const [first, ...others] = reasons;
  return (
    <>
      <VerdictBadge verdict={verdict} />
      {first !== undefined && (
        <div class="small quiet">
          {healthFindingNames[first]}
          {others.length > 0 && ` and ${others.length} more`}
          {since !== null && (
            <>
              , since <Age at={since} now={now} />
            </>
          )}
        </div>
      )}
    </>
  );
}

function Live({ status, now }: { status: FleetRow["status"]; now: Instant }) {
  return (
    <>
      <JudgedState state={status.state} verdict={status.health.verdict} />
      {status.state_since !== null && (
        <div class="small quiet">
          since <Age at={status.state_since} now={now} />
        </div>
      )}
    </>
  );
}

const units = { tps: "", mspt_p95: "ms", player_count: "" } as const;

/** A figure of the last sample. An old one is marked and has its age. */
function Figure({ row, field, now }: { row: FleetRow; field: keyof typeof units; now: Instant }) {
  const { current, sampled_at } = row.status;
  const value = current?.[field] ?? null;
  if (value === null || sampled_at === null) return <span class="quiet">none</span>;
  const isOld = now - Date.parse(sampled_at) > onlineWithinMs;
  return (
    <span class={isOld ? "quiet" : undefined}>
      <Quantity value={value} unit={units[field]} />
      {isOld && (
        <div class="small">
          <Age at={sampled_at} now={now} staleAfterMs={onlineWithinMs} />
        </div>
      )}
    </span>
  );
}

function Trend({ plot }: { plot: FleetRow["plot"] }) {
  if (plot === null) return <span class="quiet">none</span>;
  return <Spark data={plot} field="mspt" name="MSPT" unit="ms" nominal={50} top={60} />;
}

function Alerts({ of }: { of: FleetRow["status"]["open_alerts"] }) {
  if (of.length === 0) return <span class="quiet">none</span>;
  return (
    <a href="/alerts">
      <State means="bad">{of.length} open</State>
    </a>
  );
}

const verdictMeanings: Readonly<Record<FleetRow["verdict"], Meaning>> = {
  regression: "bad",
  stable: "good",
  undecidable: "unknown",
  not_verified: "unknown",
  later: "unknown",
};

function Verdict({ id, verdict }: { id: string; verdict: FleetRow["verdict"] }) {
  if (verdict === "later") return <a href={`/servers/${id}#regression`}>open</a>;
  if (verdict === "not_verified") return <span class="quiet">not verified</span>;
  return <State means={verdictMeanings[verdict]}>{wordsOf(verdict)}</State>;
}
