import { UnitTestMode } from "../../core/unit-test/unit-test.ts";
import { listUnitTests } from "../../endpoints/api/unit-tests/list-unit-tests.ts";
import { askedOf, attempt, isOwnVisit } from "../asked.ts";
import { publicPage, type Visit } from "../page.ts";
import { Filters } from "../parts/filters.tsx";
import { Choice, Field } from "../parts/form.tsx";
import { Card, Empty, Notice } from "../parts/state.tsx";
import { NextPage } from "../parts/table.tsx";
import { UnitTestRows } from "./unit-tests/rows.tsx";

/** Single tests that the visitor may see, newest first. */
export const unitTestsPage = publicPage({
  path: "/unit-tests",
  async show(visit) {
    const { value, refusal } = await attempt([400, 401], () =>
      visit.ask(listUnitTests, askedOf(listUnitTests, visit.query)),
    );
    return {
      title: "Unit tests",
      status: refusal?.status ?? 200,
      body: (
        <>
          <h1>Unit tests</h1>
          <p class="quiet">
            A unit test is one test that ran by itself: measured once (standard), or with more and more load
            until ticks took too long (tier).
          </p>
          <UnitTestFilters visit={visit} />
          {refusal && <Notice means="bad">{refusal.message}</Notice>}
          {value && value.data.length === 0 && <NoUnitTests visit={visit} />}
          {value && value.data.length > 0 && (
            <Card title="Newest first">
              <UnitTestRows
                caption="Unit tests"
                tests={value.data}
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

function UnitTestFilters({ visit }: { visit: Visit }) {
  const { query } = visit;
  return (
    <Filters label="Which unit tests">
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
      <Field name="test_id" label="Test" value={query.get("test_id")} maxLength={64} />
      <Field name="category" label="Category" value={query.get("category")} maxLength={64} />
      <Choice
        name="benchmark_mode"
        label="Mode"
        value={query.get("benchmark_mode")}
        options={[["", "Any"], ...UnitTestMode.options.map((value) => [value, value] as const)]}
      />
    </Filters>
  );
}

function NoUnitTests({ visit }: { visit: Visit }) {
  if ([...visit.query.values()].some((value) => value !== ""))
    return (
      <Empty title="No unit test matches">
        <p>
          Widen the filters, or <a href="/unit-tests">show all</a>.
        </p>
      </Empty>
    );
  return (
    <Empty title="No unit tests yet">
      <p>Run a single test in the console of a linked server. It is yours alone until you publish it.</p>
      <p>{isOwnVisit(visit) ? <a href="/servers">Link a server</a> : <a href="/sign-in">Sign in</a>}</p>
    </Empty>
  );
}
