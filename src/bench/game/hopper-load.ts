import { blockDataAnswer, itemsIn } from "./answers.ts";
import { chainsPerBatch, hoppersPerChain } from "./data-pack.ts";
import type { TickLoad } from "./load.ts";
import { cells, cornerOf, slotsAt, type Corner } from "./pen.ts";
import type { GameSession } from "./session.ts";

/** Two batches in a cell, one behind the other. */
const batchesPerCell = 2;

/** A hopper moves an item every eight ticks; the first one also takes one out of the barrel above it. */
const ticksPerTransfer = 8;
const transfersPerChain = hoppersPerChain + 1;
/** Ticks until an item has passed all hoppers of a chain. */
const ticksToFill = hoppersPerChain * ticksPerTransfer;

function placeOf(batch: number): { readonly cell: number; readonly corner: Corner } {
  const cell = Math.floor(batch / batchesPerCell);
  const corner = cornerOf(cell);
  return { cell, corner: { ...corner, z: corner.z + (batch % batchesPerCell) * chainsPerBatch } };
}

const build: TickLoad["build"] = async (session, batches, signal) => {
  for (let batch = 0; batch < batches; batch += 1) {
    const { cell, corner } = placeOf(batch);
    await session.callAt(cell, corner, "hoppers", signal);
  }
  // Only chains that are full of items do the same work in every tick.
  await session.sprint(2 * ticksToFill, signal);
};

const sampledChains = 8;

/** The last barrels of some chains, spread over all batches. */
const sampledBarrels = (batches: number): Corner[] =>
  Array.from({ length: sampledChains }, (_, index) => {
    const { corner } = placeOf(Math.floor((index * batches) / sampledChains));
    return { x: corner.x + hoppersPerChain, y: corner.y, z: corner.z + (index % chainsPerBatch) };
  });

async function itemsArrived(session: GameSession, batches: number, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (const barrel of sampledBarrels(batches)) {
    const [, slots = ""] = await session.console.run(slotsAt(barrel), blockDataAnswer, signal);
    sum += itemsIn(slots);
  }
  return sum / sampledChains;
}

const watch: TickLoad["watch"] = async (session, batches, signal) => {
  const perItem = batches * chainsPerBatch * transfersPerChain;
  const before = await itemsArrived(session, batches, signal);
  return {
    during: async () => undefined,
    finish: async (ticks) => {
      const arrived = (await itemsArrived(session, batches, signal)) - before;
      return [
        {
          key: "hopper_transfers",
          expected: perItem * Math.floor(ticks / ticksPerTransfer),
          actual: Math.round(perItem * Math.max(0, arrived)),
          unit: "transfers",
        },
      ];
    },
  };
};

export const hopperLoad: TickLoad = {
  id: "mechanics_hopper",
  name: "Hopper chains",
  category: "mechanics",
  unit: "hoppers",
  perBatch: chainsPerBatch * hoppersPerChain,
  batches: { standard: 24, first: 4, most: cells * batchesPerCell },
  metric: "transfers_per_ms",
  operationsPerTick: transfersPerChain / (hoppersPerChain * ticksPerTransfer),
  build,
  watch,
  watchRung: watch,
};
