import { describe, expect, it } from "vitest";
import { beginsBefore, findingsOf, judgeHealth } from "../../../src/core/health/evaluate.ts";
import type { HealthFacts } from "../../../src/core/health/facts.ts";
import { earlierEvaluation, type StoredHealth } from "../../../src/core/health/stored-health.ts";
import { factsOf, hour, noon, samplesOf } from "./facts.ts";

const late = samplesOf(() => ({ tps: 12, mspt: 60, mspt_p95: 90, player_count: 8 }));
const begun = noon - 30 * hour;

const stored: StoredHealth = {
  serverId: "server",
  verdict: "critical",
  since: begun,
  beginnings: { tick_over_budget: begun },
  reasons: ["tick_over_budget", "alert_open"],
  headline: { code: "tick_over_budget", text: "" },
  evaluatedAt: noon - hour,
  reopenedFrom: null,
  verdictFrom: begun,
  announced: "critical",
};

const leading = (facts: HealthFacts) => findingsOf(facts)[0];

describe("[OUR-HLT-45] the beginning that an earlier evaluation found", () => {
  it("is that of a finding that has held since", () => {
    const earlier = earlierEvaluation(stored, noon - 3 * hour);
    expect(earlier).toBe(stored);
    const facts = factsOf({ samples: late, earlier });
    expect(leading(facts)).toMatchObject({ code: "tick_over_budget", since: begun, sinceIsAtLeast: false });
    expect(beginsBefore(facts, findingsOf(facts))).toBe(false);
    const unknown = factsOf({ samples: late });
    expect(leading(unknown)).toMatchObject({ since: noon - 3 * hour, sinceIsAtLeast: true });
    expect(beginsBefore(unknown, findingsOf(unknown))).toBe(true);
    expect(judgeHealth(unknown)).toMatchObject({ since: null, beginnings: {} });
  });

  it("says nothing of a finding that began again, or of another one", () => {
    const again = samplesOf((at) => ({ tps: 20, mspt: at < noon - hour ? 12 : 60, mspt_p95: 90 }));
    expect(leading(factsOf({ samples: again, earlier: stored }))?.since).toBe(noon - hour);
    const other = { ...stored, beginnings: { heap_near_full: begun } };
    expect(leading(factsOf({ samples: late, earlier: other }))?.sinceIsAtLeast).toBe(true);
  });

  it("is not known of an evaluation from before the samples, and of a marked one", () => {
    const from = noon - 3 * hour;
    expect(earlierEvaluation({ ...stored, evaluatedAt: from - 1 }, from)).toBeNull();
    expect(earlierEvaluation({ ...stored, evaluatedAt: -1 }, from)).toBeNull();
    expect(earlierEvaluation(null, from)).toBeNull();
  });
});

describe("[OUR-HLT-77] the verdict's own beginning", () => {
  const degraded = { verdict: "degraded", beginnings: {}, since: noon - 2 * hour } as const;

  it("is that of its unbroken stretch, whichever finding leads now", () => {
    const facts = factsOf({ samples: late, earlier: { ...stored, beginnings: {}, since: noon - 5 * hour } });
    expect(judgeHealth(facts).since).toBe(noon - 5 * hour);
    const led = factsOf({ samples: late, earlier: degraded });
    expect(judgeHealth(led)).toMatchObject({ verdict: "critical", since: null });
  });

  it("is the recovery of a server whose findings ended, and the return of one that was down", () => {
    expect(judgeHealth(factsOf({ earlier: degraded }))).toMatchObject({ verdict: "healthy", since: noon });
    const returned = noon - 90 * 60_000;
    const times = Float64Array.from({ length: 180 }, (_, index) => returned + index * 30_000);
    const sampleTimes = Float64Array.of(noon - 2 * hour, ...times);
    const down = { verdict: "down", beginnings: {}, since: noon - 2 * hour } as const;
    for (const earlier of [down, null])
      expect(judgeHealth(factsOf({ earlier, sampleTimes })).since).toBe(returned);
  });

  it("is no boot that an outage or another verdict came after", () => {
    expect(judgeHealth(factsOf({ earlier: null })).since).toBeNull();
    const healthy = { verdict: "healthy", beginnings: {}, since: noon - 7 * hour } as const;
    expect(judgeHealth(factsOf({ earlier: healthy })).since).toBe(noon - 7 * hour);
  });
});
