import { hourMs, minuteMs, toTimestamp, type Instant } from "../core/time.ts";
import type { SampleBody } from "../outbound/plugin-client.ts";
import { chance, drift, rounded } from "./chance.ts";
import { crowdAt, slownessAt, type ServerProfile, type Simulated } from "./server-profile.ts";
import { recordedTicks } from "./recording.ts";
import { regionFields } from "./regions.ts";
import { tickFigures, type TickFigures } from "./ticks.ts";

export const sampleEveryMs = 30_000;

/** The game pauses an empty server after a minute. */
const pauseAfterMs = minuteMs;
/** The players' local time. */
const peakHour = 20.5;
const eveningWidthHours = 4.2;
/** In samples: one tick every five minutes takes longer, because of a full save. */
const saveEvery = 10;
/** The heap fills and is collected once in this time: eight samples. */
const heapCycleSeconds = 240;

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** The start of the pause at `at`; null while the server ticks. */
export function pausedSince({ profile, emptySince }: Simulated, at: Instant): Instant | null {
  if (!profile.tellsPause || emptySince === null || at < emptySince + pauseAfterMs) return null;
  return emptySince + pauseAfterMs;
}

export function playersAt({ profile, emptySince }: Simulated, at: Instant): number {
  if (emptySince !== null && at >= emptySince) return 0;
  const { seed, utcOffsetHours, peakPlayers } = profile;
  const local = new Date(at + utcOffsetHours * hourMs);
  const hour = local.getUTCHours() + local.getUTCMinutes() / 60;
  const fromPeak = Math.min(Math.abs(hour - peakHour), 24 - Math.abs(hour - peakHour));
  const evening = Math.exp(-((fromPeak / eveningWidthHours) ** 2));
  const weekend = [0, 6].includes(local.getUTCDay()) ? 1 : 0.8;
  const wander = 1 + 0.2 * drift(seed, "players", at, 20 * minuteMs);
  return Math.round(peakPlayers * weekend * (0.1 + 0.9 * evening) * wander);
}

function ticksAt(server: Simulated, players: number, at: Instant): TickFigures {
  const { seed, idleMspt, msptPerPlayer, spikeShare } = server.profile;
  const step = Math.floor(at / sampleEveryMs);
  const mood = 1 + 0.15 * drift(seed, "work", at, 7 * minuteMs);
  const unrest = chance(seed, "unrest", step);
  const work = (idleMspt + msptPerPlayer * players) * mood * slownessAt(server, at);
  const save = step % saveEvery === 0 ? work * 2.5 + 15 * unrest : 0;
  const spike = chance(seed, "spike", step) < spikeShare ? 110 + 700 * unrest ** 2 : 0;
  return tickFigures(work, Math.max(save, spike), unrest);
}

function worldFields(server: Simulated, players: number, at: Instant): Partial<SampleBody> {
  const { seed } = server.profile;
  const chunks = Math.round(1100 + players * 165 + 120 * drift(seed, "chunks", at, 15 * minuteMs));
  const usual = 620 + players * 74 + 140 * drift(seed, "entities", at, 9 * minuteMs);
  const entities = Math.round(usual * crowdAt(server, at));
  const world = (name: string, share: number) => ({
    name,
    players: Math.round(players * share),
    entities: Math.round(entities * share),
    chunks: Math.round(chunks * share),
  });
  return {
    player_count: players,
    entity_count: entities,
    loaded_chunks: chunks,
    tile_entities: Math.round(chunks * 0.9),
    ping_ms: players === 0 ? null : rounded(38 + 14 * drift(seed, "ping", at, 4 * minuteMs)),
    worlds_top: [world("world", 0.74), world("world_nether", 0.18), world("world_the_end", 0.08)],
  };
}

/** The heap climbs from its live set, and drops back to it with each collection. */
function memoryFields({ profile, bootedAt }: Simulated, players: number, at: Instant): Partial<SampleBody> {
  const { seed, heapMaxMb, liveSetMb, leakMbPerHour, containerLimitMb, collectingShare } = profile;
  const leaked = (leakMbPerHour * Math.max(0, at - bootedAt)) / hourMs;
  const live = between(liveSetMb + players * 28 + leaked, 0, heapMaxMb * 0.9);
  const seconds = at / 1000 + chance(seed, "cycle", 0) * heapCycleSeconds;
  const filled = (seconds % heapCycleSeconds) / heapCycleSeconds;
  const collected = filled * heapCycleSeconds < sampleEveryMs / 1000;
  const unrest = chance(seed, "gc", Math.floor(at / sampleEveryMs));
  const pause =
    (collected ? 14 + players * 0.5 + 20 * unrest : 0) +
    collectingShare * sampleEveryMs * (0.8 + 0.4 * unrest);
  return {
    ram_used_mb: rounded(live + (heapMaxMb - live) * 0.75 * filled),
    ram_max_mb: heapMaxMb,
    heap_after_gc_mb: Math.round(live),
    rss_mb: Math.round(heapMaxMb * 0.98 + 640 + 40 * drift(seed, "rss", at, hourMs)),
    container_limit_mb: containerLimitMb,
    gc_stw_ms: rounded(pause),
  };
}

