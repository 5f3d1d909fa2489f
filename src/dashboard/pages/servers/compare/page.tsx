import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { planIncludes } from "../../../../core/access/plan.ts";
import type { MetricSeries } from "../../../../core/metric/metric-series.ts";
import { toTimestamp } from "../../../../core/time.ts";
import { getServerMetrics } from "../../../../endpoints/api/metric/get-server-metrics.ts";
import { personPage, type PageContent, type PageRequest } from "../../../page.ts";
import { Filters } from "../../../parts/filters.tsx";
import { Choice } from "../../../parts/form.tsx";
import { PlanNotice } from "../../../parts/plan.tsx";
import { Card, Empty, Notice } from "../../../parts/state.tsx";
import { attempt, type Attempt } from "../../../request-input.ts";
import { serversOfPerson } from "../fleet.ts";
import { charts } from "../charts/chart-data.ts";
import {
  chooseLines,
  otherChoices,
  otherValue,
  serverChoices,
  shownPeriods,
  type ChosenLine,
  type ChosenLines,
} from "./chosen-lines.ts";
import { TwoLines } from "./two-lines.tsx";

/** One figure of two servers, or of one server at two times, in one chart. */
export const serverComparisonPage = personPage({ path: "/servers/compare", show });

/** Of each line: one for three pixels of a wide page. */
const pointsAtMost = 400;

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { person, plans, query } = request;
  const servers = await serversOfPerson(request);
  const isMonitoring = planIncludes(person.limits, "monitoring");
  const chosen = isMonitoring ? chooseLines(query, servers, person.limits.retention_days) : null;
  return {
    title: "Two lines in one chart",
    styles: ["reports.css"],
    body: (
      <>
        <h1>Two lines in one chart</h1>
        <p class="quiet">
          One figure of two servers, or of one server at two times. The chart judges nothing: whether a change
          is more than noise is shown by the periods of a server.
        </p>
        <PlanNotice plans={plans} account={person.account} feature="monitoring">
          Lines are drawn of what monitoring recorded.
        </PlanNotice>
        {servers.length === 0 && (
          <Empty title="No server is linked" next={<a href="/servers#link">Link a server</a>}>
            <p>Two lines in one chart will be here once a server has sent measurements.</p>
          </Empty>
        )}
        {chosen && (
          <>
            <Filters label="Which lines">
              <Choice
                name="one"
                label="First line"
                value={chosen.one.serverId}
                options={serverChoices(servers)}
              />
              <Choice
                name="other"
                label="Second line"
                value={otherValue(chosen)}
                options={otherChoices(servers.filter(({ id }) => id !== chosen.one.serverId))}
              />
              <Choice
                name="field"
                label="Figure"
                value={chosen.chart.field}
                options={charts.map(({ field, name }) => [field, name])}
              />
              <Choice
                name="range"
                label="Period"
                value={chosen.period[0]}
                options={shownPeriods(person.limits.retention_days).map(([value, name]) => [value, name])}
              />
            </Filters>
            <Drawn chosen={chosen} lines={await linesOf(request, chosen)} />
          </>
        )}
      </>
    ),
  };
}

const linesOf = async (request: PageRequest<SessionCaller>, chosen: ChosenLines) =>
  [await seriesOf(request, chosen, chosen.one), await seriesOf(request, chosen, chosen.other)] as const;

/** The refusal says why there is no figure. */
const seriesOf = (
  request: PageRequest<SessionCaller>,
  { chart, period: [, , lengthMs] }: ChosenLines,
  { serverId, shiftMs }: ChosenLine,
): Promise<Attempt<MetricSeries>> => {
  const to = request.now - shiftMs;
  return attempt([400, 403], () =>
    request.call(getServerMetrics, {
      server_id: serverId,
      from: toTimestamp(to - lengthMs),
      to: toTimestamp(to),
      fields: [chart.field],
      max_points: pointsAtMost,
    }),
  );
};

interface DrawnProps {
  readonly chosen: ChosenLines;
  readonly lines: readonly [Attempt<MetricSeries>, Attempt<MetricSeries>];
}

function Drawn({ chosen, lines: [one, other] }: DrawnProps) {
  return (
    <Card
      title={chosen.chart.name}
      aside={<a href={`/servers/${chosen.one.serverId}/periods`}>Periods of the first server</a>}
    >
      {[one, other].map(
        ({ refusal }, index) =>
          refusal && (
            <Notice key={index} means="watch">
              {index === 0 ? "First line: " : "Second line: "}
              {refusal.message}
            </Notice>
          ),
      )}
      <TwoLines chosen={chosen} one={one.value} other={other.value} />
    </Card>
  );
}
