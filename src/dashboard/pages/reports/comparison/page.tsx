import { compareReports } from "../../../../endpoints/api/report/compare-reports.ts";
import { attempt, idIn } from "../../../request-input.ts";
import { publicPage } from "../../../page.ts";
import { Card, Notice } from "../../../parts/state.tsx";
import { NoReports } from "../no-reports.tsx";
import { isNamedBy, offeredReports, ReportChoice, ReportField, type OfferedReports } from "../picker.tsx";
import { reportNamesOf } from "../report-name.tsx";
import { CompareCards } from "./cards.tsx";

export const reportComparisonPage = publicPage({
  path: "/reports/compare",
  async show(request) {
    const { query } = request;
    const ticked = query.getAll("report").map(idIn);
    const offered = await offeredReports(request);
    const isEmpty = offered.reports.length === 0;
    if (ticked.length === 2) return { to: addressOf(ticked, offered) };
    const [base, other] = [named(query, "base"), named(query, "other")];
    const isComplete = base !== "" && other !== "";
    const { value, refusal } = isComplete
      ? await attempt([400, 404], () => request.call(compareReports, { base, other }))
      : { value: null, refusal: null };
    const names =
      value === null
        ? offered.names
        : await reportNamesOf(request, [value.reports.base.id, value.reports.other.id]);
    return {
      title: "Compare two reports",
      status: refusal?.status ?? 200,
      body: (
        <>
          <h1>Compare two reports</h1>
          {ticked.length > 0 && (
            <Notice means="watch">
              {ticked.length === 1 ? "One report was" : `${ticked.length} reports were`} ticked, and a
              comparison needs two. Choose them here.
            </Notice>
          )}
          {refusal?.status === 404 && (
            <Notice means="bad">
              One of these reports does not exist, or you may not see it. Choose another one.
            </Notice>
          )}
          {refusal?.status === 400 && <Notice means="bad">{refusal.message}</Notice>}
          {value && <CompareCards comparison={value} names={names} />}
          {isEmpty && <NoReports>Two reports are compared here, score by score.</NoReports>}
          <Card title={value ? "Compare others" : "Which reports"}>
            <form method="get" class="form" aria-label="Which reports">
              {!isEmpty && (
                <>
                  <ReportChoice name="base" label="Base report" value={base} offered={offered} />
                  <ReportChoice name="other" label="Other report" value={other} offered={offered} />
                </>
              )}
              <details open={isEmpty}>
                <summary>Reports that are not in the lists</summary>
                <ReportField name="base_id" label="Address of the base report" />
                <ReportField name="other_id" label="Address of the other report" />
              </details>
              <button type="submit">Compare</button>
            </form>
          </Card>
          {!value && (
            <p class="quiet">
              Two runs show whether two machines differ. To see whether a change on one server helped, you
              need three runs before it and three after it: <a href="/reports/before-after">judge a change</a>
              .
            </p>
          )}
        </>
      ),
    };
  },
});

/** The typed address, or else the chosen report. */
const named = (query: URLSearchParams, side: "base" | "other"): string =>
  idIn(query.get(`${side}_id`) || query.get(side) || "");

/** The earlier of the two ticked runs is the base. */
function addressOf([one = "", two = ""]: readonly string[], offered: OfferedReports): string {
  const [base, other] = endOf(one, offered) <= endOf(two, offered) ? [one, two] : [two, one];
  return `/reports/compare?${new URLSearchParams({ base, other })}`;
}

/** The end of a run, or its upload if nothing else is known, ms; 0 for a report that is not offered. */
function endOf(id: string, { reports, names }: OfferedReports): number {
  const report = reports.find((each) => isNamedBy(each, id));
  return Date.parse(names.get(report?.id ?? "")?.measured_at ?? report?.created_at ?? "") || 0;
}
