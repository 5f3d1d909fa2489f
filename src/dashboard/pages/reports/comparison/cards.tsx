import { absence } from "../../../words/glossary.ts";
import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import { tieEdges } from "../../../../core/report/compare.ts";
import type { compareReports } from "../../../../endpoints/api/report/compare-reports.ts";
import { leadScore, missingWords } from "../../../../core/report/lead-score.ts";
import { Mark } from "../../../parts/mark.tsx";
import { Card, Notice, State } from "../../../parts/state.tsx";
import { Facts, Table } from "../../../parts/table.tsx";
import { ConditionsNotice } from "../conditions.tsx";
import { reachOf, TieBand } from "../tie-band.tsx";
import { Text, Time } from "../../../parts/value.tsx";
import { blockerWords, comparisonCaveatWords, scoreWords, spelled } from "../../../words/reports.ts";
import { ReportNameLink, type ReportNames } from "../report-name.tsx";
import { SoftwareCell } from "../rows.tsx";
import { Score } from "../score.tsx";

type Comparison = PersonAnswer<typeof compareReports>;
type Row = Comparison["metrics"][number];
type Side = "base" | "other";

/** The caveats come before the scores. */
export function CompareCards({ comparison, names }: { comparison: Comparison; names: ReportNames }) {
  return (
    <>
      <VerdictCard comparison={comparison} />
      <Caveats comparison={comparison} />
      <ScoresCard comparison={comparison} />
      <div class="columns">
        <SideCard title="Base" report={comparison.reports.base} names={names} />
        <SideCard title="Other" report={comparison.reports.other} names={names} />
      </div>
    </>
  );
}

function VerdictCard({ comparison: { summary, blocked_by, metrics, reports } }: { comparison: Comparison }) {
  const { outcome, leader, base_leads, other_leads, ties, undecided } = summary;
  const total = metrics.find(({ key }) => key === "total");
  return (
    <section class="card verdict">
      <h2>
        {outcome === "leader" && leader && (
          <Mark shape={leader === "other" ? "above" : "below"}>{spelled(leader)} leads</Mark>
        )}
        {outcome === "tie" && <Mark shape="level">Tie</Mark>}
        {outcome === "undecided" && <State means="unknown">Undecided</State>}
        {outcome === "not_comparable" && <Mark shape="apart">Not comparable</Mark>}
      </h2>
      {outcome === "leader" && total?.gap && (
        <p>
          By the total alone: other is {signed(total.gap.percent)} ({signed(total.gap.absolute, "points")})
          from base, outside the tie band.
        </p>
      )}
      {outcome === "tie" && (
        <p>
          The totals differ by less than the tie band. Runs of one machine differ as much. No report leads.
        </p>
      )}
      {outcome === "undecided" && (
        <>
          <p>{noTotal(reports)}, so the totals are not compared. This is not a tie.</p>
          <HardwareBeside metrics={metrics} />
        </>
      )}
      {blocked_by !== null && <p>{blockerWords[blocked_by]} No score has a leader.</p>}
      <p class="small quiet">
        Of ten scores, base leads in {base_leads}, other leads in {other_leads}, {ties} tie, and {undecided}{" "}
        have no verdict. <a href="/docs/guides/verdicts#comparing-two-reports">How this is decided</a>
      </p>
    </section>
  );
}

/** Which sides have no total, and why. */
function noTotal({ base, other }: Comparison["reports"]): string {
  const [left, right] = [leadScore(base.scores), leadScore(other.scores)];
  if (left.value === null && right.value === null) return "Custom runs have no total";
  const lacking = [left, right].filter((lead) => lead.missing.length > 0);
  if (lacking.length === 0) return "One side has no total";
  const reasons = [...new Set(lacking.map(missingWords))].join("; ");
  return `${lacking.length === 2 ? "Both sides have" : "One side has"} no total (${reasons})`;
}

/** The hardware scores of runs whose totals are not compared; they decide nothing. */
function HardwareBeside({ metrics }: Pick<Comparison, "metrics">) {
  const row = metrics.find(({ key }) => key === "hardware");
  if (!row?.gap) return null;
  return (
    <p>
      Hardware alone: other has {row.other}, base {row.base} ({signed(row.gap.percent)}),{" "}
      {row.outcome === "tie" ? "inside the tie band" : `outside the tie band: ${row.leader} leads`}.
    </p>
  );
}

