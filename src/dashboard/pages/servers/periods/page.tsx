import type { SessionCaller } from "../../../../contract/call/caller.ts";
import type { PeriodComparison } from "../../../../core/metric/period-comparison.ts";
import { planIncludes } from "../../../../core/access/plan.ts";
import { comparePeriods } from "../../../../endpoints/api/metric/compare-periods.ts";
import { getMonitoringOverview } from "../../../../endpoints/api/monitoring/get-monitoring-overview.ts";
import { getServerStatus } from "../../../../endpoints/api/server/get-server-status.ts";
import { personPage, type PageContent, type PageRequest } from "../../../page.ts";
import { PlanNotice } from "../../../parts/plan.tsx";
import { ServerHead } from "../../../parts/server-head.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { clock } from "../../../parts/value.tsx";
import { attempt } from "../../../request-input.ts";
import { caveatWords, comparedFields, periodsSentence } from "../../../words/periods.ts";
import { choosePeriods, type ChosenPeriods } from "./chosen-periods.ts";
import { FieldsTable } from "./fields-table.tsx";
import { hasHours, Hours } from "./hours.tsx";
import { PeriodChoice } from "./period-choice.tsx";
import { CapacityCard, PlayerBands } from "./players.tsx";

export const periodsPage = personPage({ path: "/servers/{id}/periods", show });

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { now, person, plans, query } = request;
  const server_id = request.params["id"] ?? "";
  // This call comes first and alone: it refuses a server of another account.
  await request.call(getServerStatus, { server_id });
  const overview = await request.call(getMonitoringOverview, { include_unmonitored: true });
  const name = overview.data.find((each) => each.server_id === server_id)?.name ?? null;
  const isMonitoring = planIncludes(person.limits, "monitoring");
  const chosen = choosePeriods(query, person.limits.retention_days, now);
  const { comparison, problem } = isMonitoring
    ? await compare(request, server_id, chosen)
    : { comparison: null, problem: null };
  return {
    title: `Periods of ${name ?? "a server without a name"}`,
    status: problem === null ? 200 : 400,
    scripts: ["periods.js"],
    styles: ["uplot.css"],
    body: (
      <>
        <ServerHead id={server_id} name={name} />
        <PlanNotice plans={plans} account={person.account} feature="monitoring">
          Periods are compared by what monitoring recorded.
        </PlanNotice>
        {isMonitoring && (
          <PeriodChoice
            id={server_id}
            chosen={typeof chosen === "string" ? null : chosen}
            comparison={comparison}
            query={query}
            retentionDays={person.limits.retention_days}
          />
        )}
        {problem !== null && <Notice means="bad">{problem}</Notice>}
        {comparison && <Compared comparison={comparison} query={query} />}
      </>
    ),
  };
}

/** The comparison, or why the chosen periods are refused. */
async function compare(
  request: PageRequest<SessionCaller>,
  server_id: string,
  chosen: ChosenPeriods | string,
): Promise<{ comparison: PeriodComparison | null; problem: string | null }> {
  if (typeof chosen === "string") return { comparison: null, problem: chosen };
  const fields = [...comparedFields];
  const { value, refusal } = await attempt([400, 403], () =>
    request.call(comparePeriods, { server_id, fields, ...chosen.input }),
  );
  return { comparison: value, problem: refusal && refusal.message };
}

function Compared({ comparison, query }: { comparison: PeriodComparison; query: URLSearchParams }) {
  const { base, target, fields, capacity, caveats, thresholds } = comparison;
  const measured = fields.filter(({ base, target }) => base.median !== null || target.median !== null);
  if (measured.length === 0)
    return (
      <Notice>
        Nothing was measured in these periods. Choose days on which the server was monitored; a verdict needs{" "}
        {thresholds.days_per_side} of them on each side.
      </Notice>
    );
  const drawn = measured.filter(hasHours);
  const shown =
    drawn.find(({ field }) => field === query.get("field")) ??
    drawn.find(({ field }) => field.startsWith("mspt")) ??
    drawn[0];
  const hrefOf = (field: string): string => {
    const next = new URLSearchParams(query);
    next.set("field", field);
    return `?${next}#hours`;
  };
  return (
    <>
      <Card title="What differs" id="differences">
        <p class="judged">{periodsSentence(measured)}</p>
        <p class="small quiet">
          Earlier: {clock(base.from)} to {clock(base.to)}. Later: {clock(target.from)} to {clock(target.to)}.
          Medians of days (UTC).
        </p>
        {caveats.map((caveat) => (
          <Notice key={caveat}>{caveatWords[caveat]}</Notice>
        ))}
        <FieldsTable fields={measured} />
        <p class="small quiet">
          A verdict needs {thresholds.days_per_side} days on each side, and an interval of{" "}
          {thresholds.confidence_percent} % or more on one side of zero.
        </p>
      </Card>
      {shown && <Hours fields={drawn} shown={shown} hrefOf={hrefOf} />}
      <div class="columns">
        {shown && <PlayerBands shown={shown} />}
        <CapacityCard capacity={capacity} />
      </div>
    </>
  );
}
