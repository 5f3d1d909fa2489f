import { isSignedIn } from "../../../../contract/call/person.ts";
import { Refusal } from "../../../../core/errors.ts";
import { Visibility } from "../../../../core/report/report.ts";
import { getUnitTest } from "../../../../endpoints/api/unit-test/get-unit-test.ts";
import { deleteUnitTest } from "../../../../actions/unit-test/delete-unit-test.ts";
import { getOwnUnitTest } from "../../../../actions/unit-test/get-own-unit-test.ts";
import { setUnitTestVisibility } from "../../../../actions/unit-test/set-unit-test-visibility.ts";
import { publicPage, type PageRequest } from "../../../page.ts";
import { Button, Check, Choice, Form } from "../../../parts/form.tsx";
import { Card } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { Age, Text, Time } from "../../../parts/value.tsx";
import { visibilityWords } from "../../../words/reports.ts";
import { ReportedValue } from "../../reports/environment.tsx";
import { SoftwareCell } from "../../reports/rows.tsx";
import { ReportedCard, RampCard, TicksCard, type UnitTestShown } from "./cards.tsx";
import { UnitTestName, UnitTestOutcome } from "../rows.tsx";

const idOf = ({ params }: PageRequest): string => params["id"] ?? "";

export const unitTestPage = publicPage({
  path: "/unit-tests/{id}",
  async show(request) {
    const unit_test_id = idOf(request);
    const test = await request.call(getUnitTest, { unit_test_id });
    const own = isSignedIn(request.person) ? await request.call(getOwnUnitTest, { unit_test_id }) : null;
    return {
      title: `Unit test ${test.short_id}`,
      body: (
        <>
          <Head test={test} request={request} />
          {test.description !== null && <p class="typed card">{test.description}</p>}
          <TicksCard test={test} />
          <RampCard test={test} />
          <ReportedCard test={test} />
          <WhereCard test={test} />
          {own?.may_manage && <Manage test={test} />}
        </>
      ),
    };
  },
  actions: {
    visibility: async (sent) => {
      const visibility = Visibility.safeParse(sent.form.get("visibility"));
      if (!visibility.success) throw new Refusal("validation_error", "Choose who may see the test.");
      await sent.call(setUnitTestVisibility, { unit_test_id: idOf(sent), visibility: visibility.data });
      return { to: `/unit-tests/${idOf(sent)}` };
    },
    delete: async (sent) => {
      if (sent.form.get("sure") === null)
        throw new Refusal("validation_error", "Tick the box if you want to delete this test for good.");
      await sent.call(deleteUnitTest, { unit_test_id: idOf(sent) });
      return { to: "/unit-tests?mine=true" };
    },
  },
});

function Head({ test, request }: { test: UnitTestShown; request: PageRequest }) {
  const { visibility, benchmark_mode, parent_report_id, server_id, expires_at } = test;
  return (
    <>
      <div class="title">
        <h1>
          <UnitTestName test={test} />
        </h1>
        <div class="row">
          {benchmark_mode !== null && <span class="badge">{benchmark_mode}</span>}
          {visibility !== null && <span class="badge">{visibility}</span>}
          <UnitTestOutcome test={test} />
        </div>
      </div>
      <p class="quiet">
        Unit test <span class="mono">{test.short_id}</span> · <SoftwareCell report={test} /> · uploaded{" "}
        <Age at={test.created_at} now={request.now} />
        {parent_report_id !== null && (
          <>
            {" "}
            · <a href={`/reports/${parent_report_id}`}>its report</a>
          </>
        )}
        {server_id !== null && (
          <>
            {" "}
            · <a href={`/servers/${server_id}`}>your server</a>
          </>
        )}
        {expires_at !== null && (
          <>
            {" "}
            · kept until <Time at={expires_at} />
          </>
        )}
      </p>
    </>
  );
}

function WhereCard({ test }: { test: UnitTestShown }) {
  const { hardware, server } = test;
  return (
    <Card title="What and where">
      <Facts
        of={[
          ["Test", <Text key="id" value={test.test_id} none="not reported" />],
          ["Category", <Text key="category" value={test.category} none="not reported" />],
          ["Sub-category", <Text key="sub" value={test.sub_category} none="not reported" />],
          ["Tested", <Time key="at" at={test.test_timestamp} />],
          ["Source", test.source === "auto_bench" ? "a scheduled run" : "a person"],
          ["Provider", <ReportedValue key="provider" value={test.provider} />],
          ["Processor", <ReportedValue key="cpu" value={hardware.cpu_name} />],
          ["Cores", <ReportedValue key="cores" value={hardware.cpu_cores} />],
          ["Threads", <ReportedValue key="threads" value={hardware.cpu_threads} />],
          [
            "Processors the JVM may use",
            <ReportedValue key="usable" value={hardware.available_processors} />,
          ],
          ["Memory", <ReportedValue key="ram" value={hardware.ram_gb} unit="GB" />],
          ["Memory limit", <ReportedValue key="limit" value={hardware.memory_limit_gb} unit="GB" />],
          ["Operating system", <ReportedValue key="os" value={test.os_name} />],
          ["Java", <ReportedValue key="java" value={test.java_version} />],
          ["Measured by plugin", <ReportedValue key="plugin" value={server.plugin_version} />],
        ]}
      />
    </Card>
  );
}

function Manage({ test }: { test: UnitTestShown }) {
  return (
    <div class="columns">
      <Card title="Change it">
        <Form does="visibility">
          <Choice
            name="visibility"
            label="Who may see it"
            value={test.visibility}
            of="visibility"
            options={Visibility.options.map((value) => [value, visibilityWords[value]] as const)}
          />
          <Button>Change visibility</Button>
        </Form>
      </Card>
      <Card title="Delete">
        <p>This deletes the test and its measurements for good. The report it belongs to stays.</p>
        <Form does="delete">
          <Check name="sure" label="Delete this test for good" />
          <Button danger>Delete the test</Button>
        </Form>
      </Card>
    </div>
  );
}
