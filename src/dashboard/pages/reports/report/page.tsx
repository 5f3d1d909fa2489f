import { isSignedIn } from "../../../../contract/call/person.ts";
import { Refusal } from "../../../../core/errors.ts";
import { Visibility } from "../../../../core/report/report.ts";
import { diagnoseReport } from "../../../../endpoints/api/report/diagnose-report.ts";
import { getReport } from "../../../../endpoints/api/report/get-report.ts";
import { getTuningAdvice } from "../../../../endpoints/api/report/get-tuning-advice.ts";
import { updateReport } from "../../../../endpoints/api/report/update-report.ts";
import { listUnitTests } from "../../../../endpoints/api/unit-test/list-unit-tests.ts";
import { deleteReport } from "../../../../actions/report/delete-report.ts";
import { getOwnReport } from "../../../../actions/report/get-own-report.ts";
import { setReportLabel } from "../../../../actions/report/set-report-label.ts";
import { attempt } from "../../../request-input.ts";
import { publicPage, type Submission, type PageRequest } from "../../../page.ts";
import { Filters } from "../../../parts/filters.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { Age, Time } from "../../../parts/value.tsx";
import { modeWords } from "../../../words/reports.ts";
import { ConditionsNotice, UnusualNotice } from "../conditions.tsx";
import { DiagnosisCard } from "./diagnosis.tsx";
import { EnvironmentCard, SettingsCard } from "../environment.tsx";
import { ManageReport } from "./manage.tsx";
import { offeredReports, ReportChoice } from "../picker.tsx";
import { reportNamesOf, reportAbout, reportTitle, type ReportNames } from "../report-name.tsx";
import { SoftwareCell } from "../rows.tsx";
import { ScoresCard, type ReportShown } from "./scores.tsx";
import { TuningCard } from "./tuning.tsx";
import { UnitTestRows } from "../../unit-tests/rows.tsx";

const idOf = ({ params }: PageRequest): string => params["id"] ?? "";

export const reportPage = publicPage({
  path: "/reports/{id}",
  async show(request) {
    const report_id = idOf(request);
    const report = await request.call(getReport, { report_id });
    const diagnosis = await attempt([409], () => request.call(diagnoseReport, { report_id }));
    const advice = await attempt([409], () => request.call(getTuningAdvice, { report_id }));
    const tests = await request.call(listUnitTests, { parent_report_id: report_id, limit: 100 });
    const own = isSignedIn(request.person) ? await request.call(getOwnReport, { report_id }) : null;
    const names = await reportNamesOf(request, [report.id]);
    const offered = await offeredReports(request);
    const others = { ...offered, reports: offered.reports.filter(({ id }) => id !== report.id) };
    return {
      title: `Report ${reportTitle(report, names)}`,
      body: (
        <>
          <Head report={report} names={names} request={request} />
          {report.description !== null && <p class="typed card">{report.description}</p>}
          <ConditionsNotice conditions={report.conditions} />
          <UnusualNotice usual={report.usual} />
          <ScoresCard report={report} />
          <DiagnosisCard diagnosis={diagnosis} />
          <TuningCard advice={advice} shortId={report.short_id} />
          <EnvironmentCard report={report} />
          <SettingsCard settings={report.settings} />
          {tests.data.length > 0 && (
            <Card title="Single tests">
              <UnitTestRows caption="Single tests of this report" tests={tests.data} now={request.now} />
            </Card>
          )}
          <div class="screen-only stack">
            <Card title="Compare">
              <Filters label="Compare with another report" to="/reports/compare" does="Compare">
                <input type="hidden" name="base" value={report.short_id} />
                <ReportChoice name="other" label="Other report" value="" offered={others} />
              </Filters>
            </Card>
            {own && (own.may_manage || own.may_describe) && (
              <ManageReport report={report} own={own} label={names.get(report.id)?.label ?? null} />
            )}
          </div>
        </>
      ),
    };
  },
  actions: {
    visibility: async (sent) => {
      const visibility = Visibility.safeParse(sent.form.get("visibility"));
      if (!visibility.success) throw new Refusal("validation_error", "Choose who may see the report.");
      await sent.call(updateReport, { report_id: idOf(sent), visibility: visibility.data });
      return { to: `/reports/${idOf(sent)}` };
    },
    label: async (sent) => {
      const label = (sent.form.get("label") ?? "").trim();
      await sent.call(setReportLabel, { report_id: idOf(sent), label: label || null });
      return { to: `/reports/${idOf(sent)}` };
    },
    texts: async (sent) => {
      await sent.call(updateReport, {
        report_id: idOf(sent),
        ...textOf(sent, "description"),
        ...textOf(sent, "private_notes"),
      });
      return { to: `/reports/${idOf(sent)}` };
    },
    delete: async (sent) => {
      if (sent.form.get("sure") === null)
        throw new Refusal("validation_error", "Tick the box if you want to delete this report for good.");
      await sent.call(deleteReport, { report_id: idOf(sent) });
      return { to: "/reports?mine=true" };
    },
  },
});

/** With line feeds as line ends; an empty text becomes null. */
function textOf({ form }: Submission, name: string): Record<string, string | null> {
  const text = form.get(name);
  return text === null ? {} : { [name]: text.replaceAll("\r\n", "\n") || null };
}

interface HeadProps {
  readonly report: ReportShown;
  readonly names: ReportNames;
  readonly request: PageRequest;
}

function Head({ report, names, request }: HeadProps) {
  const { short_id, benchmark_mode, visibility, source, certified, created_at, expires_at } = report;
  return (
    <>
      <div class="title">
        <h1>
          <span class="unseen">Report</span> <bdi>{reportTitle(report, names)}</bdi>
        </h1>
        <p class="row">
          <span class="badge" title={modeWords[benchmark_mode]}>
            {benchmark_mode}
          </span>
          <span class="badge">{visibility}</span>
          {certified && <State means="good">certified</State>}
        </p>
      </div>
      <p class="quiet">
        <bdi>{reportAbout(report, names)}</bdi> · <SoftwareCell report={report} /> · uploaded{" "}
        <Age at={created_at} now={request.now} />
        {source === "auto_bench" && " by a scheduled run"}
        {report.certified_at !== null && (
          <>
            {" "}
            · certified <Time at={report.certified_at} />
          </>
        )}
        {expires_at !== null && (
          <>
            {" "}
            · kept until <Time at={expires_at} />
          </>
        )}
        {report.server_id !== null && (
          <>
            {" "}
            · <a href={`/servers/${report.server_id}`}>your server</a>
          </>
        )}{" "}
        · identifier <span class="mono">{short_id}</span>
      </p>
    </>
  );
}
