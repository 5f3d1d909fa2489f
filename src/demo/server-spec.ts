import type { DemoRun } from "./benchmark.ts";
import type { HostName } from "./benchmark-hosts.ts";
import type { ServerProfile, Simulated } from "./server-profile.ts";
import { paper, type Software } from "./software.ts";
import { hourMs, minuteMs, type Instant } from "../core/time.ts";

export type AccountName = "free" | "pro" | "hosting" | "enterprise" | "admin";

interface AgedRise {
  readonly minutesAgo: number;
  readonly factor: number;
}

/** One game server of the demo. */
export interface ServerSpec {
  readonly account: AccountName;
  readonly name: string;
  readonly software: Software;
  readonly pluginVersion: string;
  readonly address: string;
  readonly port: number;
  readonly isPublic: boolean;
  /** Which of the account's two groups it is sorted into. */
  readonly group: 0 | 1 | null;
  /**
   * `silent` was linked and never sent anything; `stopped` announced a clean stop; `down` sends nothing any more, and
   * `hung` says in each heartbeat that the game does not tick.
   */
  readonly life: "live" | "stopped" | "silent" | "down" | "hung";
  readonly bootedHoursAgo: number;
  readonly emptySinceHoursAgo: number | null;
  /** The network was cut that long ago, for so many minutes: a gap in the series. */
  readonly outage: { readonly hoursAgo: number; readonly minutes: number } | null;
  /** Its ticks, or the entities of its worlds: so many times as much since then. */
  readonly slowed: AgedRise | null;
  readonly crowded: AgedRise | null;
  /** It measures nothing since then. */
  readonly silentMinutesAgo: number | null;
  /** Whole days (UTC) before that of the start of which five minutes each are known. */
  readonly historyDays: number;
  readonly profile: ServerProfile;
  readonly runs: readonly DemoRun[];
}

export const demoRun = (host: HostName, daysAgo: number, differences: Partial<DemoRun> = {}): DemoRun => ({
  host,
  daysAgo,
  mode: "standard",
  settings: "ordinary",
  description: null,
  visibility: "private",
  ...differences,
});

/** What most servers have in common. */
export const common = {
  software: paper,
  pluginVersion: "1.10.2",
  port: 25_565,
  isPublic: false,
  group: 0,
  life: "live",
  bootedHoursAgo: 61,
  emptySinceHoursAgo: null,
  outage: null,
  slowed: null,
  crowded: null,
  silentMinutesAgo: null,
  historyDays: 0,
} as const;

/** A server of the fleet in a run of the demo that begins at `start`. */
export function simulatedOf(spec: ServerSpec, start: Instant): Simulated {
  const { profile, bootedHoursAgo, emptySinceHoursAgo, slowed, crowded, silentMinutesAgo } = spec;
  const rise = (aged: AgedRise | null): Simulated["slowed"] =>
    aged && { at: start - aged.minutesAgo * minuteMs, factor: aged.factor };
  return {
    profile,
    bootedAt: start - bootedHoursAgo * hourMs,
    emptySince: emptySinceHoursAgo === null ? null : start - emptySinceHoursAgo * hourMs,
    slowed: rise(slowed),
    crowded: rise(crowded),
    silentFrom: silentMinutesAgo === null ? null : start - silentMinutesAgo * minuteMs,
  };
}
