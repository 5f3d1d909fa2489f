import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { planIncludes } from "../../../../core/access/plan.ts";
import { hourMs, minuteMs, toTimestamp } from "../../../../core/time.ts";
import { getServerMetrics } from "../../../../endpoints/api/metric/get-server-metrics.ts";
import { getServerStatus } from "../../../../endpoints/api/server/get-server-status.ts";
import { getServerSettings } from "../../../../actions/server/get-server-settings.ts";
import { personPage, type PageRequest } from "../../../page.ts";
import { LivePart } from "../../../parts/live-part.tsx";
import { nullIfRefused, planRefusals } from "../../../parts/null-if-refused.ts";
import { PlanNotice } from "../../../parts/plan.tsx";
import { ServerHead } from "../../../parts/server-head.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { Age } from "../../../parts/value.tsx";

/** Progress of a newly linked server. It updates itself, and leads to the charts once there are some. */
export const firstStepsPage = personPage({
  path: "/servers/{id}/first-steps",
  async show(request) {
    const id = idOf(request);
    const { name } = (await request.call(getServerSettings, { server_id: id })).server;
    return {
      title: `First steps of ${name ?? "a server without a name"}`,
      body: (
        <>
          <ServerHead id={id} name={name} />
          <PlanNotice plans={request.plans} account={request.person.account} feature="monitoring">
            The server is linked, and its heartbeats and samples are not accepted.
          </PlanNotice>
          <LivePart of="steps">
            <Steps id={id} reached={await readSteps(request)} now={request.now} />
          </LivePart>
        </>
      ),
    };
  },
  parts: {
    steps: async (request) => (
      <Steps id={idOf(request)} reached={await readSteps(request)} now={request.now} />
    ),
  },
});

const idOf = ({ params }: PageRequest): string => params["id"] ?? "";

/** A line needs two points. */
const pointsOfLine = 2;

interface ReachedSteps {
  readonly isOff: boolean;
  readonly contactAt: string | null;
  readonly sampleAt: string | null;
  readonly hasChart: boolean;
}

async function readSteps(request: PageRequest<SessionCaller>): Promise<ReachedSteps> {
  const server_id = idOf(request);
  const linkedAt = Date.parse((await request.call(getServerSettings, { server_id })).linked_at);
  const status = await request.call(getServerStatus, { server_id });
  // A server that was linked before still has earlier data.
  const sinceLink = (at: string | null): string | null =>
    at !== null && Date.parse(at) >= linkedAt ? at : null;
  const series = planIncludes(request.person.limits, "monitoring")
    ? await nullIfRefused(
        planRefusals,
        request.call(getServerMetrics, {
          server_id,
          from: toTimestamp(Math.max(request.now - hourMs, Math.min(linkedAt, request.now - minuteMs))),
          fields: ["tps", "mspt", "player_count"],
        }),
      )
    : null;
  return {
    isOff: status.monitoring.site_step === "off",
    contactAt: sinceLink(status.last_heartbeat),
    sampleAt: sinceLink(status.sampled_at),
    hasChart: (series?.points_total ?? 0) >= pointsOfLine,
  };
}

interface StepsProps {
  readonly id: string;
  readonly reached: ReachedSteps;
  readonly now: number;
}

function Steps({ id, reached, now }: StepsProps) {
  const { isOff, contactAt, sampleAt, hasChart } = reached;
  const steps = [
    { name: "Code used", at: null, isDone: true, waits: "" },
    {
      name: "Contact",
      at: contactAt,
      isDone: contactAt !== null,
      waits: "The agent or plugin fetches its credential within a minute, and then sends a heartbeat.",
    },
    {
      name: "Samples",
      at: sampleAt,
      isDone: sampleAt !== null,
      waits:
        "A heartbeat brings a sample once the server has ticked. An agent needs RCON for TPS and tick times.",
    },
    {
      name: "Charts",
      at: null,
      isDone: hasChart,
      waits: "A line needs two samples, so it takes about a minute after the first one.",
    },
  ];
  return (
    <Card title="First steps" aside={<span class="small quiet">updated every 15 s</span>}>
      <ol class="steps">
        {steps.map(({ name, at, isDone, waits }) => (
          <li key={name}>
            {isDone ? <State means="good">{name}</State> : <State means="unknown">{name}: waiting</State>}{" "}
            {isDone && at !== null && (
              <span class="small quiet">
                last <Age at={at} now={now} />
              </span>
            )}
            {!isDone && <div class="small quiet">{waits}</div>}
          </li>
        ))}
      </ol>
      {isOff && (
        <p>
          Monitoring of this server is off:{" "}
          <a href={`/servers/${id}/settings`}>switch it on in its settings</a>.
        </p>
      )}
      <p>
        {hasChart ? (
          <a class="button" href={`/servers/${id}/charts`}>
            Open the charts
          </a>
        ) : (
          <a href={`/servers/${id}`}>The page of the server</a>
        )}
      </p>
    </Card>
  );
}
