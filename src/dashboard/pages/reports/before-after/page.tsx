import { contextFields } from "../../../../core/report/context.ts";
import { MetricKey } from "../../../../core/report/compare.ts";
import { leadScore } from "../../../../core/report/lead-score.ts";
import { TuningCode } from "../../../../core/report/tuning/recommendation.ts";
import { judgeBeforeAfter } from "../../../../endpoints/api/report/judge-before-after.ts";
import { queryInput, attempt, idIn } from "../../../request-input.ts";
import { publicPage } from "../../../page.ts";
import { Check, Choice } from "../../../parts/form.tsx";
import { Notice } from "../../../parts/state.tsx";
import { adviceWords } from "../../../words/diagnosis.ts";
import { scoreWords } from "../../../words/reports.ts";
import { BeforeAfterCards } from "./cards.tsx";
import { OfferedReports, ReportField, offeredReports, type ListedReport } from "../picker.tsx";

/** The verdict on a change, by the runs before and after it. */
export const beforeAfterPage = publicPage({
  path: "/reports/before-after",
  async show(request) {
    const offered = await offeredReports(request);
    const runs = readQuery(request.query, usualTarget(offered));
    const complete = runs.before.length > 0 && runs.after.length > 0;
    const { value, refusal } = complete
      ? await attempt([400, 404], () => request.call(judgeBeforeAfter, inputOf(runs)))
      : { value: null, refusal: null };
    return {
      title: "Judge a change",
      status: refusal?.status ?? 200,
      body: (
        <>
          <h1>Judge a change</h1>
          <p class="quiet">
            Run the benchmark at least three times, change one thing, and run it at least three times again.
            Runs of one machine differ without any change. Fewer runs cannot show the effect of a change.{" "}
            <a href="/docs/guides/verdicts#before-and-after-a-change">How this is decided</a>
          </p>
          {refusal?.status === 404 && (
            <Notice means="bad">
              One of these reports does not exist, or you may not see it. Check both identifiers.
            </Notice>
          )}
          {refusal?.status === 400 && <Notice means="bad">{refusal.message}</Notice>}
          {value && <BeforeAfterCards verdict={value} />}
          <RunsForm runs={runs} />
          <OfferedReports reports={offered} />
        </>
      ),
    };
  },
});

interface JudgedRuns {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly target: string;
  readonly declared: readonly string[];
}

/** Reads a list from the address: separated by commas as in the API, or as repeated fields as forms send it. */
const listIn = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(/[\s,]+/))
    .filter((value) => value !== "");

/** The score to judge by if nobody chose one: the one that stands for the newest offered run, such as hardware without a game. */
const usualTarget = ([newest]: readonly ListedReport[]): string =>
  newest === undefined ? "total" : leadScore(newest.scores).key;

const readQuery = (query: URLSearchParams, usual: string): JudgedRuns => ({
  before: listIn(query, "before").map(idIn),
  after: listIn(query, "after").map(idIn),
  target: query.get("target") || usual,
  declared: listIn(query, "declared"),
});

/** Reads the query as the API does. */
const inputOf = ({ before, after, target, declared }: JudgedRuns) => {
  const query = new URLSearchParams({ before: before.join(","), after: after.join(","), target });
  if (declared.length > 0) query.set("declared", declared.join(","));
  return { before: [], after: [], target, ...queryInput(judgeBeforeAfter, query) };
};

/** The number of fields for a side: at least 5, though 3 runs are enough; more runs show smaller changes. */
const roomFor = (given: readonly string[]): string[] =>
  Array.from({ length: Math.min(10, Math.max(5, given.length + 1)) }, (_, index) => given[index] ?? "");

const targets: readonly (readonly [string, string])[] = [
  ...MetricKey.options.map((key) => [key, `Score: ${scoreWords[key]}`] as const),
  ...TuningCode.options.map((code) => [code, `Advice: ${adviceWords[code]}`] as const),
];

function RunsForm({ runs }: { runs: JudgedRuns }) {
  return (
    <form method="get" class="card asking" aria-label="Runs before and after">
      <div class="columns">
        {(["before", "after"] as const).map((side) => (
          <fieldset key={side}>
            <legend>{side === "before" ? "Runs before" : "Runs after"}</legend>
            {roomFor(runs[side]).map((value, index) => (
              <ReportField
                key={index}
                name={side}
                label={`Run ${index + 1} ${side}${index < 3 ? "" : " (more helps)"}`}
                value={value}
              />
            ))}
          </fieldset>
        ))}
      </div>
      <Choice
        name="target"
        label="What was changed, or the score to judge by"
        value={runs.target}
        options={targets}
      />
      <details open={runs.declared.length > 0}>
        <summary>What else was changed on purpose</summary>
        <div class="checks">
          {contextFields.map((field) => (
            <Check
              key={field}
              name="declared"
              value={field}
              label={field}
              checked={runs.declared.includes(field)}
            />
          ))}
        </div>
      </details>
      <button type="submit">Judge</button>
    </form>
  );
}
