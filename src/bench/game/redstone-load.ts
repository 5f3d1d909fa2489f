import { clockTicks, dustPerLine, linesPerBatch } from "./data-pack.ts";
import type { TickLoad } from "./load.ts";
import { blockTest, cells, cornerOf, type Corner } from "./pen.ts";
import type { GameSession } from "./session.ts";

/** Floors of lines above one another, and their distance in blocks. */
const floors = 4;
const floorHeight = 3;

/** The dust of a line and its lamp change when the line is switched on, and again when it is off. */
const changesPerCycle = 2 * (dustPerLine + 1);
const changesPerTick = changesPerCycle / clockTicks;

const placeOf = (batch: number): { readonly cell: number; readonly corner: Corner } => {
  const cell = batch % cells;
  return { cell, corner: cornerOf(cell, Math.floor(batch / cells) * floorHeight) };
};

const build: TickLoad["build"] = async (session, batches, signal) => {
  for (let batch = 0; batch < batches; batch += 1) {
    const { cell, corner } = placeOf(batch);
    await session.callAt(cell, corner, `redstone_${batch % clockTicks}`, signal);
  }
};

/** Lines that are looked at, each in another batch if there are enough. */
const sampledLines = 8;
/** A lamp goes out four ticks after its line, so the looks are spread over the whole clock. */
const ticksBetweenLooks = 2;
const litUntil = clockTicks / 2;
const darkFrom = litUntil + 4;

interface Sample {
  readonly test: string;
  readonly phase: number;
  lit: boolean;
  dark: boolean;
  wrong: boolean;
}

function samplesOf(batches: number): Sample[] {
  return Array.from({ length: sampledLines }, (_, index) => {
    const batch = Math.floor((index * batches) / sampledLines);
    const { corner } = placeOf(batch);
    const lamp = { x: corner.x + dustPerLine + 1, y: corner.y, z: corner.z + 2 * (index % linesPerBatch) };
    const test = blockTest(lamp, "minecraft:redstone_lamp[lit=true]");
    return { test, phase: batch % clockTicks, lit: false, dark: false, wrong: false };
  });
}

/** The share of sampled lines whose lamps were lit and dark at the right times, in one turn of the clock. */
async function switchingShare(session: GameSession, batches: number, signal: AbortSignal): Promise<number> {
  const samples = samplesOf(batches);
  for (let looks = clockTicks / ticksBetweenLooks; looks > 0; looks -= 1) {
    await session.step(ticksBetweenLooks, signal);
    const clock = await session.score("#clock", signal);
    for (const sample of samples) {
      const since = (clock - sample.phase + clockTicks) % clockTicks;
      if (since >= litUntil && since < darkFrom) continue;
      const isLit = await session.passes(sample.test, signal);
      if (isLit !== since < litUntil) sample.wrong = true;
      else if (isLit) sample.lit = true;
      else sample.dark = true;
    }
  }
  return samples.filter(({ lit, dark, wrong }) => lit && dark && !wrong).length / samples.length;
}

const watch: TickLoad["watch"] = async (session, batches, signal) => {
  const perTick = batches * linesPerBatch * changesPerTick;
  const before = await session.ticksRun(signal);
  return {
    during: async () => undefined,
    finish: async (ticks) => {
      const ran = (await session.ticksRun(signal)) - before;
      const share = await switchingShare(session, batches, signal);
      return [
        {
          key: "redstone_updates",
          expected: Math.round(perTick * ticks),
          actual: Math.round(perTick * Math.min(ran, ticks) * share),
          unit: "updates",
        },
      ];
    },
  };
};

export const redstoneLoad: TickLoad = {
  id: "mechanics_redstone",
  name: "Redstone lines on a clock",
  category: "mechanics",
  unit: "lines",
  perBatch: linesPerBatch,
  batches: { standard: 24, first: 3, most: cells * floors },
  metric: "updates_per_ms",
  operationsPerTick: changesPerTick,
  build,
  watch,
  watchRung: watch,
};