/** Logs grow until they are packed. The largest world has three quarters of what is used. */
function diskFields({ seed, disk }: ServerProfile, at: Instant): Partial<SampleBody> {
  if (disk === null) return {};
  const free = Math.round(disk.freeMb + 120 * drift(seed, "disk", at, 6 * hourMs));
  const used = disk.totalMb - disk.freeMb;
  const [world, nether] = [Math.round(used * 0.75), Math.round(used * 0.15)];
  return {
    disk_free_mb: free,
    disk_total_mb: disk.totalMb,
    largest_world_mb: world,
    world_sizes: [
      { name: "world", size_mb: world },
      { name: "world_nether", size_mb: nether },
    ],
  };
}

/** One thread ticks; others generate chunks, talk to players and collect garbage. */
function cpuFields(
  { seed, cores, othersPercent }: ServerProfile,
  busy: number,
  players: number,
  at: Instant,
): Partial<SampleBody> {
  const helpers = 0.2 + players * 0.025 + 0.08 * drift(seed, "cpu", at, 3 * minuteMs);
  const used = between((100 * (busy + helpers)) / cores, 0.3, 100);
  const neighbours = othersPercent + 2.5 * drift(seed, "host", at, 11 * minuteMs);
  return {
    cpu_cores: cores,
    cpu_usage: rounded(used),
    cpu_system: rounded(between(used + neighbours, 0, 100)),
  };
}

/** An old plugin sends only figures that every server software gives. */
const oldFields = ["tps", "mspt", "player_count", "ram_used_mb", "ram_max_mb", "cpu_usage"] as const;

const asOldPlugin = (sample: SampleBody): SampleBody => ({
  sampled_at: sample.sampled_at,
  ...Object.fromEntries(oldFields.map((field) => [field, sample[field]])),
});

const notTicking = {
  tps: null,
  mspt: null,
  mspt_p95: null,
  worst_tick_ms: null,
  ticks_over_50ms: null,
  lag_seconds: null,
};

/** A recording leaves out fields that were not measured. */
function tickFields(server: Simulated, players: number, at: Instant): Partial<SampleBody> {
  const { profile } = server;
  switch (profile.kind) {
    case "recording":
      return { ...notTicking, ...recordedTicks(Math.floor(at / sampleEveryMs)) };
    case "folia":
      return regionFields(profile, players, at);
    case "usual":
    case "old_plugin":
      return ticksAt(server, players, at);
  }
}

/** The same server and instant give the same sample. */
export function sampleAt(server: Simulated, at: Instant): SampleBody {
  const { profile } = server;
  const players = playersAt(server, at);
  const paused = pausedSince(server, at);
  const ticks = paused === null ? tickFields(server, players, at) : notTicking;
  const busy = ((ticks.mspt ?? 0) * (ticks.tps ?? 0)) / 1000;
  const sample: SampleBody = {
    sampled_at: toTimestamp(at),
    ...ticks,
    ...worldFields(server, players, at),
    ...memoryFields(server, players, at),
    ...cpuFields(profile, busy, players, at),
    ...diskFields(profile, at),
    paused_empty: profile.tellsPause ? paused !== null : null,
    paused_since: paused === null ? null : toTimestamp(paused),
  };
  return profile.kind === "old_plugin" ? asOldPlugin(sample) : sample;
}

/** Null for an old plugin, which does not send it. */
export function lastTickAgeMs(server: Simulated, at: Instant): number | null {
  const { kind, seed } = server.profile;
  if (kind === "old_plugin") return null;
  if (server.silentFrom !== null && at >= server.silentFrom) return at - server.silentFrom;
  const paused = pausedSince(server, at);
  return paused === null ? Math.floor(chance(seed, "tick", at) * 50) : at - paused;
}
