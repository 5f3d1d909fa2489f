import { compareReports } from "../../../../endpoints/api/report/compare-reports.ts";
import { attempt, idIn } from "../../../request-input.ts";
import { publicPage } from "../../../page.ts";
import { Filters } from "../../../parts/filters.tsx";
import { Notice } from "../../../parts/state.tsx";
import { OfferedReports, ReportField, offeredReports } from "../picker.tsx";
import { CompareCards } from "./cards.tsx";

/** Two reports side by side, with the band in which they tie drawn for each score. */
export const reportComparisonPage = publicPage({
  path: "/reports/compare",
  async show(request) {
    const base = idIn(request.query.get("base") ?? "");
    const other = idIn(request.query.get("other") ?? "");
    const isComplete = base !== "" && other !== "";
    const { value, refusal } = isComplete
      ? await attempt([400, 404], () => request.call(compareReports, { base, other }))
      : { value: null, refusal: null };
    const offered = await offeredReports(request);
    return {
      title: "Compare two reports",
      status: refusal?.status ?? 200,
      body: (
        <>
          <h1>Compare two reports</h1>
          <Filters label="Which reports" does="Compare">
            <ReportField name="base" label="Base report" value={base} required />
            <ReportField name="other" label="Other report" value={other} required />
          </Filters>
          <OfferedReports reports={offered} />
          {refusal?.status === 404 && (
            <Notice means="bad">One of these reports does not exist, or is not yours to see.</Notice>
          )}
          {refusal?.status === 400 && <Notice means="bad">{refusal.message}</Notice>}
          {value ? (
            <CompareCards comparison={value} />
          ) : (
            <p class="quiet">
              Two runs tell whether two machines differ. Whether a change on one server helped takes three
              runs before and three after: <a href="/reports/before-after">judge a change</a>.
            </p>
          )}
        </>
      ),
    };
  },
});
