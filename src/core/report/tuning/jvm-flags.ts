import type { ReportPayload } from "../payload.ts";

/** The set the Paper documentation explains as Aikar's flags, without the two sizes. */
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

/** Whether `-XX:+Name` is in force, where the last of several counts; null when the flags are not known. */
export function isSwitchedOn({ flags }: Jvm, name: string): boolean | null {
  if (flags === null) return null;
  return flags.findLast((flag) => flag === `-XX:+${name}` || flag === `-XX:-${name}`) === `-XX:+${name}`;
}

/** The text given to `-XX:Name=`, last of several; undefined when it is not set, null when flags are not known. */
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

/** The flag of the collector that ran. */
export const collectorFlag = ({ collector }: Jvm): string | null =>
  collector === null ? null : (collectorFlags[collector] ?? null);
