import { getMemoryReport } from "../../../../endpoints/api/memory-report/get-memory-report.ts";
import { listMemoryReports } from "../../../../endpoints/api/memory-report/list-memory-reports.ts";
import { getCaptureState } from "../../../../actions/server/get-capture-state.ts";
import { personPage } from "../../../page.ts";
import { Bytes, Count } from "../amount.tsx";
import { CompareTwo } from "../compare-two.tsx";
import { ServerHead } from "../../../parts/server-head.tsx";
import { Card, Notice, State } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { clock, Text, Time } from "../../../parts/value.tsx";
import { memoryReportOption } from "../memory-reports/page.tsx";
import type { MemoryDiagnosisAnswer, MemoryReportAnswer } from "../memory/answers.ts";
import { Accumulations, Classes, GameObjects, MemoryOwners } from "../memory/lists.tsx";
import { Suspects } from "../memory/suspects.tsx";
import { kindInWords } from "../memory/words.ts";

/** Other reports that can be chosen for a comparison. */
const offered = 25;

export const memoryReportPage = personPage({
  path: "/servers/{id}/memory-reports/{report}",

  async show({ call, params }) {
    const server_id = params["id"] ?? "";
    const { server_name } = await call(getCaptureState, { server_id });
    const report = await call(getMemoryReport, { server_id, report_id: params["report"] ?? "" });
    const others = (await call(listMemoryReports, { server_id, limit: offered })).data;
    const taken = clock(report.created_at ?? report.uploaded_at ?? 0);
    const { diagnosis } = report;
    return {
      title: `Memory report of ${taken}`,
      body: (
        <>
          <ServerHead id={server_id} name={server_name} />
          <div class="title">
            <h2>Memory report of {taken}</h2>
            <a href={`/servers/${server_id}/memory-reports`}>All memory reports</a>
          </div>
          <Summary report={report} />
          {diagnosis ? (
            <>
              <Suspects rows={diagnosis.suspects} isCut={diagnosis.suspects_truncated} />
              <MemoryOwners
                rows={diagnosis.owners}
                isCut={diagnosis.owners_truncated}
                measure={diagnosis.measure}
              />
              <Accumulations rows={diagnosis.accumulation_points} />
              <GameObjects rows={diagnosis.game_objects} />
              <Classes rows={diagnosis.classes} isCut={diagnosis.classes_truncated} />
            </>
          ) : (
            <Notice means="bad">The upload can no longer be read. Only the values above are kept.</Notice>
          )}
          <Card title="Compare">
            <CompareTwo
              to={`/servers/${server_id}/memory-reports/compare`}
              options={[
                memoryReportOption(report),
                ...others.filter(({ id }) => id !== report.id).map(memoryReportOption),
              ]}
              base={report.id}
            />
          </Card>
        </>
      ),
    };
  },
});

function Summary({ report }: { report: MemoryReportAnswer }) {
  const totals = report.diagnosis?.totals;
  return (
    <Card title="The heap">
      <Facts
        of={[
          ["Kind", kindInWords(report.kind, report.mode)],
          ["Taken", <Time key="c" at={report.created_at} />],
          ["Uploaded", <Time key="u" at={report.uploaded_at} />],
          [
            "Shares are of",
            <Bytes key="d" value={report.diagnosis?.denominator_bytes ?? report.heap_bytes} />,
          ],
          ["Heap used", <Bytes key="h" value={totals?.heap_used_bytes ?? null} />],
          ["Heap at most", <Bytes key="m" value={totals?.heap_max_bytes ?? null} />],
          ["Reachable", <Bytes key="r" value={totals?.reachable_bytes ?? null} />],
          ["Garbage", <Bytes key="g" value={totals?.unreachable_bytes ?? null} />],
          ["Objects", <Count key="o" value={totals?.objects ?? null} />],
          ["Classes", <Count key="k" value={totals?.classes ?? null} />],
          ["Plugin version", <Text key="v" value={report.plugin_version} none="not reported" />],
          ["Local id", <Text key="l" value={report.local_id} />],
        ]}
      />
      {report.diagnosis && <Remarks diagnosis={report.diagnosis} />}
    </Card>
  );
}

/** Why an analysis was quick; an unknown reason is shown as it was sent. */
const fallbacks: Readonly<Record<string, string>> = {
  memory: "a full one needs more memory than was free",
  "memory-unknown": "the free memory is not known",
  "out-of-memory": "a full one ran out of memory",
  timeout: "a full one took too long",
  "too-large": "the heap is too large for a full one",
  failed: "the full one failed",
  "disk-space": "there was too little space on the disk",
};

function Remarks({ diagnosis }: { diagnosis: MemoryDiagnosisAnswer }) {
  const { fallback, jvm_dominates } = diagnosis;
  return (
    <ul class="plain-list">
      {(diagnosis.ran_quick_instead_of_full || diagnosis.ran_quick_instead_of_retained) && (
        <li>
          <State means="watch">Quick analysis</State> A quick analysis ran instead of the requested one
          {fallback && (
            <>
              : <Text value={fallbacks[fallback.reason] ?? fallback.reason} />
            </>
          )}
          . It counts what objects take by themselves, not what they hold.
        </li>
      )}
      {diagnosis.denominator_bytes === null && (
        <li>
          <State means="unknown">No shares</State> The upload does not report the size of the heap.
        </li>
      )}
      {jvm_dominates && (
        <li>
          <State means="unknown">No plugin stands out</State> The game, the Java virtual machine and libraries
          hold 80 % or more.
        </li>
      )}
      <li>
        <State means="unknown">{diagnosis.measure === "retained" ? "Retained bytes" : "Shallow bytes"}</State>{" "}
        {diagnosis.measure === "retained"
          ? "The bytes are those that would be freed without their holder."
          : "The bytes are those of the objects themselves: a small object that holds many others looks small."}
      </li>
    </ul>
  );
}
