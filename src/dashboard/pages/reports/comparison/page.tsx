import { compareReports } from "../../../../endpoints/api/report/compare-reports.ts";
import { attempt, idIn } from "../../../request-input.ts";
import { publicPage } from "../../../page.ts";
import { Filters } from "../../../parts/filters.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { offeredReports, ReportChoice, ReportField } from "../picker.tsx";
import { namesOf } from "../report-name.tsx";
import { CompareCards } from "./cards.tsx";

/** The comparison of two reports, with the tie band of each score. */
export const reportComparisonPage = publicPage({
  path: "/reports/compare",
  async show(request) {
    const { query } = request;
    const ticked = query.getAll("report").map(idIn);
    if (ticked.length === 2) return { to: addressOf(ticked) };
    const [base, other] = [named(query, "base"), named(query, "other")];
    const isComplete = base !== "" && other !== "";
    const { value, refusal } = isComplete
      ? await attempt([400, 404], () => request.call(compareReports, { base, other }))
      : { value: null, refusal: null };
    const offered = await offeredReports(request);
    const names =
      value === null
        ? offered.names
        : await namesOf(request, [value.reports.base.id, value.reports.other.id]);
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
          <Card title={value ? "Compare others" : "Which reports"}>
            <Filters label="Which reports" does="Compare">
              <ReportChoice name="base" label="Base report" value={base} offered={offered} />
              <ReportChoice name="other" label="Other report" value={other} offered={offered} />
              <details>
                <summary>Reports that are not in the lists</summary>
                <div class="filters">
                  <ReportField name="base_id" label="Address of the base report" />
                  <ReportField name="other_id" label="Address of the other report" />
                </div>
              </details>
            </Filters>
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

/** The report of a side: the typed address where there is one, or else the chosen one. */
const named = (query: URLSearchParams, side: "base" | "other"): string =>
  idIn(query.get(`${side}_id`) || query.get(side) || "");

/** Lists are newest first, so the last one that was ticked is the older one, and the base. */
const addressOf = ([newer = "", older = ""]: readonly string[]): string =>
  `/reports/compare?${new URLSearchParams({ base: older, other: newer })}`;
