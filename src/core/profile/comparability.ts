import type { z } from "zod";
import { ProfileIssueCode, type ComparabilityLevel, type ProfileComparison } from "./profile-comparison.ts";

/** With fewer tick samples every share is rough. */
export const fewSamples = 200;
/** Windows differ if one is this many times as long as the other, or more. */
const windowRatio = 2;

type Comparability = ProfileComparison["comparability"];
type Issue = Comparability["issues"][number];
type Code = z.infer<typeof ProfileIssueCode>;
type Value = Issue["base"];

export interface ComparedSide {
  readonly shown: ProfileComparison["base"];
  /** Tick samples; null if unknown. */
  readonly ticks: number | null;
  /** The largest share that an unlisted owner may have, percent; null if all owners are listed. */
  readonly unlistedOwnerPct: number | null;
  /** Of `readingOfSummary`. */
  readonly reading: number;
}

interface Rule {
  readonly severity: Issue["severity"];
  readonly value: (side: ComparedSide) => Value;
  readonly raised: (base: Value, target: Value) => boolean;
}

const differs = (base: Value, target: Value): boolean => base !== null && target !== null && base !== target;

const either =
  (holds: (value: number) => boolean) =>
  (...values: Value[]): boolean =>
    values.some((value) => typeof value === "number" && holds(value));

function lengthsApart(base: Value, target: Value): boolean {
  if (typeof base !== "number" || typeof target !== "number") return false;
  const [shorter, longer] = [Math.min(base, target), Math.max(base, target)];
  return longer > shorter && longer >= windowRatio * shorter;
}

const rules: Readonly<Record<Code, Rule>> = {
  "no-tick-samples": {
    severity: "blocking",
    value: ({ ticks }) => ticks,
    raised: either((samples) => samples === 0),
  },
  "trigger-differs": { severity: "caution", value: ({ shown }) => shown.trigger, raised: differs },
  "few-samples": {
    severity: "caution",
    value: ({ ticks }) => ticks,
    raised: either((samples) => samples < fewSamples),
  },
  "server-type-differs": {
    severity: "caution",
    value: ({ shown }) => shown.server_type,
    raised: differs,
  },
  "window-differs": {
    severity: "info",
    value: ({ shown }) => shown.window_seconds,
    raised: lengthsApart,
  },
  "lag-kind-differs": {
    severity: "info",
    value: ({ shown }) => shown.lag?.kind ?? null,
    raised: differs,
  },
  "server-version-differs": {
    severity: "info",
    value: ({ shown }) => shown.server_version,
    raised: differs,
  },
  "java-version-differs": {
    severity: "info",
    value: ({ shown }) => shown.java_version,
    raised: differs,
  },
  "service-version-differs": {
    severity: "info",
    value: ({ shown }) => shown.service_version,
    raised: differs,
  },
  "owners-incomplete": {
    severity: "info",
    value: ({ unlistedOwnerPct }) => unlistedOwnerPct,
    raised: either(() => true),
  },
  "reading-differs": { severity: "caution", value: ({ reading }) => reading, raised: differs },
};

function levelOf(issues: readonly Issue[]): z.infer<typeof ComparabilityLevel> {
  if (issues.some(({ severity }) => severity === "blocking")) return "not-comparable";
  return issues.some(({ severity }) => severity === "caution") ? "caution" : "comparable";
}

/** Lists the issues in a fixed order; an unknown value raises none. */
export function profileComparability(base: ComparedSide, target: ComparedSide): Comparability {
  const issues = ProfileIssueCode.options.flatMap((code): Issue[] => {
    const { severity, value, raised } = rules[code];
    const [one, other] = [value(base), value(target)];
    return raised(one, other) ? [{ code, severity, base: one, target: other }] : [];
  });
  return { level: levelOf(issues), issues };
}
