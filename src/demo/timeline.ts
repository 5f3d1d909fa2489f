import { dayMs, hourMs, minuteMs, secondMs, toTimestamp, type Instant } from "../core/time.ts";
import type { EventBody, SampleBody } from "../outbound/plugin-client.ts";
import { occasionOf } from "./benchmark.ts";
import { chance, rounded } from "./chance.ts";
import type { Simulated } from "./server-profile.ts";
import type { ServerSpec } from "./server-spec.ts";
import { flagged, habitsOf, ownPlugin, players, staff, type TimelineEvent } from "./timeline-data.ts";
import { pausedSince, playersAt, sampleEveryMs } from "./load-profile.ts";

export interface Narrator {
  readonly spec: ServerSpec;
  readonly simulated: Simulated;
}

type Entry = TimelineEvent & { readonly at: Instant };

/** Most slow ticks of a day that become events, and the least duration of such a tick. */
const spikesListed = 4;
const spikeFromMs = 400;

/** Of equally slow ticks, the latest is kept. */
export const slowestOf = (samples: readonly SampleBody[]): SampleBody[] =>
  samples
    .filter(({ worst_tick_ms }) => Number(worst_tick_ms) >= spikeFromMs)
    .toSorted(
      (a, b) => Number(b.worst_tick_ms) - Number(a.worst_tick_ms) || (a.sampled_at < b.sampled_at ? 1 : -1),
    )
    .slice(0, spikesListed);

