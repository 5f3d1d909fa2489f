import type { ReportPayload } from "../payload.ts";

/** Aikar's flags as the Paper documentation explains them, without the two heap sizes. */
export const aikarFlags = [
  "-XX:+UseG1GC",
  "-XX:+ParallelRefProcEnabled",
  "-XX:MaxGCPauseMillis=200",
  "-XX:+UnlockExperimentalVMOptions",
  "-XX:+DisableExplicitGC",
  "-XX:+AlwaysPreTouch",
  "-XX:G1NewSizePercent=30",
  "-XX:G1MaxNewSizePercent=40",
  "-XX:G1HeapRegionSize=8M",
  "-XX:G1ReservePercent=20",
  "-XX:G1HeapWastePercent=5",
  "-XX:G1MixedGCCountTarget=4",
  "-XX:InitiatingHeapOccupancyPercent=15",
  "-XX:G1MixedGCLiveThresholdPercent=90",
  "-XX:G1RSetUpdatingPauseTimePercent=5",
  "-XX:SurvivorRatio=32",
  "-XX:+PerfDisableSharedMem",
  "-XX:MaxTenuringThreshold=1",
].join(" ");

type Jvm = ReportPayload["jvm"];

/** The last of several flags counts; null if the flags are unknown. */
export function isSwitchedOn({ flags }: Jvm, name: string): boolean | null {
  if (flags === null) return null;
  return flags.findLast((flag) => flag === `-XX:+${name}` || flag === `-XX:-${name}`) === `-XX:+${name}`;
}

/** The last of several flags counts; undefined: not set; null: the flags are unknown. */
export function flagValue({ flags }: Jvm, name: string): string | null | undefined {
  const start = `-XX:${name}=`;
  return flags === null ? null : flags.findLast((flag) => flag.startsWith(start))?.slice(start.length);
}

const collectorFlags: Partial<Record<NonNullable<Jvm["collector"]>, string>> = {
  g1: "-XX:+UseG1GC",
  parallel: "-XX:+UseParallelGC",
  serial: "-XX:+UseSerialGC",
  cms: "-XX:+UseConcMarkSweepGC",
};

export const collectorFlag = ({ collector }: Jvm): string | null =>
  collector === null ? null : (collectorFlags[collector] ?? null);
