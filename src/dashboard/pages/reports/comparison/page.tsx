import { compareReports } from "../../../../endpoints/api/report/compare-reports.ts";
import { attempt, idIn } from "../../../request-input.ts";
import { publicPage } from "../../../page.ts";
import { Filters } from "../../../parts/filters.tsx";
import { Notice } from "../../../parts/state.tsx";
import { OfferedReports, ReportField, offeredReports } from "../picker.tsx";
import { CompareCards } from "./cards.tsx";

/** The comparison of two reports, with the tie band of each score. */
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
            <Notice means="bad">
              One of these reports does not exist, or you may not see it. Check both identifiers.
            </Notice>
          )}
          {refusal?.status === 400 && <Notice means="bad">{refusal.message}</Notice>}
          {value ? (
            <CompareCards comparison={value} />
          ) : (
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
