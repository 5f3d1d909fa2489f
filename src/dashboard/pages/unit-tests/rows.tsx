import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { Instant } from "../../../core/time.ts";
import type { listUnitTests } from "../../../endpoints/api/unit-test/list-unit-tests.ts";
import { State } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Age, Quantity, Text } from "../../parts/value.tsx";
import { SoftwareCell } from "../reports/rows.tsx";

export type ListedUnitTest = PersonAnswer<typeof listUnitTests>["data"][number];

interface Props {
  readonly caption: string;
  readonly tests: readonly ListedUnitTest[];
  readonly now: Instant;
  readonly visibility?: boolean;
}

export function UnitTestRows({ caption, tests, now, visibility = false }: Props) {
  return (
    <Table
      caption={caption}
      rows={tests}
      rowKey={({ id }) => id}
      columns={[
        {
          head: "Test",
          cell: (test) => (
            <a href={`/unit-tests/${test.short_id}`}>
              <UnitTestName test={test} />
            </a>
          ),
        },
        { head: "Outcome", cell: (test) => <UnitTestOutcome test={test} /> },
        { head: "TPS", number: true, cell: ({ tps }) => <Quantity value={tps.avg} /> },
        { head: "MSPT", number: true, cell: ({ mspt }) => <Quantity value={mspt.avg} unit="ms" /> },
        { head: "Server", cell: (test) => <SoftwareCell report={test} /> },
        { head: "Mode", cell: ({ benchmark_mode }) => <Text value={benchmark_mode} none="not reported" /> },
        ...(visibility ? [{ head: "Seen by", cell: (test: ListedUnitTest) => test.visibility }] : []),
        { head: "Uploaded", cell: ({ created_at }) => <Age at={created_at} now={now} /> },
      ]}
    />
  );
}

/** As the plugin reports it. */
export function UnitTestName({
  test,
}: {
  test: Pick<ListedUnitTest, "display_name" | "test_name" | "test_id">;
}) {
  return <Text value={test.display_name ?? test.test_name ?? test.test_id} none="a test without a name" />;
}

/** Old plugins report only success or not. */
export function UnitTestOutcome({
  test,
}: {
  test: Pick<ListedUnitTest, "outcome" | "success" | "reason_code">;
}) {
  const { outcome, success, reason_code } = test;
  return (
    <>
      {outcome === "success" || (outcome === null && success === true) ? (
        <State means="good">success</State>
      ) : outcome === "skipped" ? (
        <State means="silenced">skipped</State>
      ) : outcome === "failure" || success === false ? (
        <State means="bad">{outcome === "failure" ? "failure" : "no success"}</State>
      ) : (
        <State means="unknown">not reported</State>
      )}
      {reason_code !== null && (
        <div class="small quiet">
          <Text value={reason_code} />
        </div>
      )}
    </>
  );
}
