import { serverProfile } from "./server-profile.ts";
import { common, demoRun, type ServerSpec } from "./server-spec.ts";

/** Servers of the largest account, each with a different problem. */
export const troubledSpecs: readonly ServerSpec[] = [
  // Crashed in the night and again after a restart. Nobody starts it, and no rule watches it.
  {
    ...common,
    account: "enterprise",
    name: "Lighthouse",
    address: "lighthouse.example",
    group: 1,
    life: "down",
    bootedHoursAgo: 5,
    silentMinutesAgo: 38,
    profile: serverProfile(45, { peakPlayers: 8 }),
    runs: [demoRun("good", 12)],
  },
  // Crashed once, and hangs now.
  {
    ...common,
    account: "enterprise",
    name: "Quarry",
    address: "quarry.example",
    group: 1,
    life: "hung",
    bootedHoursAgo: 7,
    silentMinutesAgo: 12,
    profile: serverProfile(46, { peakPlayers: 14 }),
    runs: [demoRun("slowDisk", 11)],
  },
  // Rented on an oversold machine.
  {
    ...common,
    account: "enterprise",
    name: "Smithy",
    address: "smithy.example",
    profile: serverProfile(47, {
      peakPlayers: 16,
      cores: 4,
      heapMaxMb: 6144,
      containerLimitMb: 6912,
      othersPercent: 82,
    }),
    runs: [demoRun("throttled", 8)],
  },
  // Its heap and its machine are too small.
  {
    ...common,
    account: "enterprise",
    name: "Cannery",
    address: "cannery.example",
    profile: serverProfile(48, {
      peakPlayers: 6,
      idleMspt: 33,
      msptPerPlayer: 0.1,
      cores: 1,
      heapMaxMb: 3072,
      liveSetMb: 2520,
      containerLimitMb: 6144,
      othersPercent: 6,
      collectingShare: 0.027,
    }),
    runs: [demoRun("throttled", 9)],
  },
];
