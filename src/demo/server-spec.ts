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

export interface ServerSpec {
  readonly account: AccountName;
  readonly name: string;
  readonly software: Software;
  readonly pluginVersion: string;
  readonly address: string;
  readonly port: number;
  readonly isPublic: boolean;
  /** Index of one of the account's two groups; null: no group. */
  readonly group: 0 | 1 | null;
  /** `silent` never sent anything; `stopped` announced it; `down` sends no more; `hung` does not tick. */
  readonly life: "live" | "stopped" | "silent" | "down" | "hung";
  readonly bootedHoursAgo: number;
  readonly emptySinceHoursAgo: number | null;
  /** The network was cut for this time: a gap in the series. */
  readonly outage: { readonly hoursAgo: number; readonly minutes: number } | null;
  /** The factor on the duration of its ticks, and on the entities of its worlds. */
  readonly slowed: AgedRise | null;
  readonly crowded: AgedRise | null;
  /** It has measured nothing since then. */
  readonly silentMinutesAgo: number | null;
  /** Whole days (UTC) before the day of the start that have samples. */
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
