import { shownMemory } from "../../../../core/text/memory.ts";
import {
  onlineWithinMs,
  type PluginStep,
  type ServerStatus,
  type SiteStep,
} from "../../../../core/server/status.ts";
import type { ServerHealth } from "../../../../core/health/health.ts";
import type { Sender } from "../../../../core/server/link-code.ts";
import type { Instant } from "../../../../core/time.ts";
import { JudgedState, wordsOf } from "../server-state.tsx";
import { nominalOf } from "../../../../core/metric/series-field.ts";
import { charts, type ChartField } from "../charts/chart-data.ts";
import type { PlotData } from "../plot-data.ts";
import { Spark } from "../spark.tsx";
import { DiskFigure } from "./disk-figure.tsx";
import { FigureFinding, figureLevelOf } from "./health/figure-finding.tsx";
import { Card, State, type Meaning } from "../../../parts/state.tsx";
import { lateNowOf } from "../../../../core/health/late-now.ts";
import { shownVerdictOf } from "../../../words/late-now.ts";
import { Age, Quantity, span } from "../../../parts/value.tsx";

/** What the step means, and what to do about it. */
type Step = readonly [means: Meaning, words: string];

const siteSteps: Readonly<Record<SiteStep, Step>> = {
  on: ["good", "This service takes the server's data."],
  on_plan_lapsed: [
    "watch",
    "Monitoring is switched on, but the plan no longer includes it. Data is accepted again with a plan that includes it.",
  ],
  on_over_quota: [
    "watch",
    "Monitoring is switched on, but the plan covers fewer servers, and servers linked later use it. Switch another server off.",
  ],
  off: ["silenced", "Monitoring is switched off. Switch it on under Settings."],
  off_quota_reached: [
    "silenced",
    "Monitoring is off: other servers use all that the plan covers. Switch another server off first.",
  ],
  off_plan_required: ["silenced", "The plan does not include monitoring."],
};

const senderSteps: Readonly<Record<Sender, Readonly<Record<PluginStep, Step>>>> = {
  plugin: {
    waiting_for_site: ["unknown", "The plugin waits until this service takes its data."],
    receiving: ["good", "Heartbeats of the plugin are received."],
    rejected: ["bad", "The plugin's last message was refused. Update the plugin, and read its log."],
    stale: [
      "bad",
      "No heartbeat of the plugin came in the last 90 s. Check that the server runs and is online.",
    ],
    never: [
      "unknown",
      "No heartbeat of the plugin came yet. Check that the plugin is installed and that the server was restarted after the link.",
    ],
  },
  agent: {
    waiting_for_site: ["unknown", "The agent waits until this service takes its data."],
    receiving: ["good", "Heartbeats of the agent are received."],
    rejected: ["bad", "The agent's last message was refused. Update the agent, and read its output."],
    stale: [
      "bad",
      "No heartbeat of the agent came in the last 90 s. The agent sends none while the server is not there.",
    ],
    never: [
      "unknown",
      "No heartbeat of the agent came yet. Check that the agent runs (tickmark agent run) and that the server is up.",
    ],
  },
};

const senderNames: Readonly<Record<Sender, string>> = { plugin: "Plugin", agent: "Agent" };

interface LiveProps {
  readonly status: ServerStatus;
  /** The program that sends the server's heartbeats. */
  readonly sender: Sender;
  /** Null if the plan does not show it. */
  readonly health: ServerHealth | null;
  /** The last hours; null if the plan shows none. */
  readonly plot: PlotData | null;
  readonly now: Instant;
}

/** The newest figures, the server's state, and the two steps that decide whether the state is known. */
export function LiveState({ status, sender, health, plot, now }: LiveProps) {
  const { monitoring, state, state_since, last_heartbeat, last_tick_age_ms, uptime_seconds } = status;
  const [siteMeans, siteWords] = siteSteps[monitoring.site_step];
  const [senderMeans, senderWords] = senderSteps[sender][monitoring.plugin_step];
  return (
    <Card title="Now" aside={<a href="">Reload</a>}>
      <Figures status={status} health={health} plot={plot} now={now} />
      <ol class="chain">
        <li>
          <h3>This service</h3>
          <State means={siteMeans}>{monitoring.enabled ? "on" : "off"}</State>
          <p class="small">{siteWords}</p>
          <p class="small quiet">
            as of <Age at={new Date(now).toISOString()} now={now} />
          </p>
        </li>
        <li>
          <h3>{senderNames[sender]}</h3>
          <State means={senderMeans}>{wordsOf(monitoring.plugin_step)}</State>
          <p class="small">{senderWords}</p>
          <p class="small quiet">
            <LastHeartbeat at={last_heartbeat} isTaken={monitoring.site_step === "on"} now={now} />
          </p>
        </li>
        <li>
          <h3>Server</h3>
          <JudgedState
            state={state}
            verdict={health && shownVerdictOf(health.verdict, lateNowOf(status, now))}
          />
          <p class="small">{serverWords(status, sender, health?.verdict ?? null)}</p>
          {state_since !== null && (
            <p class="small quiet">
              since <Age at={state_since} now={now} />
              {uptime_seconds !== null && `, up for ${span(uptime_seconds * 1000)}`}
              {last_tick_age_ms !== null && `, last tick ${tickAge(last_tick_age_ms)} before the heartbeat`}
            </p>
          )}
        </li>
      </ol>
    </Card>
  );
}