function Caveats({ comparison: { caveats } }: { comparison: Comparison }) {
  if (caveats.length === 0)
    return <Notice means="good">No other known difference lies between the two set-ups.</Notice>;
  return (
    <Notice means="watch">
      <h2>
        {caveats.length === 1 ? "One difference" : `${caveats.length} differences`} between the two runs
      </h2>
      <p>Read this before you trust a leader. It changes no verdict.</p>
      <Table
        caption="What differs"
        rows={caveats}
        rowKey={({ code }) => code}
        columns={[
          { head: "What", cell: ({ code }) => comparisonCaveatWords[code] ?? spelled(code) },
          { head: "Base", cell: ({ base }) => <Text value={String(base)} /> },
          { head: "Other", cell: ({ other }) => <Text value={String(other)} /> },
        ]}
      />
    </Notice>
  );
}

function ScoresCard({ comparison: { metrics, tie_band } }: { comparison: Comparison }) {
  const reach = reachOf(metrics.map(({ gap }) => gap?.percent ?? 0));
  const edgesOf = (row: Row) => tieEdges(row.base ?? 1, tie_band);
  return (
    <Card
      title="Score by score"
      aside={
        <span class="small quiet">
          The line is base, the shaded band is a tie ({tie_band.relative_percent} % of the larger value, at
          least {tie_band.absolute} point), the mark is other. The scale is ±{reach} %.
        </span>
      }
    >
      <Table
        caption="Scores of both reports"
        rows={metrics}
        rowKey={({ key }) => key}
        columns={[
          { head: "Score", cell: ({ key }) => scoreWords[key] },
          { head: "Base", number: true, cell: ({ base }) => <Score value={base} /> },
          { head: "Other", number: true, cell: ({ other }) => <Score value={other} /> },
          {
            head: "Other compared with base",
            number: true,
            cell: ({ gap }) =>
              gap === null ? <span class="quiet">{absence.unknown}</span> : signed(gap.percent),
          },
          {
            head: "Tie band",
            cell: (row) => <Drawn row={row} reach={reach} edges={edgesOf(row)} />,
          },
          { head: "Verdict", cell: (row) => <Outcome row={row} /> },
        ]}
      />
    </Card>
  );
}

interface DrawnProps {
  readonly row: Row;
  readonly reach: number;
  readonly edges: { readonly below: number; readonly above: number };
}

function Drawn({ row: { key, gap, outcome, leader }, reach, edges: { below, above } }: DrawnProps) {
  if (gap?.percent == null) return <span class="quiet">nothing to draw</span>;
  const fell = outcome === "tie" ? "inside" : leader === "other" ? "above" : "below";
  const where = fell === "inside" ? "inside" : fell;
  return (
    <TieBand
      label={`${scoreWords[key]}: other is ${signed(gap.percent)} from base, ${where} the tie band from ${signed(below)} to ${signed(above)}`}
      percent={gap.percent}
      below={below}
      above={above}
      reach={reach}
      fell={fell}
    />
  );
}

function Outcome({ row: { outcome, leader, base, other } }: { row: Row }) {
  if (outcome === "tie") return <Mark shape="level">tie</Mark>;
  if (outcome === "not_comparable") return <Mark shape="apart">not comparable</Mark>;
  if (outcome === "leader") return <Mark shape={leader === "other" ? "above" : "below"}>{leader} leads</Mark>;
  const lacking = [!base && "base", !other && "other"].filter(Boolean).join(" and ");
  return (
    <>
      <Mark shape="missing">missing</Mark>
      <div class="small quiet">not measured by {lacking}</div>
    </>
  );
}

/** With a sign and at most two decimals. */
export function signed(value: number | null, unit = "%"): string {
  if (value === null) return absence.unknown;
  const shown = Math.round(value * 100) / 100;
  return `${shown > 0 ? "+" : shown < 0 ? "−" : ""}${Math.abs(shown)} ${unit}`;
}

interface SideProps {
  readonly title: string;
  readonly report: Comparison["reports"][Side];
  readonly names: ReportNames;
}

function SideCard({ title, report, names }: SideProps) {
  return (
    <Card title={title}>
      <ReportNameLink report={report} names={names} />
      <ConditionsNotice conditions={report.conditions} />
      <Facts
        of={[
          ["Software", <SoftwareCell key="server" report={report} />],
          ["Processor", <Text key="cpu" value={report.hardware.cpu_name} none="not reported" />],
          ["Uploaded", <Time key="at" at={report.created_at} />],
        ]}
      />
    </Card>
  );
}
