import type { EventRecord } from "../../../src/core/event/server-event.ts";
import type { FindingCode } from "../../../src/core/health/health.ts";
import type { Instant } from "../../../src/core/time.ts";
import { dice } from "../dice.ts";
import { dayMs, firstJudged, historyStart, slowHistory } from "../slow-histories.ts";

const [minute, hour] = [60_000, 3_600_000];

/** Four days are judged before the stretch that is delivered in different ways. */
export const stretchStart = firstJudged + 4 * dayMs + 14 * hour;
/** It crosses midnight (UTC). */
export const stretchEnd = stretchStart + 12 * hour;

/** `since` may be this far from the truth. */
const bucket = 5 * minute;

export interface PlantedEvent {
  readonly at: Instant;
  readonly type: string;
  readonly subject?: string;
}

/** What the rules promise of a history. */
export interface Promised {
  readonly code: FindingCode;
  /** When it truly began. */
  readonly since: Instant;
  readonly sinceWithin: number;
  /** Asked from here until `until`, the finding is there. */
  readonly from: Instant;
  readonly until: Instant;
  /** The change that explains it; null if none does. */
  readonly culprit: string | null;
  /** Not to be seen in samples and events that come later: only the heartbeats of the time say it. */
  readonly onlyLive?: boolean;
}

/** One server whose truth is known. */
export interface PlantedHistory {
  readonly kind: PlantedKind;
  readonly bootAt: Instant;
  readonly events: readonly PlantedEvent[];
  readonly promised: Promised | null;
  /** A finding of this code is false, if it is not promised. */
  readonly innocent: readonly string[];
  /** Null for a minute without a sample. */
  sampleAt(at: Instant): Readonly<Record<string, number>> | null;
  /** Since when the main thread hangs while the process goes on sending; null while it ticks. */
  hungSince(at: Instant): Instant | null;
}

interface Plant {
  readonly bootAt?: Instant;
  readonly events?: readonly PlantedEvent[];
  readonly promised?: Omit<Promised, "sinceWithin" | "until" | "culprit"> & Partial<Promised>;
  readonly slow?: {
    readonly at: Instant;
    readonly factor: number;
    readonly hours?: readonly [number, number];
  };
  readonly fields?: (at: Instant) => Readonly<Record<string, number>>;
  readonly isSilent?: (at: Instant) => boolean;
  readonly hang?: readonly [from: Instant, to: Instant];
}

const isIn = (from: Instant, to: Instant) => (at: Instant) => at >= from && at < to;

/** Harmless changes of other times: none of them is near a beginning. */
const innocents = ["QuietPaths", "TidyChat", "SlowLanterns", "PaperMaps"];
const innocentAround = (begun: Instant): PlantedEvent[] =>
  [-6, -2, 1, 4].map((hours, place) => ({
    at: begun + hours * hour + 17 * minute,
    type: "plugin_updated",
    subject: innocents[place] ?? "",
  }));

const culprit = "MarketStalls";
const updated = (at: Instant): PlantedEvent => ({ at, type: "plugin_updated", subject: culprit });

