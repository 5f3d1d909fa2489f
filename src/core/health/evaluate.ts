import { toTimestamp, toTimestampOrNull } from "../time.ts";
import type { AlertMetric } from "../alert/alert-rule.ts";
import { availabilityOf } from "./availability.ts";
import { healthChanges, coincidencesOf } from "./changes.ts";
import type { HealthFacts } from "./facts.ts";
import { headlineOf } from "./headline.ts";
import {
  findingCodes,
  type HealthFinding,
  type FindingCode,
  type FindingSeverity,
  type HealthVerdict,
  type ServerHealth,
} from "./health.ts";
import { notMeasuredOf } from "./not-measured.ts";
import { containerNearLimit, heapNearFull } from "./rules/memory.ts";
import { cpuThrottled, gcHeavy, machineSaturated } from "./rules/processor.ts";
import { isStarting, type FoundProblem, type HealthRule } from "./rules/rule.ts";
import { crashes, serverDown, serverUnresponsive } from "./rules/state.ts";
import { tickOverBudget, longSpikes } from "./rules/ticks.ts";
import {
  alertOpen,
  benchmarkRegression,
  dataMissing,
  noAlertRules,
  nobodyTold,
  pluginHeavy,
} from "./rules/watching.ts";
import { healthVersion, mostFindings } from "./thresholds.ts";

/** Every rule but that of open alerts, which wants to know what the others found. */
const rules: readonly HealthRule[] = [
  serverDown,
  serverUnresponsive,
  crashes,
  tickOverBudget,
  heapNearFull,
  containerNearLimit,
  cpuThrottled,
  machineSaturated,
  gcHeavy,
  longSpikes,
  pluginHeavy,
  benchmarkRegression,
  nobodyTold,
  dataMissing,
  noAlertRules,
];

/** While one of these holds, what is otherwise only worth knowing is a warning. */
const raising = new Set<FindingCode>(["server_down", "server_unresponsive", "tick_over_budget"]);

/** The findings that say the same as an alert on a metric. */
const coveredBy: Readonly<Partial<Record<AlertMetric, readonly FindingCode[]>>> = {
  offline: ["server_down"],
  tps: ["tick_over_budget", "server_unresponsive"],
  mspt: ["tick_over_budget", "server_unresponsive"],
  cpu_usage: ["machine_saturated", "noisy_machine"],
  ram_used_mb: ["heap_near_full"],
};

const severities: readonly FindingSeverity[] = ["critical", "warning", "info"];

const raised = (found: FoundProblem, severity: FindingSeverity): FoundProblem => ({ ...found, severity });

const worstFirst = (one: FoundProblem, other: FoundProblem): number =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
  findingCodes.indexOf(one.code) - findingCodes.indexOf(other.code);

/** Everything that the rules find, worst first, and inside a severity by the rank of its code. */
export function findingsOf(facts: HealthFacts): FoundProblem[] {
  // A server that is not monitored, or was never seen, is judged by nothing.
  if (facts.state === "not_monitored" || facts.state === "never_seen") return [];
  const found = rules.flatMap((rule) => rule(facts) ?? []);
  const codes = new Set(found.map(({ code }) => code));
  const isLate = found.some(({ code }) => raising.has(code));
  const uncovered = facts.alerts.filter(
    ({ metric }) => metric === null || !(coveredBy[metric] ?? []).some((code) => codes.has(code)),
  );
  const open = alertOpen({ ...facts, alerts: uncovered });
  return [...found, ...(open ? [open] : [])]
    .map((each) => (isLate && each.raisesTo ? raised(each, each.raisesTo) : each))
    .toSorted(worstFirst);
}

/** The verdict that the state and the worst finding give. */
export function verdictOf(facts: HealthFacts, findings: readonly FoundProblem[]): HealthVerdict {
  const { state } = facts;
  if (state === "unreachable" || state === "unresponsive") return "down";
  if (state === "stopped" || state === "paused") return "stopped";
  if (state === "never_seen" || state === "not_monitored") return "unknown";
  if (findings[0]?.severity === "critical") return "critical";
  if (isStarting(facts)) return "unknown";
  if (findings[0]?.severity === "warning") return "degraded";
  if (state === "paused_empty") return "healthy";
  const last = facts.samples.at(-1);
  const isJudged = last !== undefined && facts.samples.some(({ tps, mspt }) => tps !== null || mspt !== null);
  return isJudged ? "healthy" : "unknown";
}

const toFinding = (
  facts: HealthFacts,
  { code, severity, since, evidence, next }: FoundProblem,
): HealthFinding => ({
  code,
  severity,
  since: toTimestampOrNull(since),
  evidence: [...evidence],
  coincides_with: coincidencesOf(facts, since),
  next: [...next],
});

/** What is wrong with a server, since when, what changed, and what to do: pure, from everything that is known. */
export function evaluateHealth(facts: HealthFacts): ServerHealth {
  const findings = findingsOf(facts);
  const verdict = verdictOf(facts, findings);
  const leading = findings[0]?.severity === "info" ? null : (findings[0] ?? null);
  return {
    server_id: facts.serverId,
    health_version: healthVersion,
    period: { from: toTimestamp(facts.from), to: toTimestamp(facts.to) },
    verdict,
    headline: headlineOf(facts, verdict, leading),
    since: toTimestampOrNull(verdict === "stopped" || leading === null ? facts.stateSince : leading.since),
    findings: findings.slice(0, mostFindings).map((found) => toFinding(facts, found)),
    more_findings: Math.max(0, findings.length - mostFindings),
    changes: healthChanges(facts),
    availability: availabilityOf(facts),
    not_measured: notMeasuredOf(facts),
  };
}
