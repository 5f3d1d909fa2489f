import { compareMemoryReports } from "../../../../endpoints/api/memory-report/compare-memory-reports.ts";
import { listMemoryReports } from "../../../../endpoints/api/memory-report/list-memory-reports.ts";
import { Bytes, Count, ShareCell } from "../amount.tsx";
import { capturesAPage } from "../captures-page.tsx";
import { Comparability } from "../comparability.tsx";
import { comparisonPage } from "../comparison-page.tsx";
import { Card } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { clock, span, Text } from "../../../parts/value.tsx";
import type { Comparison } from "../memory/answers.ts";
import { memoryReportOption } from "../memory-reports/page.tsx";
import { ClassChanges, GameObjectChanges, OwnerChanges } from "../memory/changes.tsx";
import { PointChangeList, SuspectChangeList } from "../memory/found-changes.tsx";
import { kindInWords } from "../memory/words.ts";

export const memoryComparisonPage = comparisonPage({
  captures: "memory reports",
  segment: "memory-reports",
  compare: (call, two) => call(compareMemoryReports, two),
  options: async (call, server_id) =>
    (await call(listMemoryReports, { server_id, limit: capturesAPage })).data.map(memoryReportOption),
  show: (comparison) => <Compared comparison={comparison} />,
});

function Compared({ comparison }: { comparison: Comparison }) {
  return (
    <>
      {comparison.elapsed_seconds !== null && (
        <p class="quiet">{span(comparison.elapsed_seconds * 1000)} lie between them.</p>
      )}
      <Comparability {...comparison.comparability} />
      <Total total={comparison.total} />
      <div class="columns">
        <Side title="Base, the older one" side={comparison.base} />
        <Side title="The newer one" side={comparison.target} />
      </div>
      {comparison.comparability.level === "not-comparable" ? (
        <p class="quiet">Owners, classes and suspects are not compared, for the reasons above.</p>
      ) : (
        <Changes comparison={comparison} />
      )}
    </>
  );
}

function Changes({ comparison }: { comparison: Comparison }) {
  return (
    <>
      <SuspectChangeList lists={comparison.suspects} />
      <OwnerChanges rows={comparison.owners} isCut={comparison.owners_truncated} />
      <PointChangeList lists={comparison.accumulation_points} />
      <GameObjectChanges rows={comparison.game_objects} />
      <ClassChanges rows={comparison.classes} />
    </>
  );
}

function Total({ total }: { total: Comparison["total"] }) {
  return (
    <Card title="In total">
      <Facts
        of={[
          ["Base", <Bytes key="b" value={total.base_bytes} />],
          ["Newer", <Bytes key="t" value={total.target_bytes} />],
          ["Change", <Bytes key="d" value={total.delta_bytes} sign />],
          ["Change in percent", <ShareCell key="p" pct={total.delta_percent} />],
        ]}
      />
    </Card>
  );
}

function Side({ title, side }: { title: string; side: Comparison["base"] }) {
  const at = side.created_at ?? side.uploaded_at;
  return (
    <Card title={title}>
      <Facts
        of={[
          [
            "Taken",
            <a key="at" href={`/servers/${side.server_id}/memory-reports/${side.id}`}>
              {at === null ? "time not known" : clock(at)}
            </a>,
          ],
          ["Kind", kindInWords(side.kind, side.mode)],
          ["Heap", <Bytes key="h" value={side.heap_bytes} />],
          ["Heaviest plugin", <Text key="o" value={side.top_owner} none="none reported" />],
          ["Suspects", <Count key="s" value={side.suspects_count} />],
        ]}
      />
    </Card>
  );
}