/** Plugin or agent may send heartbeats that are not accepted. */
function LastHeartbeat({ at, isTaken, now }: { at: string | null; isTaken: boolean; now: Instant }) {
  if (!isTaken && at === null) return <>no heartbeat was accepted yet</>;
  return (
    <>
      last heartbeat{!isTaken && " that was accepted"} <Age at={at} now={now} staleAfterMs={onlineWithinMs} />
    </>
  );
}

const tickAge = (ms: number): string => (ms < 1000 ? `${ms} ms` : span(ms));

function serverWords(
  { state, monitoring }: ServerStatus,
  sender: Sender,
  verdict: ServerHealth["verdict"] | null,
): string {
  if (verdict === "down" && (state === "running" || state === "paused_empty"))
    return "The server ended. Its state follows 90 s after its last heartbeat.";
  switch (state) {
    case "running":
      return "The server ticks and sends heartbeats.";
    case "unresponsive":
      return `The ${sender} sends heartbeats, but the main thread has not ticked for 10 s or more.`;
    case "paused_empty":
      return "No player is online, so the server does not tick. It ticks again with the first player.";
    case "stopped":
      return "The server reported that it shuts down, and sent nothing since.";
    case "paused":
      return sender === "agent"
        ? "Monitoring was paused, or the agent ended."
        : "Monitoring was paused from the game.";
    case "unreachable":
      return "No heartbeat came in the last 90 s, and the server did not report that it shuts down.";
    case "never_seen":
      return "No heartbeat came yet.";
    case "not_monitored":
      return `The state is not known. ${siteSteps[monitoring.site_step][1]}`;
  }
}

function Figures({ status, health, plot, now }: Pick<LiveProps, "status" | "health" | "plot" | "now">) {
  const { current, sampled_at: at } = status;
  if (current === null || at === null)
    return (
      <p class="quiet">
        There is no measurement yet.{" "}
        <a href={`/servers/${status.server_id}/first-steps`}>See what is missing</a>
      </p>
    );
  const isOld = now - Date.parse(at) > onlineWithinMs;
  const late = lateNowOf(status, now);
  const beside: Readonly<Partial<Record<ChartField, string | null>>> = {
    ram_used_mb: ofMemory(current.ram_max_mb),
    cpu_usage: ofMachine(current.cpu_system),
  };
  return (
    <dl class={isOld ? "figures old-figures" : "figures"}>
      {charts.map(({ field, name, unit, top, of }) => {
        const value = current[field];
        const level = value === null ? null : figureLevelOf(field, health?.findings ?? [], late);
        const more = beside[field] ?? null;
        return (
          <div key={field} class={level ? `figure ${level.means}` : "figure"}>
            <dt>
              {name} <FigureFinding level={level} />
            </dt>
            <dd>
              <Quantity {...figureOf(field, value, { unit, of })} />
              <div class="small quiet">
                {more !== null && `${more} · `}
                {isTickField(field) && !isOld && "now, "}
                <Age at={at} now={now} staleAfterMs={onlineWithinMs} />
              </div>
              {plot?.lines[field]?.values.some((known) => known !== null) && (
                <a href={`/servers/${status.server_id}/charts`}>
                  <Spark
                    data={plot}
                    field={field}
                    name={name}
                    unit={unit}
                    per={of}
                    nominal={nominalOf(field)}
                    top={top}
                  />
                </a>
              )}
            </dd>
          </div>
        );
      })}
      <DiskFigure status={status} health={health} now={now} />
    </dl>
  );
}

const isTickField = (field: ChartField): boolean =>
  field === "tps" || field === "mspt" || field === "mspt_p95";

/** Memory goes to `Quantity` in MB, which writes it as everywhere. */
const figureOf = (
  field: ChartField,
  value: number | null,
  { unit, of }: Pick<(typeof charts)[number], "unit" | "of">,
): { readonly value: number | null; readonly unit: string } => {
  if (field === "ram_used_mb") return { value, unit: "MB" };
  return { value: value === null ? null : value / of, unit: field === "tps" ? "TPS" : unit };
};

const ofMemory = (mb: number | null): string | null => (mb === null ? null : `of ${shownMemory(mb)}`);

const ofMachine = (percent: number | null): string | null =>
  percent === null ? null : `machine ${Math.round(percent)} %`;
