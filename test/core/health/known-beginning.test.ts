import { describe, expect, it } from "vitest";
import { beginsBefore, findingsOf } from "../../../src/core/health/evaluate.ts";
import type { HealthFacts } from "../../../src/core/health/facts.ts";
import { knownBeginningOf, type StoredHealth } from "../../../src/core/health/stored-health.ts";
import { factsOf, hour, noon, samplesOf } from "./facts.ts";

const late = samplesOf(() => ({ tps: 12, mspt: 60, mspt_p95: 90, player_count: 8 }));
const begun = noon - 30 * hour;

const stored: StoredHealth = {
  serverId: "server",
  verdict: "critical",
  since: begun,
  reasons: ["tick_over_budget", "alert_open"],
  headline: { code: "tick_over_budget", text: "" },
  evaluatedAt: noon - hour,
  verdictFrom: begun,
  announced: "critical",
};

const leading = (facts: HealthFacts) => findingsOf(facts)[0];

describe("[OUR-HLT-45] the beginning that an earlier evaluation found", () => {
  it("is that of a finding that has held since", () => {
    const known = knownBeginningOf(stored, noon - 3 * hour);
    expect(known).toEqual({ code: "tick_over_budget", since: begun });
    const facts = factsOf({ samples: late, knownBeginning: known });
    expect(leading(facts)).toMatchObject({ code: "tick_over_budget", since: begun, sinceIsAtLeast: true });
    expect(beginsBefore(facts, findingsOf(facts))).toBe(false);
    const unknown = factsOf({ samples: late });
    expect(leading(unknown)?.since).toBe(noon - 3 * hour);
    expect(beginsBefore(unknown, findingsOf(unknown))).toBe(true);
  });

  it("says nothing of a finding that began again, or of another one", () => {
    const again = samplesOf((at) => ({ tps: 20, mspt: at < noon - hour ? 12 : 60, mspt_p95: 90 }));
    const known = { code: "tick_over_budget", since: begun } as const;
    expect(leading(factsOf({ samples: again, knownBeginning: known }))?.since).toBe(noon - hour);
    const other = { code: "heap_near_full", since: begun } as const;
    expect(leading(factsOf({ samples: late, knownBeginning: other }))?.since).toBe(noon - 3 * hour);
  });

  it("is not known of an evaluation from before the samples, of a marked one, and of a healthy server", () => {
    const from = noon - 3 * hour;
    expect(knownBeginningOf({ ...stored, evaluatedAt: from - 1 }, from)).toBeNull();
    expect(knownBeginningOf({ ...stored, evaluatedAt: -1 }, from)).toBeNull();
    expect(knownBeginningOf({ ...stored, reasons: [] }, from)).toBeNull();
    expect(knownBeginningOf(null, from)).toBeNull();
  });
});
