/**
 * Where the loads are built: chunks of the End between its main island and the outer ones, where the game generates
 * nothing. No monster spawns there without a player, no weather and no daylight changes the work from tick to tick.
 */
export const dimension = "minecraft:the_end";

const [originX, originY, originZ] = [512, 64, 512];
const chunkBlocks = 16;
/** The pen's chunks, in one command: the game takes 256 at most. */
const [chunksWide, chunksDeep] = [16, 8];
/** The pen is divided into cells of one chunk. */
export const cells = chunksWide * chunksDeep;

export interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The least corner of a cell, `up` blocks above the pen's floor. */
export function cornerOf(cell: number, up = 0): Corner {
  return {
    x: originX + (cell % chunksWide) * chunkBlocks,
    y: originY + up,
    z: originZ + Math.floor(cell / chunksWide) * chunkBlocks,
  };
}

const positionOf = ({ x, y, z }: Corner): string => `${x} ${y} ${z}`;

const farX = originX + chunksWide * chunkBlocks - 1;
const farZ = originZ + chunksDeep * chunkBlocks - 1;
export const addPen = `execute in ${dimension} run forceload add ${originX} ${originZ} ${farX} ${farZ}`;

/** Whether the chunks of the pen's two ends tick their entities. */
export const penIsLoaded: readonly string[] = [
  [originX, originZ],
  [farX, farZ],
].map(([x, z]) => `execute in ${dimension} if loaded ${x} ${originY} ${z}`);

/** A command that runs a function of the data pack with `~ ~ ~` at that corner. */
export const functionAt = (corner: Corner, name: string): string =>
  `execute in ${dimension} positioned ${positionOf(corner)} run function ${inPack(name)}`;

/** A command that tests the block at a place of the pen. */
export const blockTest = (place: Corner, block: string): string =>
  `execute in ${dimension} if block ${positionOf(place)} ${block}`;

export const slotsAt = (place: Corner): string =>
  `execute in ${dimension} run data get block ${positionOf(place)} Items`;

/** The namespace of the data pack, its scoreboard objective and its tags. */
export const packName = "tickmark";
export const inPack = (name: string): string => `${packName}:${name}`;
