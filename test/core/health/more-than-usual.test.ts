import { describe, expect, it } from "vitest";
import { evaluateHealth, findingsOf } from "../../../src/core/health/evaluate.ts";
import type { HealthField } from "../../../src/core/health/health-fields.ts";
import { bandFrom, baselineWith } from "./buckets.ts";
import { factsOf, hour, minute, noon, samplesOf, type ChangedFacts } from "./facts.ts";

/** 1,000 with 5 to 9 players, rarely above 1,200. */
const usual = baselineWith(bandFrom(5, { median: 1000, p98: 1200 }));

type Fields = Partial<Record<HealthField, number>>;

const found = (changes: ChangedFacts): string[] =>
  findingsOf(factsOf({ countBaselines: { entity_count: usual, loaded_chunks: usual }, ...changes })).map(
    ({ code, severity }) => `${code} ${severity}`,
  );
const always = (fields: Fields): ChangedFacts => ({
  samples: samplesOf(() => ({ mspt: 12, player_count: 8, ...fields })),
});

describe("[OUR-HLT-44] more_than_usual", () => {
  it("holds from half as many again on, above the 98th percentile", () => {
    expect(found(always({ entity_count: 1500 }))).toEqual(["more_than_usual info"]);
    expect(found(always({ entity_count: 1499 }))).toEqual([]);
    const wide = { entity_count: baselineWith(bandFrom(5, { median: 1000, p98: 1500 })) };
    expect(found({ ...always({ entity_count: 1500 }), countBaselines: wide })).toEqual([]);
  });

  it("holds from 100 more on", () => {
    const few = { tile_entities: baselineWith(bandFrom(5, { median: 50, p98: 60 })) };
    expect(found({ ...always({ tile_entities: 150 }), countBaselines: few })).toEqual([
      "more_than_usual info",
    ]);
    expect(found({ ...always({ tile_entities: 149 }), countBaselines: few })).toEqual([]);
  });

  it("is a warning beside late ticks", () => {
    expect(found(always({ entity_count: 1500, mspt: 60 }))).toEqual([
      "tick_over_budget critical",
      "more_than_usual warning",
    ]);
  });

  it("is silent without a baseline, of the field or of the players, and while nothing ticks", () => {
    const many = always({ entity_count: 9000 });
    expect(found({ ...many, countBaselines: {} })).toEqual([]);
    expect(found({ ...many, countBaselines: { tile_entities: usual } })).toEqual([]);
    expect(found(always({ entity_count: 9000, player_count: 20 }))).toEqual([]);
    expect(found({ ...many, state: "paused_empty" })).toEqual([]);
    expect(found({ ...many, maintenance: [{ startedAt: noon - 3 * hour, endsAt: noon }] })).toEqual([]);
  });

  it("leaves out samples of a pause", () => {
    const paused = samplesOf(() => ({ entity_count: 9000, player_count: 0 }));
    const none = { entity_count: baselineWith(bandFrom(0, { median: 1000, p98: 1200 })) };
    expect(found({ samples: paused, countBaselines: none })).toEqual([]);
    const awake = samplesOf(() => ({ entity_count: 9000, player_count: 0, mspt: 3 }));
    expect(found({ samples: awake, countBaselines: none })).toEqual(["more_than_usual info"]);
  });

  it("says of each field what there is, what was usual, and since when", () => {
    const since = noon - 60 * minute;
    const samples = samplesOf((at) => ({
      mspt: 12,
      player_count: 8,
      entity_count: at >= since ? 3000 : 1000,
      loaded_chunks: at >= since + 10 * minute ? 2000 : 1000,
    }));
    const countBaselines = { entity_count: usual, loaded_chunks: usual };
    expect(evaluateHealth(factsOf({ samples, countBaselines })).findings).toMatchObject([
      {
        since: new Date(since).toISOString(),
        since_is_at_least: false,
        evidence: [
          { key: "entity_count_median", value: 3000, unit: "count", threshold: 1200 },
          { key: "usual_entity_count", value: 1000 },
          { key: "loaded_chunks_median", value: 2000 },
          { key: "usual_loaded_chunks", value: 1000 },
        ],
        next: [{ tool: "get_server_metrics" }],
      },
    ]);
    const whole = evaluateHealth(factsOf({ ...always({ entity_count: 3000 }), countBaselines }));
    expect(whole.findings[0]).toMatchObject({ since_is_at_least: true });
  });
});
