import { type PageRequest, publicPage } from "../../page.ts";
import { BenchmarkMode, Visibility } from "../../../core/report/report.ts";
import { listReports } from "../../../endpoints/api/report/list-reports.ts";
import { queryInput, attempt, hasSession } from "../../request-input.ts";
import { Choice, FormField } from "../../parts/form.tsx";
import { Filters } from "../../parts/filters.tsx";
import { anyChoice, Listing, Whose, filtersOf } from "../../parts/listing.tsx";
import { HowToBenchmark } from "./no-reports.tsx";
import { reportNamesOf } from "./report-name.tsx";
import { ReportRows } from "./rows.tsx";

/** On a phone a page of them is lower than 3,500 px. */
const reportsAPage = 18;

export const reportsPage = publicPage({
  path: "/reports",
  async show(request) {
    const answered = await attempt([400, 401], () =>
      request.call(listReports, { limit: reportsAPage, ...queryInput(listReports, request.query) }),
    );
    const names = await reportNamesOf(request, answered.value?.data.map(({ id }) => id) ?? []);
    return {
      title: "Reports",
      status: answered.refusal?.status ?? 200,
      body: (
        <>
          <div class="title">
            <h1>Reports</h1>
            <p class="row">
              <a href="/reports/compare">Compare two</a>
              <a href="/reports/before-after">Judge a change</a>
            </p>
          </div>
          <p class="quiet">
            A report is one benchmark of a game server: its scores, what held it back and what to change.{" "}
            <a href="/docs/guides/verdicts">How scores are made</a>
          </p>
          <ReportFilters request={request} />
          <Listing
            request={request}
            answered={answered}
            one="report"
            all="/reports"
            filters={filtersOf(listReports)}
            rows={(reports) => (
              <form
                method="get"
                action="/reports/compare"
                aria-label="Compare two reports"
                class="stack-half"
              >
                <ReportRows
                  caption="Reports"
                  reports={reports}
                  names={names}
                  now={request.now}
                  visibility={hasSession(request)}
                  choosable
                />
                <p class="row">
                  <button type="submit" class="plain">
                    Compare the two that are ticked
                  </button>
                </p>
              </form>
            )}
          >
            <HowToBenchmark />
          </Listing>
        </>
      ),
    };
  },
});

function ReportFilters({ request }: { request: PageRequest }) {
  const { query } = request;
  return (
    <Filters label="Which reports">
      <Whose request={request} />
      <Choice
        name="visibility"
        label="Visibility"
        value={query.get("visibility")}
        options={anyChoice(Visibility.options)}
      />
      <Choice
        name="benchmark_mode"
        label="Mode"
        value={query.get("benchmark_mode")}
        options={anyChoice(BenchmarkMode.options)}
      />
      <FormField name="server_type" label="Server type" value={query.get("server_type")} maxLength={64} />
    </Filters>
  );
}
