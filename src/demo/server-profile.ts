import type { Instant } from "../core/time.ts";

export interface ServerProfile {
  readonly seed: number;
  /** `folia` adds regions, `old_plugin` has few fields, `recording` replays a real server's ticks. */
  readonly kind: "usual" | "folia" | "old_plugin" | "recording";
  /** The players' time zone, whose evening is the peak. */
  readonly utcOffsetHours: number;
  readonly peakPlayers: number;
  /** A tick of the empty server, and what each player adds, ms. */
  readonly idleMspt: number;
  readonly msptPerPlayer: number;
  /** The share of samples that have one slow tick. */
  readonly spikeShare: number;
  readonly cores: number;
  readonly heapMaxMb: number;
  /** After a collection on the empty server. */
  readonly liveSetMb: number;
  readonly leakMbPerHour: number;
  readonly containerLimitMb: number | null;
  /** The disk of its worlds; null where nobody measures it. */
  readonly disk: { readonly totalMb: number; readonly freeMb: number } | null;
  /** CPU use of other programs on the machine, %. */
  readonly othersPercent: number;
  /** The share of time that collections of a full heap stop the game, on top of ordinary pauses. */
  readonly collectingShare: number;
  /** False for plugins before 1.10.0, whose samples do not say that an empty server is paused. */
  readonly tellsPause: boolean;
}

/** From `at` on, a figure is `factor` times as large. */
export interface Rise {
  readonly at: Instant;
  readonly factor: number;
}

export interface Simulated {
  readonly profile: ServerProfile;
  readonly bootedAt: Instant;
  /** When the last player left for good; null: players come and go. */
  readonly emptySince: Instant | null;
  /** Ticks take longer since an update. */
  readonly slowed: Rise | null;
  /** Worlds hold more entities with as many players. */
  readonly crowded: Rise | null;
  /** From then on it measures nothing, because it hangs or is down. */
  readonly silentFrom: Instant | null;
}

export const simulatedFrom = (profile: ServerProfile, bootedAt: Instant): Simulated => ({
  profile,
  bootedAt,
  emptySince: null,
  slowed: null,
  crowded: null,
  silentFrom: null,
});

const riseFactor = (rise: Rise | null, at: Instant): number =>
  rise === null || at < rise.at ? 1 : rise.factor;

/** The factor on the duration of a tick. */
export const slownessAt = ({ slowed }: Simulated, at: Instant): number => riseFactor(slowed, at);

/** The factor on the number of entities. */
export const crowdAt = ({ crowded }: Simulated, at: Instant): number => riseFactor(crowded, at);

const ordinary: Omit<ServerProfile, "seed"> = {
  kind: "usual",
  utcOffsetHours: 1,
  peakPlayers: 24,
  idleMspt: 6,
  msptPerPlayer: 0.7,
  spikeShare: 0.01,
  cores: 8,
  heapMaxMb: 8192,
  liveSetMb: 2100,
  leakMbPerHour: 0,
  containerLimitMb: 10_240,
  disk: null,
  othersPercent: 3,
  collectingShare: 0,
  tellsPause: true,
};

export const serverProfile = (
  seed: number,
  differences: Partial<Omit<ServerProfile, "seed">> = {},
): ServerProfile => ({
  ...ordinary,
  ...differences,
  seed,
});
