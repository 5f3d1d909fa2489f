import type { Instant } from "../core/time.ts";
import type { SampleBody } from "../outbound/plugin-client.ts";
import { chance, drift, rounded } from "./chance.ts";
import type { ServerProfile } from "./server-profile.ts";
import { tickFigures, type TickFigures } from "./ticks.ts";

/** The plugin lists this many regions and counts the rest. */
const listed = 6;
/** Regions keep their identity until they merge or split, here every two hours. */
const regionLifeMs = 2 * 60 * 60 * 1000;
/** All farms are in the first region, and its ticks take this many times as long. */
const farmFactor = 1.9;

interface Region {
  readonly index: number;
  readonly players: number;
  readonly chunks: number;
  readonly entities: number;
  readonly ticks: TickFigures;
}

type RegionFields = Pick<
  SampleBody,
  | "region_source"
  | "region_count"
  | "tps_region_avg"
  | "mspt_region_avg"
  | "regions_omitted"
  | "regions"
  | keyof TickFigures
>;

/** Players stay together in towns of four or five, and each town is a region that ticks on its own. */
function regionsOf({ seed, idleMspt, msptPerPlayer }: ServerProfile, players: number, at: Instant): Region[] {
  const count = 3 + Math.floor(players / 4);
  return Array.from({ length: count }, (_, index) => {
    const here = Math.floor((players + index) / count);
    const crowd = 1 + 0.9 * drift(seed, `crowd${index}`, at, regionLifeMs / 4);
    const chunks = 180 + Math.round(here * 140 + 90 * crowd);
    const work = (idleMspt + msptPerPlayer * (here + 1) * crowd * 3) * (index === 0 ? farmFactor : 1);
    const ticks = tickFigures(work, 0, chance(seed, `unrest${index}`, at));
    return { index, players: here, chunks, entities: Math.round(chunks * 1.1 + here * 60), ticks };
  }).sort((a, b) => b.ticks.mspt - a.ticks.mspt);
}

const average = (values: readonly number[]): number =>
  rounded(values.reduce((sum, value) => sum + value, 0) / values.length, 2);

function shown(seed: number, { index, players, chunks, entities, ticks }: Region, at: Instant) {
  const life = Math.floor(at / regionLifeMs);
  const coordinate = (axis: string): number => Math.round(chance(seed, axis + index, life) * 12_000 - 6000);
  return {
    id: Math.floor(chance(seed, `id${index}`, life) * 90_000) + 10_000,
    world: index % 5 === 4 ? "world_nether" : "world",
    center_x: coordinate("x"),
    center_z: coordinate("z"),
    chunks,
    players,
    entities,
    ticks: Math.round(ticks.tps * 30),
    ticks_over_50ms: ticks.ticks_over_50ms,
    tps: ticks.tps,
    mspt: ticks.mspt,
    mspt_p95: ticks.mspt_p95,
    mspt_max: ticks.worst_tick_ms,
    lag_seconds: ticks.lag_seconds,
  };
}

/** The tick figures are those of the worst region. */
export function regionFields(profile: ServerProfile, players: number, at: Instant): RegionFields {
  const regions = regionsOf(profile, players, at);
  const ticks = regions.map((region) => region.ticks);
  const worst = (field: keyof TickFigures): number => Math.max(...ticks.map((figures) => figures[field]));
  return {
    tps: Math.min(...ticks.map(({ tps }) => tps)),
    mspt: worst("mspt"),
    mspt_p95: worst("mspt_p95"),
    worst_tick_ms: worst("worst_tick_ms"),
    ticks_over_50ms: worst("ticks_over_50ms"),
    lag_seconds: worst("lag_seconds"),
    region_source: "folia_regions",
    region_count: regions.length,
    tps_region_avg: average(ticks.map(({ tps }) => tps)),
    mspt_region_avg: average(ticks.map(({ mspt }) => mspt)),
    regions_omitted: Math.max(0, regions.length - listed),
    regions: regions.slice(0, listed).map((region) => shown(profile.seed, region, at)),
  };
}
