import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inPack, packName } from "./pen.ts";

/** The ticks of a redstone line's clock; the line is powered in the first half. */
export const clockTicks = 12;
/** Redstone lines in a batch, and the dust of a line, which changes with the lamp at its end. */
export const linesPerBatch = 8;
export const dustPerLine = 13;
export const hoppersPerChain = 8;
export const chainsPerBatch = 8;
export const mobsPerBatch = 16;
export const itemsPerBatch = 64;

/** Kinds that seek and flee one another: zombies hunt villagers, which run from them; cows wander. */
const mobs = ["zombie", "villager", "cow", "zombie", "villager", "cow", "zombie", "villager"];
/** The number of entities is the load: none may die, or be removed because no player is near. */
const mobData =
  `{Tags:["${packName}"],PersistenceRequired:1b,Silent:1b,DeathLootTable:"minecraft:empty",` +
  `active_effects:[{id:"minecraft:resistance",amplifier:4b,duration:-1,show_particles:0b}]}`;

const items = [
  ..."stone granite diorite andesite dirt cobblestone sand gravel oak_log glass sponge bricks".split(" "),
  ..."obsidian ice clay pumpkin".split(" "),
];
/** Never picked up, merged or too old. Old versions read `Count`, new ones `count`. */
const itemData = (id: string): string =>
  `{Tags:["${packName}"],PickupDelay:32767s,Age:-32768s,Item:{id:"minecraft:${id}",Count:1b,count:1}}`;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** A closed room in a cell, four blocks high inside. */
const room = ["fill ~ ~-1 ~ ~15 ~4 ~15 minecraft:glass hollow"];

/** A place in a room, on a grid with `side` places on each side. */
const onGrid = (index: number, side: number, gap: number, first: number): string =>
  `~${first + (index % side) * gap} ~ ~${first + Math.floor(index / side) * gap}`;

const redstoneBatch: readonly string[] = [
  `fill ~ ~-1 ~ ~${dustPerLine + 1} ~-1 ~${2 * linesPerBatch - 2} minecraft:stone`,
  ...range(linesPerBatch).flatMap((line) => [
    `fill ~1 ~ ~${2 * line} ~${dustPerLine} ~ ~${2 * line} minecraft:redstone_wire`,
    `setblock ~${dustPerLine + 1} ~ ~${2 * line} minecraft:redstone_lamp`,
  ]),
];

/** Batches take turns, so that the load is spread over the ticks of the clock. */
const phaseTag = (phase: number): string => `${packName}_phase_${phase}`;
const markBatch = (phase: number): readonly string[] => [
  `function ${inPack("redstone")}`,
  `summon minecraft:marker ~ ~ ~ {Tags:["${packName}","${phaseTag(phase)}"]}`,
];

const switchLines = (phase: number, at: number, block: string): string =>
  `execute if score #clock ${packName} matches ${at} at @e[type=minecraft:marker,tag=${phaseTag(phase)}] ` +
  `run fill ~ ~ ~ ~ ~ ~${2 * linesPerBatch - 2} minecraft:${block}`;

/** Runs every tick: counts ticks, and switches the redstone lines whose turn it is. */
const everyTick: readonly string[] = [
  `scoreboard players add #ticks ${packName} 1`,
  `scoreboard players add #clock ${packName} 1`,
  `execute if score #clock ${packName} matches ${clockTicks}.. run scoreboard players set #clock ${packName} 0`,
  ...range(clockTicks).flatMap((phase) => [
    switchLines(phase, phase, "redstone_block"),
    switchLines(phase, (phase + clockTicks / 2) % clockTicks, "air"),
  ]),
];

