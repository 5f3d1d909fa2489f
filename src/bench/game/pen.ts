/**
 * An empty part of the End: no monster spawns without a player, and no weather or daylight changes the work.
 */
export const dimension = "minecraft:the_end";

const [originX, originY, originZ] = [512, 64, 512];
const chunkBlocks = 16;
/** In chunks: one command takes 256 at most. */
const [chunksWide, chunksDeep] = [16, 8];
/** A cell is one chunk. */
export const cells = chunksWide * chunksDeep;

export interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The corner of a cell with the least coordinates, `up` blocks above the pen's floor. */
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

/** Tests whether the chunks of the pen's two ends tick their entities. */
export const penIsLoaded: readonly string[] = [
  [originX, originZ],
  [farX, farZ],
].map(([x, z]) => `execute in ${dimension} if loaded ${x} ${originY} ${z}`);

/** Runs a function of the data pack with `~ ~ ~` at the corner. */
export const functionAt = (corner: Corner, name: string): string =>
  `execute in ${dimension} positioned ${positionOf(corner)} run function ${inPack(name)}`;

export const blockTest = (place: Corner, block: string): string =>
  `execute in ${dimension} if block ${positionOf(place)} ${block}`;

export const slotsAt = (place: Corner): string =>
  `execute in ${dimension} run data get block ${positionOf(place)} Items`;

/** The data pack's namespace, scoreboard objective and tags. */
export const packName = "tickmark";
export const inPack = (name: string): string => `${packName}:${name}`;
