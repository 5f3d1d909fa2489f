import { listReports } from "../../../endpoints/api/report/list-reports.ts";
import type { PageRequest } from "../../page.ts";
import { Choice, FormField } from "../../parts/form.tsx";
import { hasSession } from "../../request-input.ts";
import { reportNamesOf, reportLine, type ListedReport, type ReportNames } from "./report-name.tsx";
import { leadText } from "./score.tsx";

/** Reports that a visitor may choose, newest first. */
export interface OfferedReports {
  readonly reports: readonly ListedReport[];
  readonly names: ReportNames;
}

const offered = 100;

/** The visitor's newest reports (of one server if it is named); without a session the newest public ones. */
export async function offeredReports(
  request: PageRequest,
  server_id: string | null = null,
): Promise<OfferedReports> {
  const { data } = await request.call(listReports, {
    limit: offered,
    ...(hasSession(request) ? { mine: true } : { visibility: "public" as const }),
    ...(server_id === null ? {} : { server_id }),
  });
  const names = await reportNamesOf(
    request,
    data.map(({ id }) => id),
  );
  return { reports: data, names };
}

/** By either identifier. */
export const isNamedBy = ({ id, short_id }: ListedReport, text: string): boolean =>
  text !== "" && (text === id || text === short_id);

interface ReportChoiceProps {
  readonly name: string;
  readonly label: string;
  /** The id in the address, or an empty text. */
  readonly value: string;
  readonly offered: OfferedReports;
}

/** A report of the address stays a choice even if it is not offered. */
export function ReportChoice({ name, label, value, offered: { reports, names } }: ReportChoiceProps) {
  const chosen = reports.find((report) => isNamedBy(report, value));
  const options = reports.map(
    (report) => [report.short_id, `${reportLine(report, names)} · ${leadText(report.scores)}`] as const,
  );
  const others = value === "" || chosen ? [] : [[value, `Another report: ${value}`] as const];
  return (
    <Choice
      name={name}
      label={label}
      value={chosen?.short_id ?? value}
      options={[["", "Choose a report"], ...others, ...options]}
    />
  );
}

interface ReportFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
}

/** For a report that is not among the offered ones. */
export function ReportField({ name, label, value = "" }: ReportFieldProps) {
  return <FormField name={name} label={label} value={value} autoComplete="off" />;
}
