import { UnitTestMode } from "../../../core/unit-test/unit-test.ts";
import { listUnitTests } from "../../../endpoints/api/unit-test/list-unit-tests.ts";
import { queryInput, attempt, hasSession } from "../../request-input.ts";
import { publicPage, type PageRequest } from "../../page.ts";
import { Filters } from "../../parts/filters.tsx";
import { Choice, FormField } from "../../parts/form.tsx";
import { anyChoice, Listing, Whose, filtersOf } from "../../parts/listing.tsx";
import { UnitTestRows } from "./rows.tsx";

export const unitTestsPage = publicPage({
  path: "/unit-tests",
  async show(request) {
    const answered = await attempt([400, 401], () =>
      request.call(listUnitTests, queryInput(listUnitTests, request.query)),
    );
    return {
      title: "Unit tests",
      status: answered.refusal?.status ?? 200,
      body: (
        <>
          <h1>Unit tests</h1>
          <p class="quiet">
            A unit test is one test that ran by itself: measured once (standard), or with more and more load
            until ticks took too long (tier).
          </p>
          <UnitTestFilters request={request} />
          <Listing
            request={request}
            answered={answered}
            one="unit test"
            all="/unit-tests"
            filters={filtersOf(listUnitTests)}
            rows={(tests) => (
              <UnitTestRows
                caption="Unit tests"
                tests={tests}
                now={request.now}
                visibility={hasSession(request)}
              />
            )}
          >
            <p>
              The plugin of a linked server uploads each test that is run alone in its console. Only you may
              open it until you publish it.
            </p>
          </Listing>
        </>
      ),
    };
  },
});

function UnitTestFilters({ request }: { request: PageRequest }) {
  const { query } = request;
  return (
    <Filters label="Which unit tests">
      <Whose request={request} />
      <FormField name="test_id" label="Test" value={query.get("test_id")} maxLength={64} />
      <FormField name="category" label="Category" value={query.get("category")} maxLength={64} />
      <Choice
        name="benchmark_mode"
        label="Mode"
        value={query.get("benchmark_mode")}
        options={anyChoice(UnitTestMode.options)}
      />
    </Filters>
  );
}
