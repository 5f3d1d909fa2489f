import type { ServerPlace } from "./place.ts";
import type { LogMemories } from "./log-memory.ts";
import type { Source } from "./source.ts";
import { cgroupSource } from "./sources/cgroup.ts";
import { gcLogSource } from "./sources/gc-log.ts";
import { jvmSource } from "./sources/jvm.ts";
import { logSource } from "./sources/log.ts";
import { machineSource } from "./sources/machine.ts";
import { pingSource } from "./sources/ping.ts";
import { processSource } from "./sources/process.ts";
import { prometheusSource } from "./sources/prometheus.ts";
import { rconSource } from "./sources/rcon.ts";

export interface Sources {
  /** The most trusted first. */
  readonly sources: readonly Source[];
  /** What cannot wait for a turn. */
  readonly watched: readonly Source[];
}

/** Every way to learn something about this server. */
export function sourcesOf(place: ServerPlace, memories?: LogMemories): Sources {
  return {
    sources: [
      rconSource(place),
      prometheusSource(place),
      pingSource(place),
      processSource(place),
      cgroupSource(place),
      jvmSource(place),
      gcLogSource(place),
      machineSource(),
    ],
    watched: [logSource(place, memories && { memories })],
  };
}
