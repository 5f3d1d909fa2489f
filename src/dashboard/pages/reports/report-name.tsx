import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { ReportName } from "../../../core/report/report-name.ts";
import type { listReports } from "../../../endpoints/api/report/list-reports.ts";
import { listReportNames } from "../../../actions/report/list-report-names.ts";
import type { PageRequest } from "../../page.ts";
import { clock, Text } from "../../parts/value.tsx";
import { hasSession } from "../../request-input.ts";

export type ListedReport = PersonAnswer<typeof listReports>["data"][number];

/** What the visitor recognises reports by, by full id; reports of other people are not in it. */
export type ReportNames = ReadonlyMap<string, ReportName>;

/** The report of an answer, as far as its name needs it. */
export type NamedReport = Pick<ListedReport, "id" | "short_id" | "benchmark_mode" | "created_at"> & {
  readonly server: Pick<ListedReport["server"], "type" | "type_name" | "game_version">;
};

/** The names of these reports; none for a visitor without a session. */
export async function reportNamesOf(request: PageRequest, ids: readonly string[]): Promise<ReportNames> {
  if (!hasSession(request) || ids.length === 0) return new Map();
  const { data } = await request.call(listReportNames, { ids: [...ids] });
  return new Map(data.map((name) => [name.id, name]));
}

/** What a report is called: its label, or the name of its server, or else its software. */
export function reportTitle({ id, server }: Pick<NamedReport, "id" | "server">, names: ReportNames): string {
  const { label, server_name } = names.get(id) ?? { label: null, server_name: null };
  return label ?? server_name ?? softwareText(server);
}

const softwareText = ({ type_name, type, game_version }: NamedReport["server"]): string =>
  [type_name ?? type ?? "Unknown software", game_version].filter(Boolean).join(" ");

/** What stands below the title: the server of a report with a label, the mode, and when the run ended. */
export function reportAbout({ id, benchmark_mode, created_at }: NamedReport, names: ReportNames): string {
  const name = names.get(id);
  const at = name?.measured_at ?? created_at;
  return [name?.label != null && name.server_name, benchmark_mode, at !== null && clock(at)]
    .filter(Boolean)
    .join(" · ");
}

/** The whole name in one line, for a list of choices. */
export const reportLine = (report: NamedReport, names: ReportNames): string =>
  `${reportTitle(report, names)} · ${reportAbout(report, names)}`;

interface ReportNameLinkProps {
  readonly report: NamedReport;
  readonly names: ReportNames;
}

/** The name of a report, which leads to its page. */
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
