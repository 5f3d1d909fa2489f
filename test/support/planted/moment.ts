import { ReportedSample, sampleOf } from "../../../src/core/metric/reported-sample.ts";
import type { Instant } from "../../../src/core/time.ts";
import type { Announcement } from "../../../src/core/server/server.ts";
import { dice } from "../dice.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];

type Values = Readonly<Record<string, number | boolean>>;

/** What a server sends at a minute. */
export interface Beat {
  readonly sample: ReportedSample | null;
  readonly lastTickAgeMs: number;
  readonly announcement: Announcement | null;
}

/** A server that is in some state at a moment. */
export interface MomentServer {
  readonly name: string;
  /** The conditions that it is in, for the message of a test that fails. */
  readonly conditions: string;
  readonly bootAt: Instant;
  readonly isMonitored: boolean;
  /** Minutes from now that maintenance lasts; null without one. */
  readonly maintenanceMinutes: number | null;
  readonly events: readonly { readonly type: string; readonly at: Instant; readonly severity: string }[];
  /** Null where it sends nothing. */
  beatAt(at: Instant): Beat | null;
}

/** Adds fields to each sample from a time on. */
const loads: Readonly<Record<string, (random: () => number) => Values>> = {
  "slow ticks": (random) => ({ mspt: 52 + 60 * random(), mspt_p95: 140 }),
  "full heap": (random) => ({ heap_after_gc_mb: Math.round(4096 * (0.83 + 0.15 * random())) }),
  "full container": (random) => ({ rss_mb: Math.round(8192 * (0.9 + 0.09 * random())) }),
  spikes: () => ({ worst_tick_ms: 1800 }),
  "busy machine": (random) => ({ cpu_system: 92 + 8 * random(), cpu_usage: 60 }),
  collections: (random) => ({ gc_stw_ms: Math.round(1500 + 2000 * random()) }),
  "no tick times": () => ({}),
};

/** How its life stands at the moment. */
const lives = [
  "runs",
  "runs",
  "runs",
  "runs",
  "silent",
  "hung",
  "crashed",
  "crashed and back",
  "several crashes",
  "just started",
  "stopped",
  "paused",
  "never",
] as const;
type Life = (typeof lives)[number];

const pick = <T>(random: () => number, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

/** The same for the same seed. */
export function momentServer(seed: number, moment: Instant): MomentServer {
  const random = dice(seed * 7919);
  for (let throwaway = 0; throwaway < 3; throwaway += 1) random();
  const life: Life = pick(random, lives);
  const loadNames = Object.keys(loads).filter(() => random() < 0.22);
  const loadFrom = moment - Math.round(2 ** (3 + 7 * random())) * minute;
  const loadValues = Object.assign({}, ...loadNames.map((name) => loads[name]?.(random))) as Values;
  /** When its life changed: from seconds to hours ago. */
  const changed = moment - Math.round(2 ** (5 + 9 * random())) * second;
  const inMaintenance = random() < 0.1;
  const isMonitored = random() > 0.04;
  const usual = 12 + 20 * random();
  const players = Math.floor(40 * random());
  const isSlowNow = random() < 0.1;
  const bootAt =
    life === "just started" || life === "crashed and back" ? changed + 20 * second : moment - 20 * hour;
  const crashes =
    life === "several crashes"
      ? [changed - 100 * minute, changed - 40 * minute, changed]
      : life.startsWith("crashed")
        ? [changed]
        : [];
  const events = [
    ...crashes.flatMap((at) => [
      { type: "server_crash", at, severity: "error" },
      ...(life === "crashed" ? [] : [{ type: "server_start", at: at + 20 * second, severity: "info" }]),
    ]),
    ...(life === "just started" ? [{ type: "server_start", at: bootAt, severity: "info" }] : []),
  ];

  const valuesAt = (at: Instant): Values => {
    const mspt = usual * (0.95 + 0.1 * dice(Math.floor(at / minute) + seed)());
    const load = at >= loadFrom ? loadValues : {};
    const slow = isSlowNow && at > moment - minute ? { mspt: 77, mspt_p95: 99 } : {};
    const measured: Record<string, number | boolean> = {
      mspt,
      mspt_p95: mspt * 1.3,
      worst_tick_ms: 90,
      player_count: players,
      cpu_usage: 30,
      cpu_system: 40,
      ram_max_mb: 4096,
      ram_used_mb: 3000,
      heap_after_gc_mb: 1500,
      container_limit_mb: 8192,
      rss_mb: 5000,
      gc_stw_ms: 20,
      entity_count: 900,
      ...load,
      ...slow,
    };
    measured["tps"] = Math.min(20, 1000 / Number(measured["mspt"]));
    if (loadNames.includes("no tick times"))
      for (const field of ["tps", "mspt", "mspt_p95"]) delete measured[field];
    return life === "paused" && at >= changed ? { player_count: 0, paused_empty: true } : measured;
  };

  const isSilent = (at: Instant): boolean => {
    if (life === "never") return true;
    if (life === "just started") return at < bootAt && at > bootAt - 5 * minute;
    if (life === "silent" || life === "stopped" || life === "crashed") return at > changed;
    return crashes.some((crash) => at > crash && at < crash + 20 * second);
  };

  return {
    name: `Server ${String(seed).padStart(2, "0")}`,
    conditions: [life, ...loadNames, inMaintenance && "maintenance", !isMonitored && "off"]
      .filter(Boolean)
      .join(", "),
    bootAt,
    isMonitored,
    maintenanceMinutes: inMaintenance ? 60 : null,
    events,
    beatAt(at) {
      if (life === "stopped" && at > changed && at <= changed + minute)
        return { sample: null, lastTickAgeMs: 40, announcement: { kind: "stopped", at } };
      if (isSilent(at)) return null;
      if (life === "hung" && at > changed)
        return { sample: null, lastTickAgeMs: at - changed, announcement: null };
      const sampled_at = new Date(at).toISOString();
      const sample = ReportedSample.parse({ sampled_at, ...valuesAt(at) });
      return { sample, lastTickAgeMs: 40, announcement: null };
    },
  };
}

/** A sample as it is stored. */
export const storedSample = (at: Instant, sample: ReportedSample) => ({
  sampledAt: at,
  sample: sampleOf(sample),
  receivedAt: at,
});
