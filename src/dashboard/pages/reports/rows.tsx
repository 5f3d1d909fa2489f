import type { Instant } from "../../../core/time.ts";
import { State } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Age, Text } from "../../parts/value.tsx";
import {
  type ListedReport,
  ReportNameLink,
  reportLine,
  type NamedReport,
  type ReportNames,
} from "./report-name.tsx";
import { LeadScoreCell } from "./score.tsx";

interface Props {
  readonly caption: string;
  readonly reports: readonly ListedReport[];
  readonly names: ReportNames;
  readonly now: Instant;
  /** Adds a column for the visibility. */
  readonly visibility?: boolean;
  /** Adds a box to each row, for the field `report` of the form around the table. */
  readonly choosable?: boolean;
}

export function ReportRows({ caption, reports, names, now, visibility = false, choosable = false }: Props) {
  return (
    <Table
      caption={caption}
      rows={reports}
      rowKey={({ id }) => id}
      columns={[
        {
          head: "Report",
          cell: (row) => (
            <div class={choosable ? "choosable" : undefined}>
              {choosable && (
                <input
                  type="checkbox"
                  name="report"
                  value={row.short_id}
                  aria-label={`Choose ${reportLine(row, names)}`}
                />
              )}
              <div>
                <ReportNameLink report={row} names={names} />
                {row.certified && <State means="good">certified</State>}
              </div>
            </div>
          ),
        },
        { head: "Total", number: true, cell: ({ scores }) => <LeadScoreCell scores={scores} /> },
        { head: "Software", cell: (row) => <SoftwareCell report={row} /> },
        { head: "Processor", cell: ({ hardware }) => <Text value={hardware.cpu_name} none="not reported" /> },
        ...(visibility ? [{ head: "Seen by", cell: (row: ListedReport) => row.visibility }] : []),
        { head: "Uploaded", cell: ({ created_at }) => <Age at={created_at} now={now} /> },
      ]}
    />
  );
}

/** Name and version of the game server's software. */
export function SoftwareCell({ report: { server } }: { report: Pick<NamedReport, "server"> }) {
  return (
    <>
      <Text value={server.type_name ?? server.type} none="not reported" />{" "}
      {server.game_version !== null && <Text value={server.game_version} />}
    </>
  );
}
