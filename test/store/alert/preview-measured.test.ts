import { beforeAll, expect, it } from "vitest";
import type { RuleSample } from "../../../src/core/alert/arrivals.ts";
import { RulePreview, type PreviewOutcome } from "../../../src/core/alert/preview.ts";
import { listedEpisodes } from "../../../src/core/alert/rule-replay.ts";
import { fieldColumn, pausedColumn, receivedColumn } from "../../../src/core/metric/block/segment.ts";
import { sealWindowStart } from "../../../src/core/metric/block/merge-segments.ts";
import { addToBlock } from "../../../src/services/metric/seal-samples.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { insertSamples } from "../../../src/store/metric/samples.ts";
import { readRuleSamples } from "../../../src/store/metric/rule-samples.ts";
import { sampleOf } from "../../../src/core/metric/reported-sample.ts";
import { dice } from "../../support/dice.ts";
import { eachDatabase } from "../../support/databases.ts";
import { minute, newAccount, newServer, noon, sampleAt } from "../engine/rows.ts";
import { modelEpisodes, type ModelRule, type Planted } from "./preview-model.ts";

const second = 1000;

interface Stored extends Planted {
  /** Null: the store does not know it. */
  receivedAt: number | null;
}

/** How a history is stored: as rows, or in blocks that know every time of receipt, some of them or none. */
const stores = ["rows", "blocks", "blocks without some times", "blocks without times"] as const;

const metrics = {
  tps: {
    definition: { metric: "tps", condition: "below", threshold: 18 },
    model: { isBad: (value: number) => value < 18, isGood: (value: number) => value >= 18.2 },
    values: { bad: [12, 17.9], good: [18.2, 20], between: [18, 18.1] },
  },
  cpu_usage: {
    definition: { metric: "cpu_usage", condition: "above", threshold: 90 },
    model: { isBad: (value: number) => value > 90, isGood: (value: number) => value <= 88 },
    values: { bad: [90.5, 99], good: [20, 88], between: [88.5, 90] },
  },
} as const;

type Metric = keyof typeof metrics;

/** Lists begin anew behind their end. */
function nth<T>(of: readonly T[], index: number): T {
  const found = of[index % of.length];
  if (found === undefined) throw new Error("The list is empty.");
  return found;
}

/** Spells of some minutes: good, bad, mixed, unknown, paused, silent, or sent late in one upload. */
function planted(random: () => number, metric: Metric): { readonly samples: Stored[]; readonly end: number } {
  const { values } = metrics[metric];
  const pick = <T>(of: readonly T[]): T => nth(of, Math.floor(random() * of.length));
  const samples: Stored[] = [];
  let step = 0;
  for (let spell = 0; spell < 16; spell += 1) {
    const kind = pick(["good", "bad", "bad", "good", "mixed", "unknown", "paused", "silent"] as const);
    const isLate = random() < 0.35;
    const end = step + 1 + Math.floor(random() * (kind === "silent" ? 45 : 24));
    // A late upload has two samples at least: one alone is known by its delay.
    const uploadedAt = noon + end * 30 * second + 11 * minute + spell;
    for (; step < end; step += 1) {
      if (kind === "silent") continue;
      const at = noon + step * 30 * second + 10 * second + Math.floor(random() * 5000);
      const sort = kind === "mixed" ? pick(["good", "bad", "between", "unknown"] as const) : kind;
      const value = sort === "unknown" || sort === "paused" ? null : pick(values[sort]);
      const receivedAt = isLate ? uploadedAt : at + 20 + Math.floor(random() * 80);
      samples.push({ at, value, paused: kind === "paused", receivedAt });
    }
  }
  return { samples, end: noon + (step + 40) * 30 * second };
}

async function stored(
  db: Database,
  metric: Metric,
  samples: readonly Stored[],
  how: (typeof stores)[number],
): Promise<string> {
  const { id } = (await newServer(db, await newAccount(db))).server;
  if (how === "rows") {
    const received = samples.map(({ at, value, paused, receivedAt }) => {
      const body = { tps: null, [metric]: value, paused_empty: paused };
      return { sampledAt: at, sample: sampleOf(sampleAt(at, body).reported), receivedAt: receivedAt ?? at };
    });
    await db.write(() => insertSamples(id, received));
    return id;
  }
  // Points with and without a time of receipt come in two parts, as from two writers.
  for (const isKnown of [false, true]) {
    const wanted = samples.filter(({ receivedAt }) => (receivedAt !== null) === isKnown);
    for (const window of new Set(wanted.map(({ at }) => sealWindowStart(at)))) {
      const points = wanted.filter(({ at }) => sealWindowStart(at) === window);
      const column = (value: (point: Stored) => number) => Float64Array.from(points, value);
      const columns = new Map([
        [fieldColumn(metric), column(({ value }) => value ?? Number.NaN)],
        [pausedColumn, column(({ paused }) => Number(paused))],
      ]);
      if (isKnown)
        columns.set(
          receivedColumn,
          column(({ at, receivedAt }) => (receivedAt ?? 0) - at),
        );
      const block = { times: column(({ at }) => at), columns, details: points.map(() => null) };
      await db.write(addToBlock, id, block);
    }
  }
  return id;
}

