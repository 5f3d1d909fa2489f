import { itemsPerBatch, mobsPerBatch } from "./data-pack.ts";
import type { LoadWatch, TickLoad } from "./load.ts";
import { cells, cornerOf } from "./pen.ts";
import type { GameSession } from "./session.ts";

/** Four batches in a cell, shifted by a block from one another. */
const batchesPerCell = 4;

const buildIn =
  (room: string, batch: string): TickLoad["build"] =>
  async (session, batches, signal) => {
    for (let index = 0; index < batches; index += 1) {
      const [cell, quarter] = [Math.floor(index / batchesPerCell), index % batchesPerCell];
      const corner = cornerOf(cell);
      if (quarter === 0) await session.callAt(cell, corner, room, signal);
      const shifted = { ...corner, x: corner.x + (quarter % 2), z: corner.z + Math.floor(quarter / 2) };
      await session.callAt(cell, shifted, batch, signal);
    }
  };

/** Counts the entities in the middle and at the end, and those that moved. */
const watchEntities =
  (perBatch: number, aliveKey: string, movingShare: number): TickLoad["watch"] =>
  async (session: GameSession, batches: number, signal: AbortSignal): Promise<LoadWatch> => {
    const expected = batches * perBatch;
    await session.call("first_look", signal);
    let fewest = await session.countEntities("", signal);
    const count = async (): Promise<void> => {
      fewest = Math.min(fewest, await session.countEntities("", signal));
    };
    return {
      during: count,
      finish: async () => {
        await count();
        await session.call("second_look", signal);
        const moved = await session.countEntities(",tag=tickmark_moved", signal);
        return [
          { key: aliveKey, expected, actual: fewest, unit: "entities" },
          {
            key: "entities_moved",
            expected: Math.ceil(expected * movingShare),
            actual: moved,
            unit: "entities",
          },
        ];
      },
    };
  };

/** Only counts the entities: the largest load has too many for a function to look at each. */
const watchCount =
  (perBatch: number, aliveKey: string): TickLoad["watchRung"] =>
  async (session, batches, signal) => ({
    during: async () => undefined,
    finish: async () => [
      {
        key: aliveKey,
        expected: batches * perBatch,
        actual: await session.countEntities("", signal),
        unit: "entities",
      },
    ],
  });

const entities = (perBatch: number) => ({
  category: "entities" as const,
  perBatch,
  metric: "entity_ticks_per_ms",
  operationsPerTick: 1,
  metrics: (load: number) => ({ entity_count: load }),
});

/** Zombies, villagers and cows in lit rooms of a fixed size, so that they do not crowd. */
export const mobLoad: TickLoad = {
  ...entities(mobsPerBatch),
  id: "entities_ai",
  name: "Mobs that seek and flee",
  unit: "entities",
  batches: { standard: 40, first: 8, most: cells * batchesPerCell },
  build: buildIn("ai_room", "ai"),
  // Less than 1, because a mob may be back at its old place.
  watch: watchEntities(mobsPerBatch, "entities_alive_mid_run", 0.8),
  watchRung: watchCount(mobsPerBatch, "entities_alive_mid_run"),
};

/** Items that never merge or vanish, moved by bubble columns. */
export const itemLoad: TickLoad = {
  ...entities(itemsPerBatch),
  id: "entities_items",
  name: "Items on a moving floor",
  unit: "items",
  batches: { standard: 64, first: 8, most: cells * batchesPerCell },
  build: buildIn("items_room", "items"),
  watch: watchEntities(itemsPerBatch, "items_alive_mid_run", 0.95),
  watchRung: watchCount(itemsPerBatch, "items_alive_mid_run"),
};
