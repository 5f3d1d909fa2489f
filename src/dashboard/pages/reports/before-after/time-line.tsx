import { MetricKey } from "../../../../core/report/compare.ts";
import { leadScore } from "../../../../core/report/lead-score.ts";
import { Table } from "../../../parts/table.tsx";
import { clock } from "../../../parts/value.tsx";
import { scoreWords } from "../../../words/reports.ts";
import { type ListedReport, ReportNameLink, reportLine, type ReportNames } from "../report-name.tsx";
import { LeadScoreCell } from "../score.tsx";
import { fieldOf, queryWith, sidesAround, type JudgedRuns, type LineRun } from "./chosen-runs.ts";

interface TimeLineProps {
  /** Oldest first. */
  readonly runs: readonly LineRun[];
  readonly names: ReportNames;
  readonly server: string | null;
  /** The present choice; links keep its target. */
  readonly chosen: JudgedRuns;
}

const height = 150;
/** px: scores lie between `top` and `bottom`, and runs without the score are at `below`. */
const [top, bottom, below] = [14, 110, 134];

type DrawnScore = keyof ListedReport["scores"];

/** The target's score if lists have it, otherwise the lead score of the newest run. */
function drawnScore(target: string, runs: readonly LineRun[]): DrawnScore {
  const metric = MetricKey.safeParse(target);
  const newest = runs.at(-1)?.report;
  if (metric.success && newest && metric.data in newest.scores) return metric.data as DrawnScore;
  return newest ? leadScore(newest.scores).key : "total";
}

/** A click on a run puts earlier runs on one side, and this run and later ones on the other. */
export function TimeLine({ runs, names, server, chosen }: TimeLineProps) {
  const score = drawnScore(chosen.target, runs);
  const valueOf = ({ report }: LineRun): number | null => report.scores[score] || null;
  const known = runs.map(valueOf).filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const yOf = (value: number | null): number =>
    value === null
      ? below
      : most === least
        ? (top + bottom) / 2
        : bottom - ((value - least) / (most - least)) * (bottom - top);
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return null;
  const hrefOf = (run: LineRun): string | null => {
    const sides = sidesAround(runs, run);
    return sides && queryWith({ ...chosen, ...sides }, server);
  };
  return (
    <figure class="run-line stack-half">
      <svg
        role="group"
        width="100%"
        height={height}
        aria-label={`${scoreWords[score]} of each run, in the order of time`}
      >
        {known.length > 0 && (
          <>
            <line class="edge" x1="0" x2="100%" y1={top} y2={top} />
            <line class="edge" x1="0" x2="100%" y1={bottom} y2={bottom} />
          </>
        )}
        {runs.map((run, index) => (
          <RunMark
            key={run.report.id}
            run={run}
            x={`${(((index + 0.5) / runs.length) * 100).toFixed(2)}%`}
            y={yOf(valueOf(run))}
            words={wordsOfRun(run, score, names)}
            href={hrefOf(run)}
          />
        ))}
      </svg>
      <figcaption class="small quiet">
        <span class="ends">
          <span>{clock(first.at)}</span>
          <span>{clock(last.at)}</span>
        </span>
        {known.length > 0 && (
          <>
            {scoreWords[score]} from {least} to {most}, runs in the order of time.{" "}
          </>
        )}
        {known.length < runs.length && "Crosses at the bottom are runs that did not measure it. "}A filled
        circle is a run before the change, a triangle one after it. Click the first run after the change: up
        to five runs on each side are chosen.
      </figcaption>
    </figure>
  );
}

const wordsOfRun = ({ report, side }: LineRun, score: DrawnScore, names: ReportNames): string => {
  const value = report.scores[score] || null;
  const measured = value === null ? "not measured" : `${scoreWords[score].toLowerCase()} ${value}`;
  return `${reportLine(report, names)}: ${measured}${side === null ? "" : `, ${side}`}`;
};

interface RunMarkProps {
  readonly run: LineRun;
  /** `x` is a share of the width, `y` pixels from the top. */
  readonly x: string;
  readonly y: number;
  readonly words: string;
  /** The page with this run as the first one after the change; null if no run is before it. */
  readonly href: string | null;
}

function RunMark({ run: { side }, x, y, words, href }: RunMarkProps) {
  const mark = (
    <svg x={x} y={y} overflow="visible">
      <title>{words}</title>
      <rect class="hit" x="-12" y="-12" width="24" height="24" />
      <path class={side ?? "open"} d={y === below ? crossMark : markOf[side ?? "open"]} />
    </svg>
  );
  if (href === null)
    return (
      <g role="img" aria-label={words}>
        {mark}
      </g>
    );
  return (
    <a href={href} aria-label={`The change lies before ${words}`}>
      {mark}
    </a>
  );
}

const markOf = {
  open: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
  before: "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z",
  after: "M0 -7l7 12h-14z",
} as const;

const crossMark = "M-4 -4l8 8M4 -4l-8 8";

/** Newest first, each with a choice of its side. */
export function RunList({ runs, names }: Pick<TimeLineProps, "runs" | "names">) {
  return (
    <Table
      caption="Runs and their side"
      rows={runs.toReversed()}
      rowKey={({ report }) => report.id}
      columns={[
        { head: "Run", cell: ({ report }) => <ReportNameLink report={report} names={names} /> },
        { head: "Score", number: true, cell: ({ report }) => <LeadScoreCell scores={report.scores} /> },
        {
          head: "Side",
          cell: (run) => (
            <div class="row" role="radiogroup" aria-label={`Side of ${reportLine(run.report, names)}`}>
              {(["before", "", "after"] as const).map((side) => (
                <label key={side} class="check">
                  <input
                    type="radio"
                    name={fieldOf(run.report)}
                    value={side}
                    checked={(run.side ?? "") === side}
                  />
                  <span>{side === "" ? "neither" : side}</span>
                </label>
              ))}
            </div>
          ),
        },
      ]}
    />
  );
}
