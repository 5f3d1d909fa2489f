import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { Instant } from "../../../core/time.ts";
import type { listServiceLog } from "../../../actions/service-log/list-service-log.ts";
import { AccountLink, When } from "../../parts/log-cells.tsx";
import { State, type Meaning } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";

type Row = PersonAnswer<typeof listServiceLog>["data"][number];

export function ServiceLogTable({ rows, now }: { rows: readonly Row[]; now: Instant }) {
  return (
    <Table
      caption="Events of the service, newest first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { head: "Time", cell: (row) => <When row={row} now={now} /> },
        { head: "Kind", cell: ({ kind }) => <Kind kind={kind} /> },
        { head: "What", cell: (row) => <What row={row} />, wide: true },
        { head: "By", cell: ({ by }) => <Doer by={by} /> },
      ]}
    />
  );
}

const meanings: Readonly<Record<string, Meaning>> = {
  job_failed: "bad",
  mail_failed: "bad",
  service_started: "good",
  service_stopped: "silenced",
};

function Kind({ kind }: { kind: string }) {
  const word = kind.replaceAll("_", " ");
  const means = meanings[kind];
  return means === undefined ? <>{word}</> : <State means={means}>{word}</State>;
}

function What({ row: { words, about } }: { row: Row }) {
  return (
    <>
      {words}
      {about !== null && (
        <>
          {" "}
          <AccountLink of={about} />
        </>
      )}
    </>
  );
}

function Doer({ by: { who, account } }: { by: Row["by"] }) {
  if (account !== null) return <AccountLink of={account} />;
  if (who === "admin") return <span class="quiet">an admin whose account was deleted</span>;
  return <>{who === "service" ? "the service" : "the command line"}</>;
}
