import type { HealthVerdict, NotMeasured, ServerHealth } from "../../../../../core/health/health.ts";
import type { LateFigures } from "../../../../../core/health/late-ticks.ts";
import type { Sender } from "../../../../../core/server/link-code.ts";
import type { Instant } from "../../../../../core/time.ts";
import { Notice } from "../../../../parts/state.tsx";
import { Age, clock } from "../../../../parts/value.tsx";
import { VerdictBadge } from "../../../../parts/verdict-badge.tsx";
import { unmeasuredName, unmeasuredReasons, unmeasuredRemedies } from "../../../../words/health.ts";
import { shownVerdictOf, slowNowWords } from "../../../../words/late-now.ts";
import { Findings } from "./findings.tsx";

interface HealthProps {
  readonly health: ServerHealth;
  /** Figures of the newest measurement that are beyond their thresholds. */
  readonly late: LateFigures;
  /** The program that sends the server's heartbeats. */
  readonly sender: Sender;
  readonly now: Instant;
}

/** The answer to "is my server healthy?": verdict, headline, since when, why, and what to do. */
export function HealthCard({ health, late, sender, now }: HealthProps) {
  const { server_id, verdict, headline, since, findings, more_findings, not_measured } = health;
  const shown = shownVerdictOf(verdict, late);
  return (
    <section class="card verdict" id="health">
      <h2>
        <span class="unseen">Health: </span>
        <VerdictBadge verdict={shown} />
      </h2>
      <p class="judged">{shown === "slow now" ? slowNowWords(late) : headline.text}</p>
      {since !== null && shown !== "slow now" && (
        <p class="small quiet">
          {sinceWords[verdict]} {clock(since)}, <Age at={since} now={now} />
        </p>
      )}
      <Missing health={health} sender={sender} />
      <Findings serverId={server_id} findings={findings} more={more_findings} now={now} />
      <NotMeasuredList of={not_measured} />
    </section>
  );
}

/** Without a finding, `since` is the beginning of the server's state. */
const sinceWords: Readonly<Record<HealthVerdict, string>> = {
  down: "since",
  critical: "since",
  degraded: "since",
  unknown: "in this state since",
  healthy: "in this state since",
  stopped: "since",
};

/** For an unknown verdict: what is missing, and how to get it. */
function Missing({
  health: { server_id, verdict, headline },
  sender,
}: Pick<HealthProps, "health" | "sender">) {
  if (verdict !== "unknown") return null;
  switch (headline.code) {
    case "never_seen":
      return (
        <Notice>
          {sender === "agent"
            ? "Start the agent beside the server with tickmark agent run. The first sample is judged minutes later."
            : "Start the server with its plugin, or link it with tickmark agent link. The first sample is judged minutes later."}
        </Notice>
      );
    case "not_monitored":
      return (
        <Notice>
          Health is judged by measurements. Accept them again with the switch for monitoring in{" "}
          <a href={`/servers/${server_id}/settings`}>Settings</a>.
        </Notice>
      );
    case "starting":
      return (
        <Notice>
          15 minutes of measurements are needed. In the first 10 minutes of a boot worlds load and the JVM
          compiles, so these are judged by no rule.
        </Notice>
      );
    default:
      return (
        <Notice>
          Health is judged by TPS or MSPT of the last three hours.{" "}
          {sender === "agent"
            ? `${unmeasuredRemedies.enable_rcon} Without it the agent sees that the server runs, and not how fast.`
            : "Update the plugin, and check its log for refused messages."}
        </Notice>
      );
  }
}

function NotMeasuredList({ of }: { of: readonly NotMeasured[] }) {
  if (of.length === 0) return null;
  const remedies = [...new Set(of.flatMap(({ how }) => (how === null ? [] : [how])))];
  return (
    <details class="small">
      <summary>
        {of.length === 1 ? "One figure is" : `${of.length} figures are`} not measured, so rules on{" "}
        {of.length === 1 ? "it" : "them"} say nothing
      </summary>
      <ul class="plain-list">
        {of.map(({ field, reason, available_from }) => (
          <li key={field}>
            {unmeasuredName(field)} {unmeasuredReasons[reason]}
            {available_from !== null && `; it will be from ${available_from.slice(0, 10)} on`}.
          </li>
        ))}
        {remedies.map((how) => (
          <li key={how}>{unmeasuredRemedies[how]}</li>
        ))}
      </ul>
    </details>
  );
}