interface Shown {
  readonly total: number;
  readonly episodes: readonly object[];
}

const shown = ({ episodes, episodesTotal }: PreviewOutcome): Shown => ({
  total: episodesTotal,
  episodes: episodes.map(({ openedAt, resolvedAt, resolutionReason }) => ({
    openedAt,
    resolvedAt,
    resolutionReason,
  })),
});

const isInTime = ({ at, receivedAt }: Stored): boolean =>
  receivedAt === null || receivedAt - at <= 5 * minute;

eachDatabase(
  (databases) => {
    let db: Database;
    beforeAll(async () => {
      db = await databases.open();
    });

    it("[OUR-ALR-90] [OUR-ALR-91] a preview agrees with a simple model of 200 histories, in rows and in blocks", async () => {
      const seen = new Map<string, number>();
      let [late, unseen] = [0, 0];
      for (let run = 0; run < 200; run += 1) {
        const random = dice(7000 + run);
        const metric: Metric = run % 8 < 5 ? "tps" : "cpu_usage";
        const how = nth(stores, run);
        const made = planted(random, metric);
        const samples = made.samples.map((sample): Stored => {
          const isUnknown =
            how === "blocks without times" || (how !== "rows" && how !== "blocks" && random() < 0.4);
          return isUnknown ? Object.assign(sample, { receivedAt: null }) : sample;
        });
        const server = await stored(db, metric, samples, how);
        const durationMinutes = nth([0, 0, 1, 2, 5], run);
        const { definition, model } = metrics[metric];
        const rule = { ...definition, durationMinutes, cooldownMinutes: 0 };
        const period = { from: noon, to: made.end };
        const preview = new RulePreview({ rule, ...period, maintenance: [] });
        for await (const part of readRuleSamples(db, server, metric, noon - minute, made.end))
          preview.add(part);
        const outcome = preview.outcome();
        const modelled: ModelRule = {
          ...model,
          durationMs: durationMinutes * minute,
          watchesTicks: metric === "tps",
        };
        const episodes = modelEpisodes(samples, modelled, period.from, period.to);
        const inTime = samples.filter(isInTime);
        expect({ run, ...shown(outcome) }).toEqual({
          run,
          total: episodes.length,
          episodes: episodes.slice(-listedEpisodes).toReversed(),
        });
        expect({
          run,
          samples: outcome.samples,
          late: outcome.lateSamples,
          live: outcome.live.episodesTotal,
        }).toEqual({
          run,
          samples: samples.length,
          late: samples.length - inTime.length,
          live: modelEpisodes(inTime, modelled, period.from, period.to).length,
        });
        for (const { resolutionReason } of episodes)
          seen.set(
            `${metric} ${resolutionReason ?? "open"}`,
            (seen.get(`${metric} ${resolutionReason ?? "open"}`) ?? 0) + 1,
          );
        late += outcome.lateSamples;
        unseen += Number(outcome.live.episodesTotal !== outcome.episodesTotal);
      }
      console.log(`${late} late samples, ${unseen} histories that live evaluation saw otherwise`, seen);
      for (const what of [
        "tps recovered",
        "tps no_data",
        "tps paused_empty",
        "cpu_usage recovered",
        "cpu_usage no_data",
      ])
        expect(seen.get(what) ?? 0, what).toBeGreaterThan(4);
      expect(unseen).toBeGreaterThan(40);
    });
  },
  ["SQLite in memory"],
);

it("[OUR-ALR-91] one sample without a time of receipt takes nothing from those behind it", () => {
  const samples = Array.from({ length: 200 }, (_, index): RuleSample => {
    const sampledAt = noon + index * 30 * second;
    return {
      sampledAt,
      receivedAt: index === 3 ? Number.NaN : sampledAt + 50,
      value: index < 150 ? 20 : 5,
      pausedEmpty: false,
      targetTps: null,
    };
  });
  const rule = { ...metrics.tps.definition, durationMinutes: 5, cooldownMinutes: 0 };
  const preview = new RulePreview({ rule, from: noon, to: noon + 101 * minute, maintenance: [] });
  preview.add(samples);
  expect(preview.outcome()).toMatchObject({ samples: 200, episodesTotal: 1, live: { episodesTotal: 1 } });
});
