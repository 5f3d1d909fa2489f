import type { Visit } from "../page.ts";
import { publicPage } from "../page.ts";
import { BenchmarkMode, Visibility } from "../../core/report/report.ts";
import { listReports } from "../../endpoints/api/reports/list-reports.ts";
import { askedOf, attempt, isOwnVisit } from "../asked.ts";
import { Choice, Field } from "../parts/form.tsx";
import { Filters } from "../parts/filters.tsx";
import { Card, Empty, Notice } from "../parts/state.tsx";
import { NextPage } from "../parts/table.tsx";
import { ReportRows } from "./reports/rows.tsx";

/** Reports that the visitor may see, newest first. */
export const reportsPage = publicPage({
  path: "/reports",
  async show(visit) {
    const { value, refusal } = await attempt([400, 401], () =>
      visit.ask(listReports, askedOf(listReports, visit.query)),
    );
    return {
      title: "Reports",
      status: refusal?.status ?? 200,
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
          <ReportFilters visit={visit} />
          {refusal && <Notice means="bad">{refusal.message}</Notice>}
          {value && value.data.length === 0 && <NoReports visit={visit} />}
          {value && value.data.length > 0 && (
            <Card title="Newest first">
              <ReportRows
                caption="Reports"
                reports={value.data}
                now={visit.now}
                visibility={isOwnVisit(visit)}
              />
              <NextPage cursor={value.page.cursor} query={visit.query} />
            </Card>
          )}
        </>
      ),
    };
  },
});

function ReportFilters({ visit }: { visit: Visit }) {
  const { query } = visit;
  const any = ["", "Any"] as const;
  return (
    <Filters label="Which reports">
      {isOwnVisit(visit) && (
        <Choice
          name="mine"
          label="Whose"
          value={query.get("mine")}
          options={[
            ["", "All I may see"],
            ["true", "My own"],
          ]}
        />
      )}
      <Choice
        name="visibility"
        label="Visibility"
        value={query.get("visibility")}
        options={[any, ...Visibility.options.map((value) => [value, value] as const)]}
      />
      <Choice
        name="benchmark_mode"
        label="Mode"
        value={query.get("benchmark_mode")}
        options={[any, ...BenchmarkMode.options.map((value) => [value, value] as const)]}
      />
      <Field name="server_type" label="Server type" value={query.get("server_type")} maxLength={64} />
    </Filters>
  );
}

function NoReports({ visit }: { visit: Visit }) {
  const isFiltered = [...visit.query.values()].some((value) => value !== "");
  if (isFiltered)
    return (
      <Empty title="No report matches">
        <p>
          Widen the filters, or <a href="/reports">show all</a>.
        </p>
      </Empty>
    );
  return (
    <Empty title="No reports yet">
      <p>
        Install the plugin, link the server with <code>/bench link</code>, and run <code>/bench</code> in its
        console. The report is yours alone until you publish it.
      </p>
      <p>{isOwnVisit(visit) ? <a href="/servers">Link a server</a> : <a href="/sign-in">Sign in</a>}</p>
    </Empty>
  );
}
