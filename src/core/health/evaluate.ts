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
import { diskNearlyFull } from "./rules/disk.ts";
import { containerNearLimit, heapNearFull } from "./rules/memory.ts";
import { cpuThrottled, gcHeavy, machineSaturated } from "./rules/processor.ts";
import {
  judgedAt,
  watchedSamples,
  type Beginning,
  type FoundProblem,
  type HealthRule,
} from "./rules/rule.ts";
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
  inAppOnly,
  noAlertRules,
  noMessageSent,
} from "./rules/watching.ts";
import type { HealthEvaluation } from "./stored-health.ts";
import { onlineWithinMs } from "../server/status.ts";
import { healthVersion, mostFindings } from "./thresholds.ts";

/** All rules except open alerts, which need the findings of the others. */
const rules: readonly HealthRule[] = [
  serverDown,
  serverUnresponsive,
  crashes,
  tickOverBudget,
  diskNearlyFull,
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
  inAppOnly,
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
  disk_free_mb: ["disk_nearly_full"],
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

/** Whether a finding began before the oldest sample that was read, and there may be older ones. */
export const beginsBefore = (
  { firstSampleAt, samplesFrom }: HealthFacts,
  findings: readonly FoundProblem[],
): boolean =>
  (firstSampleAt ?? samplesFrom) < samplesFrom &&
  findings.some(({ code, sinceIsAtLeast }) => sinceIsAtLeast === true && !beginsElsewhere.has(code));

export const raisesOthers = (findings: readonly FoundProblem[]): boolean =>
  findings.some(({ code }) => raising.has(code)) || lateTicksSince(findings) !== null;

const raised = (found: FoundProblem, severity: FindingSeverity): FoundProblem => ({ ...found, severity });

/** Findings whose beginning further samples do not tell: it is in the timeline, or in the whole boot. */
const beginsElsewhere = new Set<FindingCode>(["memory_growing", "cpu_throttled", "crashed", "crash_loop"]);

/** Uses the known beginning for a finding that held as far back as was read. */
const begun =
  ({ earlier }: HealthFacts) =>
  (found: FoundProblem): FoundProblem => {
    const since = found.sinceIsAtLeast === true ? earlier?.beginnings[found.code] : undefined;
    return since !== undefined && since <= (found.since ?? 0)
      ? { ...found, since, sinceIsAtLeast: false }
      : found;
  };

/** The beginning that an answer shows; null if the finding held as far back as is known. */
const shownSince = ({ since, sinceIsAtLeast }: Beginning): Instant | null =>
  sinceIsAtLeast === true ? null : since;

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
  if (judgedAt(facts) !== null) return "unknown";
  if (findings[0]?.severity === "warning") return "degraded";
  if (state === "paused_empty") return "healthy";
  const watched = watchedSamples(facts);
  const isJudged = watched.has("tps") || watched.has("mspt");
  return isJudged ? "healthy" : "unknown";
}

const toFinding = (facts: HealthFacts, found: FoundProblem): HealthFinding => ({
  code: found.code,
  severity: found.severity,
  subject: found.subject ?? null,
  suspects: [...(found.suspects ?? [])],
  since: toTimestampOrNull(shownSince(found)),
  since_is_at_least: found.sinceIsAtLeast === true,
  intermittent: found.intermittent === true,
  held_by: found.heldBy ?? null,
  until: toTimestampOrNull(found.until ?? null),
  evidence: [...found.evidence],
  coincides_with: coincidencesOf(facts, found.code, shownSince(found)),
  next: [...found.next],
});

/** The first sample after the last silence of the period, or the first of all; null if neither is in it. */
function returnedAt({ sampleTimes, samples, firstSampleAt, from }: HealthFacts): Instant | null {
  const times = sampleTimes.length > 1 ? sampleTimes : samples.times;
  for (let place = times.length - 1; place > 0; place -= 1)
    if ((times[place] ?? 0) - (times[place - 1] ?? 0) > onlineWithinMs) return times[place] ?? null;
  return firstSampleAt !== null && firstSampleAt >= from ? firstSampleAt : null;
}

/** When the findings of the earlier evaluation had ended, or the server had started again; null if unknown. */
function recoveredAt({ earlier, to, bootAt }: HealthFacts): Instant | null {
  if (earlier === null || earlier.verdict === "healthy") return null;
  return earlier.verdict === "critical" || earlier.verdict === "degraded" ? to : bootAt;
}

const latest = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/** When the verdict's unbroken stretch began; null if it held as far back as is known. */
function verdictSince(
  facts: HealthFacts,
  verdict: HealthVerdict,
  leading: FoundProblem | null,
): Instant | null {
  if (verdict === "stopped" || facts.state === "not_monitored") return facts.stateSince;
  if (verdict === "down") return leading === null ? facts.stateSince : shownSince(leading);
  const { earlier } = facts;
  const since = latest(leading === null ? recoveredAt(facts) : shownSince(leading), returnedAt(facts));
  if (earlier?.verdict !== verdict) return since;
  return earlier.since === null || since === null ? earlier.since : Math.min(since, earlier.since);
}

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
    since: verdictSince(facts, verdict, leading),
    beginnings: Object.fromEntries(
      findings.flatMap((found) => {
        const since = shownSince(found);
        return since === null ? [] : [[found.code, since]];
      }),
    ),
    reasons: verdict === "stopped" ? [] : serious.slice(0, mostFindings).map(({ code }) => code),
    headline: headlineOf(facts, verdict, leading),
  };
}

/** The whole answer; pass `judged` if it is already known. */
export function evaluateHealth(
  facts: HealthFacts,
  { findings, verdict, since, headline } = judgeHealth(facts),
): Omit<ServerHealth, "urls"> {
  const { code, text } = headline;
  return {
    server_id: facts.serverId,
    health_version: healthVersion,
    period: { from: toTimestamp(facts.from), to: toTimestamp(facts.to) },
    verdict,
    headline: { code, text },
    since: toTimestampOrNull(since),
    findings: findings.slice(0, mostFindings).map((found) => toFinding(facts, found)),
    more_findings: Math.max(0, findings.length - mostFindings),
    changes: healthChanges(facts),
    availability: availabilityOf(facts),
    not_measured: notMeasuredOf(facts),
  };
}
