import { figure, numberAfter, type ServerAnswer } from "./rcon-figures.ts";

/** A region's figures are of its last 15 s (`CommandServerHealth` of Folia 1.21). */
const regionWindowMs = 15_000;
/** As many as the plugin API takes. */
const mostRegions = 64;

const regionHead = "Region around block [";
/** `w:'world',7,80,-9]`: world, x, y and z of the block in its middle. */
const block = /^(?:w:)?'?([^',\]]{1,120})'?,(-?\d{1,8}),-?\d{1,8},(-?\d{1,8})\]/;

/** The world's border and a margin, blocks: the plugin API's limit. */
const furthestBlock = 40_000_000;

const count = (value: number | undefined): number | null =>
  value !== undefined && Number.isInteger(value) ? value : null;

/** The slowest region gives `tps`. `mspt` needs all regions: one that is not listed may be the slowest. */
export function foliaAnswer(text: string): ServerAnswer | null {
  const lowest = numberAfter(text, "Lowest Region TPS: ");
  const total = numberAfter(text, "Total regions: ");
  if (lowest === undefined || count(total) === null || total === undefined) return null;
  const parts = text.split(regionHead).slice(1, mostRegions + 1);
  const regions = parts.flatMap((part) => {
    const details = part.slice(0, 500);
    const [, world = "", x, z] = block.exec(details) ?? [];
    if (x === undefined || z === undefined) return [];
    const within = Math.max(Math.abs(Number(x)), Math.abs(Number(z))) <= furthestBlock;
    if (!within || world.includes("\0") || !world.isWellFormed()) return [];
    const mspt = /(\d{1,6}[.,]\d{1,3}) MSPT/.exec(details)?.[1];
    const tps = /(\d{1,3}[.,]\d{1,3}) TPS/.exec(details)?.[1];
    return [
      {
        id: null,
        world,
        center_x: Number(x),
        center_z: Number(z),
        chunks: count(numberAfter(details, "Chunks: ")),
        players: count(numberAfter(details, "Players: ")),
        entities: count(numberAfter(details, "Entities: ")),
        tps: figure("tps", tps, regionWindowMs)[0]?.value ?? null,
        mspt: figure("mspt", mspt, regionWindowMs)[0]?.value ?? null,
      },
    ];
  });
  const times = regions.flatMap(({ mspt }) => (mspt === null ? [] : [mspt]));
  return {
    figures: [
      ...figure("tps", lowest, regionWindowMs),
      ...(times.length === total && total > 0 ? figure("mspt", Math.max(...times), regionWindowMs) : []),
    ],
    regions: {
      region_count: total,
      ...(regions.length > 0 && {
        region_source: "folia_regions" as const,
        regions_omitted: Math.max(0, total - regions.length),
        regions: regions.toSorted((a, b) => (a.tps ?? 20) - (b.tps ?? 20) || (b.mspt ?? 0) - (a.mspt ?? 0)),
      }),
    },
  };
}
