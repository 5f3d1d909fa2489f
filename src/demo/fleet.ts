import type { PlanName } from "../core/access/plan.ts";
import type { Role } from "../core/access/scope.ts";
import type { GroupColor } from "../core/server/server-group.ts";
import type { DemoRun } from "./benchmark.ts";
import { serverProfile } from "./server-profile.ts";
import { common, demoRun, type AccountName, type ServerSpec } from "./server-spec.ts";
import { fabricVanilla, folia, purpur } from "./software.ts";
import { troubledSpecs } from "./troubled.ts";

export interface AccountSpec {
  readonly name: AccountName;
  readonly plan: PlanName;
  readonly role: Role;
  readonly groups: readonly [GroupSpec, GroupSpec];
}

interface GroupSpec {
  readonly name: string;
  readonly color: GroupColor;
}

const groups = (first: string, second: string): AccountSpec["groups"] => [
  { name: first, color: "green" },
  { name: second, color: "indigo" },
];

export const accountSpecs: readonly AccountSpec[] = [
  { name: "free", plan: "free", role: "user", groups: groups("At home", "Friends") },
  { name: "pro", plan: "pro", role: "user", groups: groups("Survival", "Creative") },
  { name: "hosting", plan: "hosting", role: "user", groups: groups("Customers", "Lab") },
  { name: "enterprise", plan: "enterprise", role: "user", groups: groups("Network", "Spare") },
  { name: "admin", plan: "enterprise", role: "admin", groups: groups("Operations", "Tests") },
];

const custom: Partial<DemoRun> = {
  mode: "custom",
  visibility: "unlisted",
  description: "Hoppers and the disk, nothing else.",
};
const stress: Partial<DemoRun> = {
  mode: "stresslimit",
  description: "How far it goes before ticks take too long.",
};
const published: Partial<DemoRun> = { visibility: "public" };
const before: Partial<DemoRun> = {
  settings: "before",
  description: "Before: default settings, view distance 12.",
};
const after: Partial<DemoRun> = {
  settings: "after",
  description: "After: view distance 7, Alternate Current, fewer monsters.",
  visibility: "public",
};

export const serverSpecs: readonly ServerSpec[] = [
  {
    ...common,
    account: "free",
    name: "Backyard",
    address: "backyard.example",
    profile: serverProfile(11, { peakPlayers: 5, cores: 4, heapMaxMb: 4096, liveSetMb: 1300 }),
    runs: [demoRun("throttled", 6, published), demoRun("throttled", 2), demoRun("throttled", 1, custom)],
  },
  {
    ...common,
    account: "free",
    name: "Attic",
    software: purpur,
    address: "backyard.example",
    port: 25_566,
    group: 1,
    profile: serverProfile(12, { peakPlayers: 3, cores: 4 }),
    runs: [demoRun("slowDisk", 9), demoRun("slowDisk", 3, { visibility: "unlisted" })],
  },
  {
    ...common,
    account: "pro",
    name: "Evergreen Survival",
    address: "play.evergreen.example",
    isPublic: true,
    outage: { hoursAgo: 9, minutes: 21 },
    profile: serverProfile(21, { peakPlayers: 38, msptPerPlayer: 0.62 }),
    runs: [
      // A verdict on a change takes three runs before it and three after it.
      demoRun("good", 14, before),
      demoRun("good", 13, { settings: "before" }),
      demoRun("good", 12, { settings: "before" }),
      demoRun("good", 11, after),
      demoRun("good", 10, { settings: "after" }),
      demoRun("good", 9, { settings: "after" }),
      demoRun("good", 4, { ...stress, visibility: "public" }),
      demoRun("good", 1, custom),
    ],
  },
  {
    ...common,
    account: "pro",
    name: "Evergreen Creative",
    software: purpur,
    address: "creative.evergreen.example",
    group: 1,
    life: "stopped",
    profile: serverProfile(22, { peakPlayers: 9 }),
    runs: [demoRun("good", 20, published), demoRun("good", 8)],
  },
  {
    ...common,
    account: "hosting",
    name: "Foundry SMP",
    address: "foundry.example",
    isPublic: true,
    bootedHoursAgo: 190,
    slowed: { minutesAgo: 183, factor: 2 },
    historyDays: 14,
    profile: serverProfile(31, {
      peakPlayers: 64,
      idleMspt: 23,
      msptPerPlayer: 0.21,
      spikeShare: 0.05,
      leakMbPerHour: 14,
      heapMaxMb: 10_240,
      liveSetMb: 4500,
      containerLimitMb: 12_288,
    }),
    runs: [
      demoRun("throttled", 15, published),
      demoRun("slowDisk", 14, published),
      demoRun("throttled", 3, stress),
    ],
  },
  {
    ...common,
    account: "hosting",
    name: "Worldgen Lab",
    address: "lab.foundry.example",
    group: 1,
    bootedHoursAgo: 25,
    profile: serverProfile(32, { kind: "recording", peakPlayers: 1 }),
    runs: [demoRun("slowDisk", 5, { visibility: "unlisted" }), demoRun("good", 2, published)],
  },
  {
    ...common,
    account: "hosting",
    name: "Old Mill",
    software: fabricVanilla,
    pluginVersion: "1.4.2",
    address: "oldmill.example",
    bootedHoursAgo: 700,
    profile: serverProfile(33, {
      kind: "old_plugin",
      tellsPause: false,
      peakPlayers: 12,
      cores: 4,
      heapMaxMb: 6144,
      containerLimitMb: null,
    }),
    runs: [demoRun("slowDisk", 30), demoRun("slowDisk", 29)],
  },
  {
    ...common,
    account: "enterprise",
    name: "Archipelago",
    software: folia,
    address: "archipelago.example",
    isPublic: true,
    crowded: { minutesAgo: 260, factor: 1.9 },
    historyDays: 6,
    profile: serverProfile(41, {
      kind: "folia",
      peakPlayers: 110,
      idleMspt: 3,
      msptPerPlayer: 0.8,
      cores: 32,
      heapMaxMb: 24_576,
      liveSetMb: 6200,
      containerLimitMb: 32_768,
      disk: { totalMb: 122_880, freeMb: 8900 },
    }),
    runs: [
      demoRun("good", 10, published),
      demoRun("good", 7, { ...stress, visibility: "public" }),
      demoRun("good", 2),
    ],
  },
  {
    ...common,
    account: "enterprise",
    name: "Harbour",
    address: "harbour.example",
    profile: serverProfile(42, { peakPlayers: 52, idleMspt: 4, msptPerPlayer: 0.31, utcOffsetHours: -5 }),
    runs: [demoRun("good", 6, { ...before, visibility: "unlisted" }), demoRun("good", 5, after)],
  },
  {
    ...common,
    account: "enterprise",
    name: "Night Owls",
    address: "owls.example",
    emptySinceHoursAgo: 3,
    profile: serverProfile(43, { peakPlayers: 7, utcOffsetHours: 9 }),
    runs: [demoRun("throttled", 13, published), demoRun("throttled", 4, custom)],
  },
  {
    ...common,
    account: "enterprise",
    name: "Spare Blade",
    address: "spare.example",
    group: 1,
    life: "silent",
    profile: serverProfile(44),
    runs: [],
  },
  ...troubledSpecs,
  {
    ...common,
    account: "admin",
    name: "Operations",
    address: "ops.tickmark.example",
    profile: serverProfile(51, { peakPlayers: 6 }),
    runs: [demoRun("good", 3, published), demoRun("slowDisk", 1)],
  },
];