/** Each kind, planted at a time between 3 and 5 hours after the stretch began. */
const kinds = {
  none: (begun) => ({ events: innocentAround(begun) }),
  update: (begun) => ({
    slow: { at: begun, factor: 2 },
    events: [updated(begun - 3 * minute)],
    promised: { code: "slower_than_usual", since: begun, from: begun + 2 * hour, culprit },
  }),
  "several updates": (begun) => ({
    slow: { at: begun, factor: 2 },
    events: [updated(begun - 3 * minute), ...innocentAround(begun)],
    promised: { code: "slower_than_usual", since: begun, from: begun + 2 * hour, culprit },
  }),
  leak: () => {
    const bootAt = stretchStart - 4 * dayMs;
    return {
      bootAt,
      events: [
        { at: bootAt - 2 * minute, type: "plugin_updated", subject: culprit },
        { at: bootAt, type: "server_start" },
      ],
      fields: (at) =>
        at < bootAt ? {} : { heap_after_gc_mb: Math.round(1500 + ((at - bootAt) / dayMs) * 420) },
      promised: {
        code: "memory_growing",
        since: bootAt,
        sinceWithin: 6 * hour,
        from: stretchStart + hour,
        culprit,
      },
    };
  },
  throttle: (begun) => ({
    events: Array.from({ length: 16 }, (_, place) => ({
      at: begun + place * hour,
      type: "cpu_throttled",
    })).filter(({ at }) => at < stretchEnd),
    promised: { code: "cpu_throttled", since: begun, from: begun + 10 * minute },
  }),
  spikes: (begun) => ({
    fields: (at) =>
      at >= begun && Math.floor((at - begun) / minute) % 9 === 0 ? { worst_tick_ms: 1400 } : {},
    promised: { code: "tick_spikes", since: begun, from: begun + 30 * minute },
  }),
  hang: (begun) => ({
    hang: [begun, begun + 2 * hour],
    promised: {
      code: "server_unresponsive",
      since: begun,
      from: begun + 10 * minute,
      until: begun + 2 * hour - 5 * minute,
      onlyLive: true,
    },
  }),
  outage: (begun) => ({
    isSilent: isIn(begun, begun + 2 * hour),
    promised: {
      code: "server_down",
      since: begun,
      from: begun + 10 * minute,
      until: begun + 2 * hour,
    },
  }),
  "crash loop": (begun) => ({
    events: [0, 70, 150, 230].flatMap((minutes) => [
      { at: begun + minutes * minute, type: "server_crash" },
      { at: begun + (minutes + 2) * minute, type: "server_start" },
    ]),
    isSilent: (at) =>
      [0, 70, 150, 230].some((minutes) => isIn(begun + minutes * minute, begun + (minutes + 2) * minute)(at)),
    promised: { code: "crash_loop", since: begun, from: begun + 80 * minute },
  }),
  "evening lag": (begun) => ({
    slow: { at: firstJudged + dayMs, factor: 2, hours: [18, 22] },
    events: [updated(firstJudged + dayMs + 18 * hour - 3 * minute), ...innocentAround(begun)],
    promised: {
      code: "slower_than_usual",
      since: firstJudged + dayMs + 18 * hour,
      from: firstJudged + 4 * dayMs + 19.5 * hour,
      until: firstJudged + 4 * dayMs + 22 * hour,
      culprit,
    },
  }),
  "load lag": (begun) => ({
    events: innocentAround(begun),
    fields: (at) =>
      at >= begun && at < begun + 4 * hour ? { player_count: 130, mspt: 62, mspt_p95: 80 } : {},
    promised: { code: "tick_over_budget", since: begun, from: begun + 20 * minute, until: begun + 4 * hour },
  }),
  disk: (begun) => ({
    events: innocentAround(begun),
    fields: (at) => ({ disk_free_mb: at < begun ? 40_000 : 900, disk_total_mb: 50_000 }),
    promised: { code: "disk_nearly_full", since: begun, from: begun + 10 * minute },
  }),
} satisfies Readonly<Record<string, (begun: Instant) => Plant>>;

export type PlantedKind = keyof typeof kinds;
export const plantedKinds = Object.keys(kinds) as PlantedKind[];

/** The same for the same seed. `dayToDay`: how much its days differ. */
export function plantedHistory(kind: PlantedKind, seed: number, dayToDay = 0.05): PlantedHistory {
  const random = dice(seed);
  const begun = stretchStart + 3 * hour + Math.floor(random() * 24) * bucket;
  const plant: Plant = kinds[kind](begun);
  const buckets = slowHistory(seed, dayToDay, plant.slow);
  const { promised, events = [], bootAt = historyStart - dayMs } = plant;
  const hungSince = (at: Instant): Instant | null =>
    plant.hang !== undefined && isIn(...plant.hang)(at) ? plant.hang[0] : null;
  return {
    kind,
    bootAt,
    events: events.filter(({ at }) => at < stretchEnd),
    promised: promised ? { sinceWithin: bucket, until: stretchEnd, culprit: null, ...promised } : null,
    innocent: innocents,
    hungSince,
    sampleAt(at) {
      if (plant.isSilent?.(at) || hungSince(at) !== null) return null;
      const { value = 20, players = 0 } = buckets[Math.floor((at - historyStart) / bucket)] ?? {};
      const jitter = 1 + 0.04 * (dice(Math.floor(at / 1000) + seed)() - 0.5);
      const mspt = value * jitter;
      return {
        tps: Math.min(20, 1000 / mspt),
        mspt,
        mspt_p95: mspt * 1.3,
        worst_tick_ms: Math.round(mspt * 3),
        player_count: players,
        cpu_usage: 30,
        cpu_system: 40,
        ram_max_mb: 4096,
        heap_after_gc_mb: 1500,
        container_limit_mb: 8192,
        rss_mb: 5000,
        gc_stw_ms: 20,
        entity_count: 900 + players,
        ...plant.fields?.(at),
      };
    },
  };
}

export const eventRecord = (
  id: string,
  serverId: string,
  { at, type, subject }: PlantedEvent,
  receivedAt: Instant,
): EventRecord => ({
  id,
  serverId,
  localId: `${type}-${at}`,
  type,
  category: type.startsWith("server_") ? "lifecycle" : "custom",
  source: subject === undefined ? "server" : "tickmark",
  severity: "info",
  title: type,
  description: null,
  metadata: subject === undefined ? {} : { subject, from: "1.0", to: "1.1" },
  happenedAt: at,
  durationMs: null,
  receivedAt,
});