const slots = 27;
/** A full barrel, a row of hoppers below it, and an empty barrel at the end of the row. */
const hopperBatch: readonly string[] = [
  "setblock ~ ~1 ~ minecraft:barrel",
  ...range(slots).map((slot) => `item replace block ~ ~1 ~ container.${slot} with minecraft:cobblestone 64`),
  ...range(chainsPerBatch - 1).map((chain) => `clone ~ ~1 ~ ~ ~1 ~ ~ ~1 ~${chain + 1}`),
  `fill ~${hoppersPerChain} ~ ~ ~${hoppersPerChain} ~ ~${chainsPerBatch - 1} minecraft:barrel`,
  `fill ~ ~ ~ ~${hoppersPerChain - 1} ~ ~${chainsPerBatch - 1} minecraft:hopper[facing=east]`,
];

const ours = `@e[tag=${packName}]`;
const lookAt = (which: string, kept: string): string =>
  `execute as ${ours} store result score @s ${packName}_${kept} run data get entity @s Pos[${which}] 1000`;
const hasMoved = (axis: string): string =>
  `execute as ${ours} unless score @s ${packName}_${axis} = @s ${packName}_${axis}2 run tag @s add ${packName}_moved`;
const axes = [
  ["0", "x"],
  ["1", "y"],
  ["2", "z"],
] as const;

/** The functions of the pack by name, each far below the game's limit of 65,536 commands. */
const functions: Readonly<Record<string, readonly string[]>> = {
  setup: [
    ...["", ...axes.flatMap(([, axis]) => [`_${axis}`, `_${axis}2`])].map(
      (name) => `scoreboard objectives add ${packName}${name} dummy`,
    ),
    `scoreboard players set #ticks ${packName} 0`,
    `scoreboard players set #clock ${packName} 0`,
  ],
  tick: everyTick,
  clear_cell: ["fill ~ ~-2 ~ ~15 ~11 ~15 minecraft:air"],
  ai_room: [...room, "fill ~1 ~-1 ~1 ~14 ~-1 ~14 minecraft:sea_lantern"],
  items_room: [
    "fill ~ ~-2 ~ ~15 ~4 ~15 minecraft:glass hollow",
    "fill ~1 ~-1 ~1 ~14 ~-1 ~14 minecraft:soul_sand",
    "fill ~1 ~ ~1 ~14 ~1 ~14 minecraft:bubble_column[drag=false]",
  ],
  ai: range(mobsPerBatch).map(
    (index) => `summon minecraft:${mobs[index % mobs.length]} ${onGrid(index, 4, 3, 2.5)} ${mobData}`,
  ),
  items: range(itemsPerBatch).map(
    (index) =>
      `summon minecraft:item ${onGrid(index, 8, 1.5, 2.5)} ${itemData(items[index % items.length] ?? "stone")}`,
  ),
  redstone: redstoneBatch,
  ...Object.fromEntries(range(clockTicks).map((phase) => [`redstone_${phase}`, markBatch(phase)])),
  hoppers: hopperBatch,
  first_look: [`tag ${ours} remove ${packName}_moved`, ...axes.map(([which, axis]) => lookAt(which, axis))],
  second_look: [
    ...axes.map(([which, axis]) => lookAt(which, `${axis}2`)),
    ...axes.map(([, axis]) => hasMoved(axis)),
  ],
};

/** The format of the first version with `tick`. Later games read the range, in its old or new words. */
const [firstFormat, lastFormat] = [26, 9999];
const description = {
  pack: {
    description: "The loads of tickmark bench",
    pack_format: firstFormat,
    supported_formats: [firstFormat, lastFormat],
    min_format: firstFormat,
    max_format: lastFormat,
  },
};

/** Games before 1.21 read `functions`, later ones `function`; each ignores the other folder. */
const functionFolders = ["function", "functions"];

export async function writeDataPack(world: string): Promise<void> {
  const root = join(world, "datapacks", packName);
  await writeIn(root, "pack.mcmeta", JSON.stringify(description));
  for (const folder of functionFolders) {
    const tag = JSON.stringify({ values: [inPack("tick")] });
    await writeIn(join(root, "data", "minecraft", "tags", folder), "tick.json", tag);
    for (const [name, lines] of Object.entries(functions))
      await writeIn(join(root, "data", packName, folder), `${name}.mcfunction`, `${lines.join("\n")}\n`);
  }
}

async function writeIn(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}
