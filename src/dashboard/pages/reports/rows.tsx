import type { Instant } from "../../../core/time.ts";
import { State } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Age, Text } from "../../parts/value.tsx";
import type { ListedReport } from "./picker.tsx";
import { LeadScoreCell } from "./score.tsx";

interface Props {
  readonly caption: string;
  readonly reports: readonly ListedReport[];
  readonly now: Instant;
  /** Whether the table has a column for the visibility. */
  readonly visibility?: boolean;
}

/** Reports as a table. */
export function ReportRows({ caption, reports, now, visibility = false }: Props) {
  return (
    <Table
      caption={caption}
      rows={reports}
      rowKey={({ id }) => id}
      columns={[
        { head: "Report", cell: (row) => <ReportLink report={row} /> },
        { head: "Total", number: true, cell: ({ scores }) => <LeadScoreCell scores={scores} /> },
        { head: "Server", cell: (row) => <SoftwareCell report={row} /> },
        { head: "Processor", cell: ({ hardware }) => <Text value={hardware.cpu_name} none="not reported" /> },
        { head: "Mode", cell: ({ benchmark_mode }) => benchmark_mode },
        ...(visibility ? [{ head: "Seen by", cell: (row: ListedReport) => row.visibility }] : []),
        { head: "Uploaded", cell: ({ created_at }) => <Age at={created_at} now={now} /> },
      ]}
    />
  );
}

function ReportLink({ report: { short_id, certified } }: { report: ListedReport }) {
  return (
    <>
      <a class="mono" href={`/reports/${short_id}`}>
        {short_id}
      </a>{" "}
      {certified && <State means="good">certified</State>}
    </>
  );
}

type Named = Pick<ListedReport["server"], "type" | "type_name" | "game_version">;

/** Name and version of the game server's software. */
export function SoftwareCell({ report: { server } }: { report: { readonly server: Named } }) {
  return (
    <>
      <Text value={server.type_name ?? server.type} none="not reported" />{" "}
      {server.game_version !== null && <Text value={server.game_version} />}
    </>
  );
}
