import type { Instant } from "../core/time.ts";

/** How a simulated game server is built and used; equal characters behave alike. */
export interface ServerProfile {
  readonly seed: number;
  /**
   * `usual` reports every field, `folia` adds regions, `old_plugin` knows few fields, and `recording` replays
   * a real server's tick figures.
   */
  readonly kind: "usual" | "folia" | "old_plugin" | "recording";
  /** The time zone of its players: their evening is its peak. */
  readonly utcOffsetHours: number;
  readonly peakPlayers: number;
  /** A tick of the empty server, and what each player adds, ms. */
  readonly idleMspt: number;
  readonly msptPerPlayer: number;
  /** The share of samples with one slow tick in them. */
  readonly spikeShare: number;
  readonly cores: number;
  readonly heapMaxMb: number;
  /** The live set after a collection on the empty server. */
  readonly liveSetMb: number;
  /** How much the live set grows each hour since the boot: a leak. */
  readonly leakMbPerHour: number;
  readonly containerLimitMb: number | null;
  /** What other programs use of the machine, percent. */
  readonly othersPercent: number;
  /** The share of the time that collections of a full heap stop the game, beside those of every heap. */
  readonly collectingShare: number;
  /** From plugin 1.10.0 on a sample holds whether the server is paused because it is empty. */
  readonly tellsPause: boolean;
}

/** From then on, so many times as much. */
export interface Rise {
  readonly at: Instant;
  readonly factor: number;
}

/** A server with that profile in one run of the demo. */
export interface Simulated {
  readonly profile: ServerProfile;
  readonly bootedAt: Instant;
  /** The last player left then and none came back; null: players come and go. */
  readonly emptySince: Instant | null;
  /** Its ticks take longer since an update. */
  readonly slowed: Rise | null;
  /** Its worlds hold more entities with as many players. */
  readonly crowded: Rise | null;
  /** It measures nothing from then on: it hangs, or is down. */
  readonly silentFrom: Instant | null;
}

/** A server of which nothing is known but its profile and its boot. */
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

/** How many times as long a tick takes. */
export const slownessAt = ({ slowed }: Simulated, at: Instant): number => riseFactor(slowed, at);

/** How many times as many entities there are. */
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
