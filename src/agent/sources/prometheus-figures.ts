import type { Measured } from "./source.ts";
import { readMetrics, type MetricLine } from "./prometheus-text.ts";

/** Counters since the server's start, as of one reading. */
export interface Counters {
  readonly at: number;
  readonly ticks: number;
  readonly tickSeconds: number;
  /** Ticks within the budget of 50 ms; null if no bucket ends there. */
  readonly inBudget: number | null;
}

const prefixes = ["mc_", "minecraft_", "jvm_memory_", "process_resident_memory_bytes"];

/** `counters` are for the next reading; `address` picks one of several servers. */
export function readExposition(
  text: string,
  address: { readonly host: string; readonly port: number },
  now: number,
): { readonly measured: Measured; readonly counters: Counters | null } {
  const lines = readMetrics(text, (name) => prefixes.some((prefix) => name.startsWith(prefix)));
  const byName = new Map<string, MetricLine[]>();
  for (const line of lines) {
    const alike = byName.get(line.name);
    if (alike) alike.push(line);
    else byName.set(line.name, [line]);
  }
  const all = (name: string): readonly MetricLine[] => byName.get(name) ?? [];
  return {
    measured: withoutUnknown({
      ...memory(all),
      ...unified(all),
      ...sladkoff(all),
      ...monitored(all, address),
    }),
    counters: tickCounters(all, now),
  };
}

type All = (name: string) => readonly MetricLine[];
type Some = { readonly [field in keyof Measured]: number | undefined };

const withoutUnknown = (some: Some): Measured =>
  Object.fromEntries(
    Object.entries(some).filter(([, value]) => value !== undefined && value >= 0 && value <= 1e12),
  );

const one = (lines: readonly MetricLine[]): number | undefined => {
  const [line] = lines;
  return line && Number.isFinite(line.value) && line.value >= 0 ? line.value : undefined;
};

const count = (lines: readonly MetricLine[]): number | undefined => {
  const value = one(lines);
  return value === undefined ? undefined : Math.round(value);
};

/** Summed over worlds, kinds and dimensions. */
const total = (lines: readonly MetricLine[]): number | undefined => {
  if (lines.length === 0) return undefined;
  const sum = lines.reduce((all, { value }) => all + value, 0);
  return Number.isFinite(sum) && sum >= 0 ? Math.round(sum) : undefined;
};

const labelled = (lines: readonly MetricLine[], label: string, value: string): readonly MetricLine[] =>
  lines.filter(({ labels }) => labels.get(label) === value);

const megabyte = 1024 * 1024;
const inMb = (bytes: number | undefined): number | undefined =>
  bytes === undefined ? undefined : bytes / megabyte;
const inWholeMb = (bytes: number | undefined): number | undefined =>
  bytes === undefined ? undefined : Math.round(bytes / megabyte);

/** The collectors of the Java client library, by old and new names. */
function memory(all: All): Some {
  const used = [...all("jvm_memory_bytes_used"), ...all("jvm_memory_used_bytes")];
  const max = [...all("jvm_memory_bytes_max"), ...all("jvm_memory_max_bytes")];
  return {
    ram_used_mb: inMb(one(labelled(used, "area", "heap"))),
    ram_max_mb: inWholeMb(one(labelled(max, "area", "heap"))),
    rss_mb: inWholeMb(one(all("process_resident_memory_bytes"))),
  };
}

/** sladkoff's minecraft-prometheus-exporter: nanoseconds over the last 100 ticks; −1 is unknown. */
function sladkoff(all: All): Some {
  const average = one(all("mc_tick_duration_average"));
  const tps = one(all("mc_tps"));
  const heap = (type: string): number | undefined => one(labelled(all("mc_jvm_memory"), "type", type));
  const [allocated, free] = [heap("allocated"), heap("free")];
  return withoutGaps({
    tps: tps === undefined || tps > 25 ? undefined : Math.min(tps, 20),
    mspt: average === undefined ? undefined : average / 1e6,
    player_count: total(all("mc_players_online_total")),
    loaded_chunks: total(all("mc_loaded_chunks_total")),
    entity_count: total(all("mc_entities_total")),
    ram_used_mb: inMb(allocated === undefined || free === undefined ? undefined : allocated - free),
    ram_max_mb: inWholeMb(heap("max")),
  });
}

/** UnifiedMetrics; its histogram of tick durations is `tickCounters`. */
const unified = (all: All): Some =>
  withoutGaps({
    player_count: count(all("minecraft_players_count")) ?? total(all("minecraft_world_players_count")),
    loaded_chunks: total(all("minecraft_world_loaded_chunks")),
    entity_count: total(all("minecraft_world_entities_count")),
  });

/** itzg's mc-monitor. A server that does not answer has 0 players and is unhealthy, so it gives none. */
function monitored(all: All, { host, port }: { readonly host: string; readonly port: number }): Some {
  const healthy = all("minecraft_status_healthy");
  const isOurs = ({ labels }: MetricLine): boolean =>
    healthy.length === 1 ||
    (labels.get("server_port") === String(port) &&
      (labels.get("server_host") === host || labelled(healthy, "server_port", String(port)).length === 1));
  const isHealthy = healthy.filter(isOurs).every(({ value }) => value === 1) && healthy.some(isOurs);
  const players = all("minecraft_status_players_online_count").filter(isOurs);
  return withoutGaps({ player_count: isHealthy && players.length === 1 ? count(players) : undefined });
}

const withoutGaps = (some: Some): Some =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined));

/** A tick's budget as a bucket's `le`, s. */
const budget = 0.05;

function tickCounters(all: All, now: number): Counters | null {
  const ticks = one(all("minecraft_tick_duration_seconds_count"));
  const tickSeconds = one(all("minecraft_tick_duration_seconds_sum"));
  if (ticks === undefined || tickSeconds === undefined) return null;
  const within = all("minecraft_tick_duration_seconds_bucket").filter(
    ({ labels }) => Number(labels.get("le")) === budget,
  );
  return { at: now, ticks, tickSeconds, inBudget: one(within) ?? null };
}

/** A shorter span has too few ticks to count, a longer one is no sample, ms. */
const shortestMs = 5000;
const longestMs = 600_000;

/** A counter that went back means that the server was restarted. */
export function ticksBetween(before: Counters, now: Counters): Measured {
  const ticks = now.ticks - before.ticks;
  const seconds = now.tickSeconds - before.tickSeconds;
  const passedMs = now.at - before.at;
  if (ticks <= 0 || seconds < 0 || passedMs < shortestMs || passedMs > longestMs) return {};
  const tps = (ticks * 1000) / passedMs;
  const within = now.inBudget === null || before.inBudget === null ? null : now.inBudget - before.inBudget;
  return {
    mspt: (seconds * 1000) / ticks,
    ...(tps <= 25 && { tps: Math.min(20, Math.round(tps * 100) / 100) }),
    ...(within !== null && within >= 0 && within <= ticks && { ticks_over_50ms: Math.round(ticks - within) }),
  };
}
