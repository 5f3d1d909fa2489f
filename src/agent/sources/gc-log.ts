import type { Instant } from "../../core/time.ts";
import { FollowedFile } from "../files/followed-file.ts";
import { gcLogOf } from "../gc/gc-log-path.ts";
import { GcTally } from "../gc/gc-tally.ts";
import { toMb } from "../process/jvm-figures.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { thisMachine, type MachineRoot } from "../../linux/proc.ts";
import type { Finding, Reading, Source } from "./source.ts";

/** The first reading looks at this much of an existing GC log, bytes. */
const backBytes = 64 * 1024;

/** ZGC and Shenandoah write live set and pauses only to the GC log. The first reading has no pauses. */
export function gcLogSource(
  install: Pick<ServerInstall, "findProcess" | "gcLog">,
  root: MachineRoot = thisMachine,
): Source {
  const file = new FollowedFile(backBytes);
  let tally = new GcTally();
  let seenPid: number | null = null;

  const path = async (): Promise<{ readonly at: string | null; readonly pid: number | null }> => {
    const server = await install.findProcess();
    const at = install.gcLog ?? (server === null ? null : await gcLogOf(root, server));
    return { at, pid: server?.pid ?? null };
  };

  const read = async (_now: Instant, signal: AbortSignal): Promise<Reading> => {
    const { at, pid } = await path();
    if (at === null) return {};
    if (pid !== null && seenPid !== null && pid !== seenPid) tally = new GcTally();
    seenPid = pid ?? seenPid;
    const { writtenAt, isPast } = await file.read(at, (line) => tally.add(line), signal);
    if (writtenAt === null) throw new Error("The GC log cannot be read.");
    const stoppedMs = tally.takeStoppedMs();
    return {
      measured: {
        ...(tally.liveBytes !== null && { heap_after_gc_mb: toMb(tally.liveBytes) }),
        ...(stoppedMs !== null && !isPast && { gc_stw_ms: Math.round(stoppedMs * 1000) / 1000 }),
      },
    };
  };

  const check = async (): Promise<readonly Finding[]> => {
    const { at } = await path();
    return at === null ? [] : [{ able: true, about: "GC log", says: "The JVM writes one; it is followed." }];
  };

  return { name: "GC log", check, read, close: () => file.close() };
}
