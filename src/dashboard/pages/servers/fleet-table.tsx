import type { Instant } from "../../../core/time.ts";
import { isWatched } from "../../../core/monitoring/overview.ts";
import { onlineWithinMs } from "../../../core/server/status.ts";
import { Spark } from "./spark.tsx";
import { JudgedState, wordsOf } from "./server-state.tsx";
import { VerdictBadge } from "../../parts/verdict-badge.tsx";
import { severityMeanings, verdictReason } from "../../words/health.ts";
import { lateNowOf } from "../../../core/health/late-now.ts";
import { shownVerdictOf, slowNowWords } from "../../words/late-now.ts";
import { State, type Meaning } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Age, Quantity, Text } from "../../parts/value.tsx";
import type { FleetRow } from "./fleet.ts";

interface FleetTableProps {
  readonly caption: string;
  readonly rows: readonly FleetRow[];
  readonly showsGroup: boolean;
  readonly now: Instant;
}

/** Servers with problems come first. */
export function FleetTable({ caption, rows, showsGroup, now }: FleetTableProps) {
  return (
    <Table
      caption={caption}
      rows={rows}
      rowKey={({ server }) => server.id}
      columns={[
        { head: "Server", cell: (row) => <Name row={row} showsGroup={showsGroup} /> },
        { head: "Health", wide: true, cell: ({ status }) => <Health status={status} now={now} /> },
        { head: "State", cell: ({ status }) => <Live status={status} now={now} /> },
        { head: "TPS", number: true, cell: (row) => <Figure row={row} field="tps" now={now} /> },
        { head: "MSPT p95", number: true, cell: (row) => <Figure row={row} field="mspt_p95" now={now} /> },
        { head: "Players", number: true, cell: (row) => <Figure row={row} field="player_count" now={now} /> },
        { head: "MSPT, 3 h", cell: ({ plot }) => <Trend plot={plot} /> },
        { head: "Alerts", cell: ({ status }) => <Alerts of={status.open_alerts} /> },
        { head: "Rules", cell: ({ status }) => <Rules of={status} /> },
        { head: "Benchmarks", cell: ({ server, verdict }) => <Verdict id={server.id} verdict={verdict} /> },
      ]}
    />
  );
}

function Name({ row: { server, group }, showsGroup }: { row: FleetRow; showsGroup: boolean }) {
  return (
    <>
      <a class="name" href={`/servers/${server.id}`}>
        <Text value={server.name} none="Server without a name" />
      </a>
      {showsGroup && group !== null && (
        <div class="small quiet">
          <Text value={group} />
        </div>
      )}
    </>
  );
}

/** The verdict and the reason for it; the server's page has the rest. */
function Health({ status, now }: { status: FleetRow["status"]; now: Instant }) {
  const { verdict, since, reasons } = status.health;
  const late = lateNowOf(status, now);
  const shown = shownVerdictOf(verdict, late);
  return (
    <>
      <VerdictBadge verdict={shown} />
      <div class="small quiet">
        {shown === "slow now" ? slowNowWords(late) : verdictReason(status, now)}
        {reasons.length > 0 && since !== null && (
          <>
            {" "}
            Since <Age at={since} now={now} />.
          </>
        )}
      </div>
    </>
  );
}

function Live({ status, now }: { status: FleetRow["status"]; now: Instant }) {
  const { state, state_since, last_heartbeat, health } = status;
  return (
    <>
      <JudgedState state={state} verdict={shownVerdictOf(health.verdict, lateNowOf(status, now))} />
      <div class="small quiet">
        {state_since !== null && (
          <>
            since <Age at={state_since} now={now} />,{" "}
          </>
        )}
        {state === "not_monitored" && last_heartbeat === null ? (
          "no heartbeat is accepted"
        ) : (
          <>
            heartbeat <Age at={last_heartbeat} now={now} staleAfterMs={onlineWithinMs} />
          </>
        )}
      </div>
    </>
  );
}

const units = { tps: "", mspt_p95: "ms", player_count: "" } as const;

/** Of the last sample. An old figure is marked and has its age. */
function Figure({ row, field, now }: { row: FleetRow; field: keyof typeof units; now: Instant }) {
  const { current, sampled_at } = row.status;
  const value = current?.[field] ?? null;
  if (value === null || sampled_at === null) return <span class="quiet">none</span>;
  const isOld = now - Date.parse(sampled_at) > onlineWithinMs;
  const late = field === "player_count" ? undefined : lateNowOf(row.status, now)[field];
  return (
    <span class={isOld ? "quiet" : undefined}>
      {late ? (
        <State means={severityMeanings[late.severity]}>
          <Quantity value={value} unit={units[field]} />
        </State>
      ) : (
        <Quantity value={value} unit={units[field]} />
      )}
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
  if (of.length === 0) return <span class="quiet absent">none</span>;
  return (
    <a href="/alerts">
      <State means="bad">{of.length} open</State>
    </a>
  );
}

/** How many enabled rules watch a server. */
function Rules({ of }: { of: FleetRow["status"] }) {
  const { server_id, enabled_rules, state } = of;
  const href = `/servers/${server_id}/rules`;
  if (isWatched(of) === false)
    return (
      <a href={href}>
        <State means="watch">none</State>
      </a>
    );
  if (enabled_rules === 0) return <span class="quiet absent">none</span>;
  return (
    <a href={href}>
      {enabled_rules}
      {state === "not_monitored" && " paused"}
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
  if (verdict === "later") return <a href={`/servers/${id}/charts#regression`}>open</a>;
  if (verdict === "not_verified") return <span class="quiet">not verified</span>;
  return <State means={verdictMeanings[verdict]}>{wordsOf(verdict)}</State>;
}
