import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
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
import { isStarting, watchedSamples, type FoundProblem, type HealthRule } from "./rules/rule.ts";
import { crashes, serverDown, serverUnresponsive } from "./rules/state.ts";
import { memoryGrowing } from "./rules/memory-growing.ts";
import { moreThanUsual } from "./rules/more-than-usual.ts";
import { pluginGrew, pluginHeavy } from "./rules/plugins.ts";
import { slowerThanUsual } from "./rules/slower.ts";
import { tickOverBudget, longSpikes } from "./rules/ticks.ts";
import {
  alertOpen,
  benchmarkRegression,
  dataMissing,
  noAlertRules,
  noMessageSent,
} from "./rules/watching.ts";
import type { HealthEvaluation } from "./stored-health.ts";
import { healthVersion, mostFindings } from "./thresholds.ts";

/** All rules except open alerts, which need the findings of the others. */
const rules: readonly HealthRule[] = [
  serverDown,
  serverUnresponsive,
  crashes,
  tickOverBudget,
  heapNearFull,
  containerNearLimit,
  memoryGrowing,
  cpuThrottled,
  machineSaturated,
  gcHeavy,
  slowerThanUsual,
  longSpikes,
  pluginHeavy,
  pluginGrew,
  moreThanUsual,
  benchmarkRegression,
  noMessageSent,
  dataMissing,
  noAlertRules,
];

/** While one of these holds, findings with `raisesTo` are raised. */
const raising = new Set<FindingCode>([
  "server_down",
  "server_unresponsive",
  "tick_over_budget",
  "slower_than_usual",
]);

/** Findings that say the same as an alert on a metric. */
const coveredBy: Readonly<Partial<Record<AlertMetric, readonly FindingCode[]>>> = {
  offline: ["server_down"],
  tps: ["tick_over_budget", "server_unresponsive"],
  mspt: ["tick_over_budget", "server_unresponsive", "slower_than_usual"],
  cpu_usage: ["machine_saturated", "noisy_machine"],
  ram_used_mb: ["heap_near_full"],
};

const severities: readonly FindingSeverity[] = ["critical", "warning", "info"];

/** Findings that say that ticks are late, the clearest first. */
const tickFindings: readonly FindingCode[] = ["tick_over_budget", "slower_than_usual", "tick_spikes"];

/** Null while ticks are in time. */
export function lateTicksSince(findings: readonly FoundProblem[]): Instant | null {
  for (const code of tickFindings) {
    const found = findings.find((finding) => finding.code === code);
    if (found) return found.since;
  }
  return null;
}

/** Whether a finding began before the oldest sample that was read, unless its beginning is known. */
export const beginsBefore = ({ knownBeginning }: HealthFacts, findings: readonly FoundProblem[]): boolean =>
  findings.some((found) => heldThroughout(found) && found.code !== knownBeginning?.code);

export const raisesOthers = (findings: readonly FoundProblem[]): boolean =>
  findings.some(({ code }) => raising.has(code)) || lateTicksSince(findings) !== null;

const raised = (found: FoundProblem, severity: FindingSeverity): FoundProblem => ({ ...found, severity });

/** Whether it held as far back as samples were read; `memory_growing` looks through its boot itself. */
const heldThroughout = ({ code, sinceIsAtLeast }: FoundProblem): boolean =>
  sinceIsAtLeast === true && code !== "memory_growing";

/** Uses the known beginning for a finding that held throughout. */
const begun =
  ({ knownBeginning: known }: HealthFacts) =>
  (found: FoundProblem): FoundProblem =>
    known !== null && heldThroughout(found) && found.code === known.code && known.since < (found.since ?? 0)
      ? { ...found, since: known.since }
      : found;

const worstFirst = (one: FoundProblem, other: FoundProblem): number =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
  findingCodes.indexOf(one.code) - findingCodes.indexOf(other.code);

/** All findings, worst first, within a severity by the rank of the code. */
export function findingsOf(facts: HealthFacts): FoundProblem[] {
  // A server that is not monitored, or was never seen, has no findings.
  if (facts.state === "not_monitored" || facts.state === "never_seen") return [];
  const found = rules.flatMap((rule) => rule(facts) ?? []).map(begun(facts));
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

export function verdictOf(facts: HealthFacts, findings: readonly FoundProblem[]): HealthVerdict {
  const { state } = facts;
  if (state === "unreachable" || state === "unresponsive") return "down";
  if (state === "stopped" || state === "paused") return "stopped";
  if (state === "never_seen" || state === "not_monitored") return "unknown";
  if (findings[0]?.severity === "critical") return "critical";
  if (isStarting(facts)) return "unknown";
  if (findings[0]?.severity === "warning") return "degraded";
  if (state === "paused_empty") return "healthy";
  const watched = watchedSamples(facts);
  const isJudged = watched.has("tps") || watched.has("mspt");
  return isJudged ? "healthy" : "unknown";
}

const toFinding = (
  facts: HealthFacts,
  { code, severity, subject, since, sinceIsAtLeast = false, until = null, evidence, next }: FoundProblem,
): HealthFinding => ({
  code,
  severity,
  subject: subject ?? null,
  since: toTimestampOrNull(since),
  since_is_at_least: sinceIsAtLeast,
  until: toTimestampOrNull(until),
  evidence: [...evidence],
  coincides_with: coincidencesOf(facts, since),
  next: [...next],
});

/** The short evaluation with all findings; pass `findings` if they are already known. */
export function judgeHealth(
  facts: HealthFacts,
  findings: readonly FoundProblem[] = findingsOf(facts),
): HealthEvaluation & { readonly findings: readonly FoundProblem[] } {
  const verdict = verdictOf(facts, findings);
  const serious = findings.filter(({ severity }) => severity !== "info");
  const leading = serious[0] ?? null;
  return {
    findings,
    verdict,
    since: verdict === "stopped" || leading === null ? facts.stateSince : leading.since,
    reasons: verdict === "stopped" ? [] : serious.slice(0, mostFindings).map(({ code }) => code),
    headline: headlineOf(facts, verdict, leading),
  };
}

export function evaluateHealth(facts: HealthFacts): Omit<ServerHealth, "urls"> {
  const { findings, verdict, since, headline } = judgeHealth(facts);
  return {
    server_id: facts.serverId,
    health_version: healthVersion,
    period: { from: toTimestamp(facts.from), to: toTimestamp(facts.to) },
    verdict,
    headline,
    since: toTimestampOrNull(since),
    findings: findings.slice(0, mostFindings).map((found) => toFinding(facts, found)),
    more_findings: Math.max(0, findings.length - mostFindings),
    changes: healthChanges(facts),
    availability: availabilityOf(facts),
    not_measured: notMeasuredOf(facts),
  };
}
