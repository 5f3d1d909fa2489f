import type { AlertRecord } from "../../alert/alert.ts";
import type { DeliveryReason } from "../../alert/delivery.ts";
import {
  addAlertRuleStep,
  checkAgentStep,
  checkNotificationsStep,
  readAlertsStep,
  readRegressionStep,
} from "../next-steps.ts";
import type { Instant } from "../../time.ts";
import type { HealthFacts } from "../facts.ts";
import { leastSamplesNow, silentMs, unguardedMs } from "../thresholds.ts";
import { evidenceFigure, isStarting, isTicking, type FoundProblem, type HealthRule } from "./rule.ts";

export const benchmarkRegression: HealthRule = (facts) =>
  facts.regressionSince === null
    ? null
    : {
        code: "benchmark_regression",
        severity: "warning",
        since: facts.regressionSince,
        evidence: [],
        next: [readRegressionStep(facts)],
        text: "Scheduled benchmarks of this server score lower than before.",
      };

/** Reasons for intended silence, with a working channel. */
const wantedSilence = new Set<DeliveryReason | null>(["maintenance", "muted", "cooldown", "flapping"]);

/** Whether no message of the alert left the service, although silence was not intended. */
function leftNothing({ delivery, inMaintenance }: AlertRecord): boolean {
  const { email, chat, webhook, second } = delivery;
  const outside = [email, chat, webhook, second].filter((record) => record !== null);
  if (inMaintenance || outside.some(({ status }) => status === "sent" || status === "pending")) return false;
  return !outside.some(({ reason }) => wantedSilence.has(reason));
}

const shownInApp = ({ delivery }: AlertRecord): boolean => delivery.in_app.status === "sent";

const silentAlerts = ({ alerts }: HealthFacts): AlertRecord[] =>
  alerts.filter((alert) => alert.status === "open" && leftNothing(alert));

/** What both rules on silent alerts say of theirs, newest first; null without one. */
function silenceOf(
  facts: HealthFacts,
  alerts: readonly AlertRecord[],
): Pick<FoundProblem, "since" | "evidence" | "next"> | null {
  const [newest, oldest] = [alerts[0], alerts.at(-1)];
  if (!newest || !oldest) return null;
  return {
    since: oldest.openedAt,
    evidence: [evidenceFigure("alerts_without_a_message", alerts.length, "count", 1, newest.openedAt)],
    next: [checkNotificationsStep(), readAlertsStep(facts)],
  };
}

export const noMessageSent: HealthRule = (facts) => {
  const silence = silenceOf(
    facts,
    silentAlerts(facts).filter((alert) => !shownInApp(alert)),
  );
  return (
    silence && {
      code: "nobody_told",
      severity: "warning",
      ...silence,
      text: "An alert is open, and no message of it went out on any channel.",
    }
  );
};

/** A warning where the server is down: nobody looks at the app just then. */
export const inAppOnly: HealthRule = (facts) => {
  const shown = silentAlerts(facts).filter(shownInApp);
  const silence = silenceOf(facts, shown);
  return (
    silence && {
      code: "in_app_only",
      severity: shown.some(({ metric }) => metric === "offline") ? "warning" : "info",
      ...silence,
      text: "An alert is open, and it was shown in the app only: neither an e-mail nor a chat message of it went out.",
    }
  );
};

/** Samples of an online server stopped, or a field of last week is missing. */
export const dataMissing: HealthRule = (facts) => {
  if (!isTicking(facts) || isStarting(facts)) return null;
  const last = facts.sampleTimes.at(-1) ?? null;
  const isMeasured = facts.firstSampleAt !== null && facts.to - facts.firstSampleAt >= silentMs;
  if (isMeasured && (last === null || facts.to - last >= silentMs)) {
    const minutes = last === null ? null : Math.floor((facts.to - last) / 60_000);
    return {
      code: "data_missing",
      severity: "warning",
      since: last,
      evidence:
        last === null || minutes === null
          ? []
          : [evidenceFigure("minutes_without_a_sample", minutes, "minutes", silentMs / 60_000, last)],
      next: [checkAgentStep(facts)],
      text: "The server is online, but no measurement of it comes in.",
    };
  }
  const recent = facts.samples.part(facts.samples.length - leastSamplesNow);
  const gone = [...facts.measuredBefore].filter((field) => !recent.has(field));
  if (gone.length === 0 || recent.length < leastSamplesNow) return null;
  return {
    code: "data_missing",
    severity: "warning",
    since: null,
    evidence: [evidenceFigure("fields_no_longer_measured", gone.length, "count", 1, facts.to)],
    next: [checkAgentStep(facts)],
    text: "Figures that were measured last week are not measured any more.",
  };
};

/** End of the last of the alerts; null while one is open. */
const resolvedLast = (alerts: readonly AlertRecord[]): Instant | null =>
  alerts.reduce<Instant | null>(
    (last, { resolvedAt }) => (last === null || resolvedAt === null ? null : Math.max(last, resolvedAt)),
    0,
  );

/** The evaluation drops alerts that another finding covers. */
export const alertOpen: HealthRule = (facts) => {
  const { alerts } = facts;
  const oldest = alerts.at(-1);
  if (!oldest) return null;
  const isOffline = alerts.some(({ metric }) => metric === "offline");
  return {
    code: "alert_open",
    severity: isOffline ? "critical" : "warning",
    since: oldest.openedAt,
    until: resolvedLast(alerts),
    evidence: [
      evidenceFigure("open_alerts", alerts.length, "count", 1, alerts[0]?.openedAt ?? oldest.openedAt),
    ],
    next: [readAlertsStep(facts)],
    text: alerts.length === 1 ? "An alert is open." : `${alerts.length} alerts are open.`,
  };
};

export const noAlertRules: HealthRule = (facts) => {
  const { enabledRules, firstSampleAt, to, state } = facts;
  return enabledRules > 0 ||
    firstSampleAt === null ||
    to - firstSampleAt < unguardedMs ||
    state === "not_monitored"
    ? null
    : {
        code: "no_alert_rules",
        severity: "info",
        since: null,
        evidence: [evidenceFigure("enabled_rules", 0, "count", 1, to)],
        next: [addAlertRuleStep(facts)],
        text: "No alert rule is enabled for this server.",
      };
};