/** The events up to `start`, oldest first; the same arguments give the same events. */
export const timelineOf = (server: Narrator, slowest: readonly SampleBody[], start: Instant): EventBody[] =>
  [
    ...boots(server),
    ...lately(server, start),
    ...benchmarks(server, start),
    ...incidents(server, start),
    ...slowest.map((sample) => lagSpike(server, sample)),
    ...backup(server, start),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(sent);

const sent = ({ at, ...event }: Entry, index: number): EventBody => ({
  ...event,
  local_id: `${event.type}-${at}-${index}`,
  timestamp: toTimestamp(at),
});

const lifecycle = (type: string, severity: TimelineEvent["severity"], title: string) =>
  ({ type, category: "lifecycle", source: ownPlugin, severity, title }) as const;

function started({ spec: { software, profile } }: Narrator, bootedAt: Instant): Entry {
  const tookMs = 9000 + Math.floor(chance(profile.seed, "boot", bootedAt) * 16_000);
  return {
    ...lifecycle("server_start", "info", `Server started in ${rounded(tookMs / secondMs)} s`),
    at: bootedAt + tookMs,
    duration_ms: tookMs,
    metadata: {
      boot_timestamp: toTimestamp(bootedAt),
      software: `${software.type_name} ${software.game_version}`,
      plugins: software.plugin_count,
    },
  };
}

const stopped = (at: Instant, bootedAt: Instant): Entry => ({
  ...lifecycle("server_stop", "info", "Server stopped"),
  at,
  metadata: { by: "Console", command: "stop", uptime_seconds: Math.floor((at - bootedAt) / secondMs) },
});

const killed = (at: Instant, bootedAt: Instant): Entry => ({
  ...lifecycle("server_crash", "error", "Server crashed: the process was killed"),
  at,
  description: "It ended with status 137 and wrote no crash report.",
  metadata: { exit_status: 137, uptime_seconds: Math.floor((at - bootedAt) / secondMs) },
});

/** The last two boots, and the events between them. */
function boots(server: Narrator): Entry[] {
  const { spec, simulated } = server;
  const { endedBy } = habitsOf(spec.name);
  const { bootedAt, profile } = simulated;
  const { seed, heapMaxMb, liveSetMb, leakMbPerHour } = profile;
  const hours =
    endedBy === "crash" ? (heapMaxMb - liveSetMb) / leakMbPerHour : 72 + 96 * chance(seed, "up", 0);
  const earlier = bootedAt - Math.floor(hours * hourMs);
  return [
    started(server, earlier),
    ...ended(endedBy, earlier, bootedAt, heapMaxMb),
    started(server, bootedAt),
  ];
}

/** The events at the end of a boot; a crash comes when the leak has filled the heap. */
function ended(
  by: ReturnType<typeof habitsOf>["endedBy"],
  from: Instant,
  to: Instant,
  heapMaxMb: number,
): Entry[] {
  switch (by) {
    case "command":
      return [stopped(to - 4 * minuteMs, from)];
    case "restart":
      return [
        {
          ...lifecycle("restart", "info", "Scheduled restart in 60 seconds"),
          at: to - 85 * secondMs,
          metadata: { players_warned: true },
        },
        stopped(to - 25 * secondMs, from),
      ];
    case "kill":
      return [killed(to - 95 * secondMs, from)];
    case "crash": {
      const at = to - 95 * secondMs;
      return [
        {
          ...lifecycle(
            "server_crash",
            "error",
            "Server crashed: java.lang.OutOfMemoryError: Java heap space",
          ),
          at,
          description: "The process ended with status 1; the watchdog started it again.",
          metadata: {
            exit_status: 1,
            heap_max_mb: heapMaxMb,
            heap_used_mb: heapMaxMb - 38,
            uptime_seconds: Math.floor((at - from) / secondMs),
            crash_report: `crash-${toTimestamp(at).slice(0, 10)}-server.txt`,
          },
        },
      ];
    }
  }
}

function lately({ spec, simulated }: Narrator, start: Instant): Entry[] {
  const { life, outage, name } = spec;
  const { fresh } = habitsOf(name);
  const paused = pausedSince(simulated, start);
  const entries: Entry[] = [];
  if (life === "stopped") entries.push(stopped(start - 5 * secondMs, simulated.bootedAt));
  if (life === "down" && simulated.silentFrom !== null)
    entries.push(killed(simulated.silentFrom, simulated.bootedAt));
  if (fresh) entries.push({ ...fresh.event, at: start - fresh.minutesAgo * minuteMs });
  if (paused !== null) {
    const title = "Paused: nobody has been on for 60 seconds";
    entries.push({ ...lifecycle("server_paused", "info", title), at: paused, metadata: { players: 0 } });
  }
  if (outage) {
    entries.push({
      ...lifecycle("connection_restored", "warning", `No connection for ${outage.minutes} minutes`),
      at: start - outage.hoursAgo * hourMs + outage.minutes * minuteMs,
      description: "The measurements of that time are lost; the server itself went on.",
      duration_ms: outage.minutes * minuteMs,
    });
  }
  return entries;
}

const benchmarks = ({ spec: { profile, runs } }: Narrator, start: Instant): Entry[] =>
  runs.map((run) => {
    const { localId, startedAt, finishedAt } = occasionOf(profile, run, start);
    return {
      type: "benchmark_complete",
      category: "benchmark",
      source: ownPlugin,
      severity: "info",
      title: `Benchmark finished (${run.mode})`,
      description: run.description,
      metadata: { local_id: localId, benchmark_mode: run.mode },
      at: finishedAt,
      duration_ms: finishedAt - startedAt,
    };
  });

/** One incident a day per this many players at the peak. */
const playersAnIncident = 12;
const earlierDays = 6;

/** Half of the incidents are in the last day. All are at times when players were on. */
function incidents({ spec, simulated }: Narrator, start: Instant): Entry[] {
  const { seed, peakPlayers } = simulated.profile;
  const { banPlugin, antiCheat, incidents: usual } = habitsOf(spec.name);
  const count = Math.ceil(peakPlayers / playersAnIncident);
  const entries: Entry[] = [];
  for (let index = 0; index < 2 * count; index += 1) {
    const share = chance(seed, "incident", index);
    const ago = index < count ? share * dayMs : dayMs + share * earlierDays * dayMs;
    const at = start - Math.floor(ago);
    if (playersAt(simulated, at) < 2) continue;
    const figure = chance(seed, "figure", index);
    const people = peopleOf(seed, index);
    // Every third incident is the anti-cheat's, if there is one.
    const make = usual[(seed + index) % usual.length];
    if (antiCheat !== null && index % 3 === 2) entries.push({ ...flagged(people, antiCheat, figure), at });
    else if (make) entries.push({ ...make(people, banPlugin, figure), at });
  }
  return entries;
}

function peopleOf(seed: number, index: number) {
  const from = Math.floor(chance(seed, "people", 0) * players.length) + index;
  const named = (list: readonly string[], at: number): string => list[at % list.length] ?? "";
  return { player: named(players, from), other: named(players, from + 11), by: named(staff, index) };
}

/** The slowest tick is somewhere in the 30 seconds of its sample. */
function lagSpike({ simulated }: Narrator, sample: SampleBody): Entry {
  const sampledAt = Date.parse(sample.sampled_at);
  const tookMs = Math.round(Number(sample.worst_tick_ms));
  const at = sampledAt - Math.floor(chance(simulated.profile.seed, "tick", sampledAt) * sampleEveryMs);
  return {
    type: "lag_spike",
    category: "custom",
    source: ownPlugin,
    severity: "warning",
    title: `One tick took ${tookMs} ms`,
    metadata: { worst_tick_ms: sample.worst_tick_ms, mspt: sample.mspt, players: sample.player_count },
    at,
    duration_ms: tookMs,
  };
}

/** The last nightly backup, at four in the morning of its players' time zone. */
function backup({ simulated }: Narrator, start: Instant): Entry[] {
  const { seed, utcOffsetHours, peakPlayers, kind } = simulated.profile;
  if (kind === "old_plugin" || kind === "recording") return [];
  const four = (4 - utcOffsetHours) * hourMs;
  const at = Math.floor((start - four - 15 * minuteMs) / dayMs) * dayMs + four;
  const tookMs = 60_000 + Math.floor(peakPlayers * 3000 * (1 + chance(seed, "backup", at)));
  return [
    {
      type: "backup_complete",
      category: "custom",
      source: "DriveBackupV2",
      severity: "info",
      title: "Backup of 3 worlds finished",
      metadata: { worlds: 3, size_mb: Math.round(tookMs / 18) },
      at: at + tookMs,
      duration_ms: tookMs,
    },
  ];
}
