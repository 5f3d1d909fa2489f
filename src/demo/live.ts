import { toTimestamp, type Instant } from "../core/time.ts";
import type { HeartbeatBody } from "../outbound/plugin-client.ts";
import { memoryReportTakenAt } from "./memory-reports.ts";
import { profileTakenAt } from "./profiles.ts";
import type { DemoServer } from "./server.ts";
import { lastTickAgeMs, sampleAt, sampleEveryMs } from "./load-profile.ts";

/** Called for a heartbeat that failed; the next one is sent all the same. */
type Warn = (error: unknown, server: string) => void;

export interface LiveFleet {
  /** Sends no further heartbeat, and waits for those under way. */
  stop(): Promise<void>;
}

/** A stopped server announces its stop; neither it nor a server that hangs sends a sample. */
export function heartbeatAt(
  { spec, simulated }: Pick<DemoServer, "spec" | "simulated">,
  now: Instant,
): HeartbeatBody {
  const stopped = spec.life === "stopped";
  const measures = !stopped && (simulated.silentFrom === null || now < simulated.silentFrom);
  return {
    sent_at: toTimestamp(now),
    boot_timestamp: toTimestamp(simulated.bootedAt),
    plugin_version: spec.pluginVersion,
    last_tick_age_ms: lastTickAgeMs(simulated, now),
    announce: stopped ? "stopping" : null,
    sample: measures ? sampleAt(simulated, now) : null,
  };
}

async function uploadRequested(
  { spec, plugin }: DemoServer,
  collect: readonly string[],
  now: Instant,
): Promise<void> {
  if (collect.includes("profile")) await plugin.uploadProfile(profileTakenAt(spec, now));
  if (collect.includes("class_histogram")) await plugin.uploadMemoryReport(memoryReportTakenAt(spec, now));
}

/** Resolves when every server's first heartbeat is answered. Its timers keep no process alive. */
export async function startLiveFleet(
  servers: readonly DemoServer[],
  clock: () => Instant,
  warn: Warn,
): Promise<LiveFleet> {
  const speaking = servers.filter(({ spec }) => spec.life !== "silent" && spec.life !== "down");
  const underWay = new Set<Promise<void>>();
  const send = async (server: DemoServer): Promise<void> => {
    try {
      const { collect } = await server.plugin.heartbeat(heartbeatAt(server, clock()));
      await uploadRequested(server, collect, clock());
    } catch (error) {
      warn(error, server.spec.name);
    }
  };
  const beat = (server: DemoServer): Promise<void> => {
    const sent = send(server).finally(() => underWay.delete(sent));
    underWay.add(sent);
    return sent;
  };
  await Promise.all(speaking.map(beat));
  const alive = speaking.filter(({ spec }) => spec.life !== "stopped");
  const timer = setInterval(() => alive.forEach((server) => void beat(server)), sampleEveryMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
