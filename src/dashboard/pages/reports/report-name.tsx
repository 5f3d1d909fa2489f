import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { ReportName } from "../../../core/report/report-name.ts";
import type { listReports } from "../../../endpoints/api/report/list-reports.ts";
import { listReportNames } from "../../../actions/report/list-report-names.ts";
import type { PageRequest } from "../../page.ts";
import { clock, Text } from "../../parts/value.tsx";
import { hasSession } from "../../request-input.ts";

export type ListedReport = PersonAnswer<typeof listReports>["data"][number];

/** By full id. Reports of other people are not in it. */
export type ReportNames = ReadonlyMap<string, ReportName>;

/** What a report's name is made of. */
export type NamedReport = Pick<ListedReport, "id" | "short_id" | "benchmark_mode" | "created_at"> & {
  readonly server: Pick<ListedReport["server"], "type" | "type_name" | "game_version">;
};

/** Empty without a session. */
export async function reportNamesOf(request: PageRequest, ids: readonly string[]): Promise<ReportNames> {
  if (!hasSession(request) || ids.length === 0) return new Map();
  const { data } = await request.call(listReportNames, { ids: [...ids] });
  return new Map(data.map((name) => [name.id, name]));
}

/** The report's label, else its server's name, else its software. */
export function reportTitle({ id, server }: Pick<NamedReport, "id" | "server">, names: ReportNames): string {
  const { label, server_name } = names.get(id) ?? { label: null, server_name: null };
  return label ?? server_name ?? softwareText(server);
}

const softwareText = ({ type_name, type, game_version }: NamedReport["server"]): string =>
  [type_name ?? type ?? "Unknown software", game_version].filter(Boolean).join(" ");

/** Below the title: the server of a report with a label, the mode, and the end of the run. */
export function reportAbout({ id, benchmark_mode, created_at }: NamedReport, names: ReportNames): string {
  const name = names.get(id);
  const at = name?.measured_at ?? created_at;
  return [name?.label != null && name.server_name, benchmark_mode, at !== null && clock(at)]
    .filter(Boolean)
    .join(" · ");
}

/** In one line, for a choice. */
export const reportLine = (report: NamedReport, names: ReportNames): string =>
  `${reportTitle(report, names)} · ${reportAbout(report, names)}`;

interface ReportNameLinkProps {
  readonly report: NamedReport;
  readonly names: ReportNames;
}

export function ReportNameLink({ report, names }: ReportNameLinkProps) {
  return (
    <>
      <a href={`/reports/${report.short_id}`}>
        <Text value={reportTitle(report, names)} />
      </a>
      <div class="small quiet">
        <bdi>{reportAbout(report, names)}</bdi>
      </div>
    </>
  );
}
