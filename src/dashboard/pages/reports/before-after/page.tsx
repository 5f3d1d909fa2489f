import { contextFields } from "../../../../core/report/context.ts";
import { MetricKey } from "../../../../core/report/compare.ts";
import { TuningCode } from "../../../../core/report/tuning/recommendation.ts";
import { judgeBeforeAfter } from "../../../../endpoints/api/report/judge-before-after.ts";
import { attempt, hasSession } from "../../../request-input.ts";
import { publicPage, type PageRequest } from "../../../page.ts";
import { Filters } from "../../../parts/filters.tsx";
import { Check, Choice, FormField } from "../../../parts/form.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { adviceWords } from "../../../words/diagnosis.ts";
import { scoreWords } from "../../../words/reports.ts";
import { NoReports } from "../no-reports.tsx";
import { isNamedBy, offeredReports, type OfferedReports } from "../picker.tsx";
import { reportNamesOf } from "../report-name.tsx";
import { BeforeAfterCards } from "./cards.tsx";
import {
  choiceMistake,
  judgedInputOf,
  isFormQuery,
  queryWith,
  readJudgedRuns,
  runsOnTimeLine,
  type JudgedRuns,
} from "./chosen-runs.ts";
import { RunList, TimeLine } from "./time-line.tsx";

/** The verdict on a change, by the runs before and after it. */
export const beforeAfterPage = publicPage({
  path: "/reports/before-after",
  async show(request) {
    const all = await offeredReports(request);
    if (isFormQuery(request.query)) {
      const chosen = readJudgedRuns(request.query, all.reports[0]);
      return { to: `/reports/before-after${queryWith(chosen, request.query.get("server"))}` };
    }
    const servers = serversOf(all);
    const server = serverIn(request.query, all, servers);
    const offered = server === null ? all : await offeredReports(request, server);
    const runs = readJudgedRuns(request.query, offered.reports[0]);
    const mistake = choiceMistake(runs);
    const isComplete = mistake === null && runs.before.length > 0;
    const { value, refusal } = isComplete
      ? await attempt([400, 404], () => request.call(judgeBeforeAfter, judgedInputOf(runs)))
      : { value: null, refusal: null };
    const names = value
      ? await reportNamesOf(request, [...value.before.report_ids, ...value.after.report_ids])
      : new Map();
    return {
      title: "Judge a change",
      status: refusal?.status ?? (mistake === null ? 200 : 400),
      styles: ["reports.css"],
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
              One of these reports does not exist, or you may not see it. Choose another one.
            </Notice>
          )}
          {refusal?.status === 400 && <Notice means="bad">{refusal.message}</Notice>}
          {mistake !== null && <Notice means="bad">{mistake}</Notice>}
          {value && <BeforeAfterCards verdict={value} names={names} />}
          {all.reports.length === 0 && (
            <NoReports>The runs before and after a change are picked here, on a time line.</NoReports>
          )}
          <RunsCard request={request} offered={offered} servers={servers} server={server} runs={runs} />
        </>
      ),
    };
  },
});

type Servers = ReadonlyMap<string, string>;

/** Names by id. */
function serversOf({ reports, names }: OfferedReports): Servers {
  return new Map(
    reports.flatMap(({ id, server_id }) =>
      server_id === null ? [] : [[server_id, names.get(id)?.server_name ?? "Server without a name"] as const],
    ),
  );
}

/** The server of the address, of the first chosen run, or with the most runs. Null: runs of all servers. */
function serverIn(query: URLSearchParams, { reports }: OfferedReports, servers: Servers): string | null {
  const wanted = query.get("server") ?? "";
  if (servers.has(wanted)) return wanted;
  const [first] = readJudgedRuns(query, undefined).before;
  const chosen = first === undefined ? undefined : reports.find((report) => isNamedBy(report, first));
  if (first !== undefined) return chosen?.server_id ?? null;
  const runsOf = (id: string) => reports.filter(({ server_id }) => server_id === id).length;
  return [...servers.keys()].toSorted((one, other) => runsOf(other) - runsOf(one))[0] ?? null;
}

const targets: readonly (readonly [string, string])[] = [
  ...MetricKey.options.map((key) => [key, `Score: ${scoreWords[key]}`] as const),
  ...TuningCode.options.map((code) => [code, `Advice: ${adviceWords[code]}`] as const),
];

interface RunsCardProps {
  readonly request: PageRequest;
  readonly offered: OfferedReports;
  readonly servers: Servers;
  readonly server: string | null;
  readonly runs: JudgedRuns;
}

/** Runs are chosen on a time line, in a list, or by their addresses. */
function RunsCard({ request, offered: { reports, names }, servers, server, runs }: RunsCardProps) {
  const isOwn = hasSession(request) && reports.length > 0;
  const line = isOwn ? runsOnTimeLine(reports, names, runs) : [];
  const others = (ids: readonly string[]) =>
    ids.filter((id) => !line.some(({ report }) => isNamedBy(report, id))).join(" ");
  const [otherBefore, otherAfter] = [others(runs.before), others(runs.after)];
  return (
    <Card title="Which runs">
      {servers.size > 1 && (
        <Filters label="Runs of which server">
          <Choice name="server" label="Server" value={server} options={[...servers]} />
        </Filters>
      )}
      {line.length > 1 && <TimeLine runs={line} names={names} server={server} chosen={runs} />}
      <form method="get" class="stack" aria-label="Runs before and after">
        {server !== null && <input type="hidden" name="server" value={server} />}
        {isOwn && (
          <details open={runs.before.length > 0}>
            <summary>Choose run by run</summary>
            <RunList runs={line} names={names} />
          </details>
        )}
        <details open={!isOwn || otherBefore !== "" || otherAfter !== ""}>
          <summary>Runs that are not in the list</summary>
          <div class="columns">
            <FormField
              name="before"
              label="Runs before"
              value={otherBefore}
              hint="Addresses of their pages, with spaces between them."
              autoComplete="off"
            />
            <FormField
              name="after"
              label="Runs after"
              value={otherAfter}
              hint="Addresses of their pages, with spaces between them."
              autoComplete="off"
            />
          </div>
        </details>
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
        <p>
          <button type="submit">Judge</button>
        </p>
      </form>
    </Card>
  );
}
