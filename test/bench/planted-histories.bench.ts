import { expect, it } from "vitest";
import { deliveries, playPlanted, type PlantedAnswers } from "../support/planted/deliver.ts";
import { plantedHistory, plantedKinds } from "../support/planted/histories.ts";
import { essenceOf, noScore, scoreOf, scoreTable } from "../support/planted/score.ts";
import { serverKinds } from "../support/slow-histories.ts";

const seeds = Number(process.env["TICKMARK_BENCH_SEEDS"] ?? 3);

/** The share of windows, %, of which the same is said later as with data in time. */
function sameShare(played: readonly PlantedAnswers[]): string {
  const inTime = new Map(
    played.filter(({ delivery }) => delivery === "in time").map((each) => [each.history, each]),
  );
  let [same, all] = [0, 0];
  for (const { history, windows } of played) {
    if (history.promised?.onlyLive === true) continue;
    for (const { at, answer } of windows) {
      const then = inTime.get(history)?.live.find((asked) => asked.at === at)?.answer;
      all += 1;
      if (then && JSON.stringify(essenceOf(then)) === JSON.stringify(essenceOf(answer))) same += 1;
    }
  }
  return `${same} of ${all}`;
}

/** Every kind in every way of delivery, asked of its time and of the same windows when all had arrived. */
for (const { name, dayToDay } of serverKinds)
  it(`planted histories whose days differ as those of ${name} servers`, { timeout: 3_600_000 }, async () => {
    const scores = new Map(plantedKinds.map((kind) => [kind, noScore()]));
    const again = new Map(plantedKinds.map((kind) => [kind, noScore()]));
    const same: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const histories = plantedKinds.map((kind, place) => plantedHistory(kind, seed * 100 + place, dayToDay));
      const played = await playPlanted(histories, () => deliveries);
      for (const each of played) {
        if (each.delivery === "in time") scoreOf(each, each.live, scores.get(each.history.kind));
        else if (each.history.promised?.onlyLive !== true)
          scoreOf(each, each.windows, again.get(each.history.kind));
      }
      same.push(sameShare(played));
    }
    console.log(`${name}, in time, ${seeds} servers a kind\n${scoreTable([...scores])}`);
    console.log(
      `${name}, windows asked when all had arrived, late, doubled and mixed\n${scoreTable([...again])}`,
    );
    console.log(`${name}, the same said of a window however the data came: ${same.join(", ")}`);
    for (const score of [...scores.values(), ...again.values()]) expect(score.culpritWrong).toBe(0);
  });
