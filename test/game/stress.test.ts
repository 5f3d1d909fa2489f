import { afterAll, beforeAll, expect, it } from "vitest";
import type { Game } from "../../src/bench/game/game-tests.ts";
import { climb, type Rung } from "../../src/bench/game/ladder.ts";
import { PayloadTest } from "../../src/core/report/payload-test.ts";
import { ownersPlace, runTest } from "./simulated-game.ts";

const climbTo = (
  limit: number,
  { first = 100, most = 10_000, step = 10 } = {},
  bad: readonly number[] = [],
) => {
  const unlucky = [...bad];
  return climb({ first, most, step }, async (load): Promise<Rung> => {
    const at = unlucky.indexOf(load);
    if (at >= 0) unlucky.splice(at, 1);
    const passed = load <= limit && at < 0;
    return { load, passed, stop: passed ? null : "tps_dropped" };
  });
};
const loadsOf = ({ rungs }: { rungs: readonly Rung[] }): number[] => rungs.map(({ load }) => load);

it("[OUR-BCH-52] the ladder doubles the load until it fails twice, then bisects to 5 %", async () => {
  const ladder = await climbTo(1530);
  expect(loadsOf(ladder)).toEqual([100, 200, 400, 800, 1600, 1600, 1200, 1400, 1500, 1550, 1550]);
  expect(ladder).toMatchObject({ lastPassing: 1500, breaking: 1550, stop: "tps_dropped" });
});

it("[OUR-BCH-52] one bad moment does not end the ladder", async () => {
  const ladder = await climbTo(450, {}, [200, 400]);
  expect(loadsOf(ladder)).toEqual([
    100, 200, 200, 400, 400, 800, 800, 600, 600, 500, 500, 450, 480, 480, 470, 470,
  ]);
  expect(ladder.lastPassing).toBe(450);
});

it("[OUR-BCH-52] a ladder ends at the most that there is room for, and begins below a first load that fails", async () => {
  expect(await climbTo(1e9, { most: 1000 })).toMatchObject({
    lastPassing: 1000,
    breaking: null,
    stop: "max_load_reached",
  });
  const low = await climbTo(20);
  expect(low).toMatchObject({ lastPassing: 20, breaking: 30 });
  expect(loadsOf(await climbTo(0, { first: 10 }))).toEqual([10, 10]);
});

it("[OUR-BCH-52] for any limit the last passing load passes, the breaking one fails, and they are close", async () => {
  for (let limit = 0; limit <= 12_000; limit += 37) {
    const { lastPassing, breaking, rungs } = await climbTo(limit);
    expect(lastPassing).toBeLessThanOrEqual(limit);
    expect(rungs.length).toBeLessThan(24);
    if (breaking === null) expect(lastPassing).toBe(10_000);
    else {
      expect(breaking).toBeGreaterThan(limit);
      expect(breaking - lastPassing).toBeLessThanOrEqual(Math.max(10, 0.05 * lastPassing));
    }
  }
});

const place = ownersPlace();
let game: Game;
beforeAll(async () => {
  // A tick of 50 ms at 248 mobs, and a second of work for 6 chunks.
  const costs = { zombie: 0.2, villager: 0.2, cow: 0.2, chunkMs: 170 };
  game = await place.start({ costs }, { mode: "stresslimit" });
});
afterAll(async () => {
  await game.stop();
  place.clean();
});

it("[OUR-BCH-53] a ladder of mobs: every rung with its ticks, and the last load that kept the pace", async () => {
  const result = await runTest(game, "entities_ai", { length: 0.02 });
  expect(place.logged).toEqual([]);
  // The 95th percentile is a tenth above the mean: 0.4 + 0.2 × 224 = 45.2 ms passes, and 240 mobs need 53.2 ms.
  expect(result).toMatchObject({
    outcome: "success",
    metrics: { entity_count: 224 },
    stress_result: {
      unit: "entities",
      first_load: 128,
      last_passing_load: 224,
      breaking_load: 240,
    },
    witnesses: [{ key: "entities_alive_mid_run", expected: 224, actual: 224 }],
  });
  const rungs = result.stress_progression ?? [];
  expect(rungs.map(({ rung, load, passed }) => [rung, load, passed])).toEqual([
    [1, 128, true],
    [2, 256, false],
    [3, 256, false],
    [4, 192, true],
    [5, 224, true],
    [6, 240, false],
    [7, 240, false],
  ]);
  // The game counts its rate by the clock: where something else keeps it from running, that drops first.
  const reasons = rungs.filter(({ passed }) => !passed).map(({ stop_reason }) => stop_reason);
  expect(reasons).toContain("mspt_exceeded");
  expect(["mspt_exceeded", "tps_dropped"]).toEqual(expect.arrayContaining(reasons));
  expect(rungs[3]).toMatchObject({ mspt_avg: 38.8, mspt_p95: 42.7, mspt_max: null, stop_reason: null });
  expect(Number(rungs[3]?.tps_avg)).toBeGreaterThan(19);
  expect(rungs[1]).toMatchObject({ passed: false });
  expect(PayloadTest.safeParse({ test_id: "entities_ai", success: true, ...result }).error).toBeUndefined();
});

it("[OUR-BCH-53] a ladder of exploring players ends where the game cannot keep its pace", async () => {
  const result = await runTest(game, "exploration_chunk_generation", { length: 0.03 });
  expect(place.logged).toEqual([]);
  expect(result).toMatchObject({
    outcome: "success",
    stress_result: { unit: "players", first_load: 4, stop_reason: "tps_dropped" },
  });
  expect(result.stress_result?.breaking_load).toBeLessThanOrEqual(8);
});

it("[OUR-BCH-49] a rung whose load is not there ends its ladder", async () => {
  const elsewhere = ownersPlace();
  const answers = { "^execute if entity": "Test failed" };
  const other = await elsewhere.start({ answers }, { mode: "stresslimit" });
  expect(await runTest(other, "entities_items", { length: 0.001 })).toEqual({
    outcome: "failure",
    reason_code: "load_did_not_run",
  });
  await other.stop();
  elsewhere.clean();
});

it.each([
  ["mechanics_redstone", 0.004],
  ["mechanics_hopper", 0.02],
] as const)("[OUR-BCH-53] a ladder of %s has its witnesses", async (id, length) => {
  const elsewhere = ownersPlace();
  // A few batches are too much.
  const other = await elsewhere.start({ costs: { line: 1.2, hopper: 0.13 } }, { mode: "stresslimit" });
  const result = await runTest(other, id, { length });
  expect(elsewhere.logged).toEqual([]);
  expect(result).toMatchObject({ outcome: "success" });
  const [witness] = result.witnesses ?? [];
  expect(witness?.actual).toBeGreaterThanOrEqual(0.9 * Number(witness?.expected));
  await other.stop();
  elsewhere.clean();
});
