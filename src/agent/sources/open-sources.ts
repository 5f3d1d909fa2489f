import type { ServerInstall } from "../install/server-install.ts";
import type { LogMemories } from "../state/log-memory.ts";
import type { ServerConsole, Source } from "./source.ts";
import { cgroupSource } from "./cgroup.ts";
import { diskSource } from "./disk.ts";
import { gcLogSource } from "./gc-log.ts";
import { jvmSource } from "./jvm.ts";
import { logSource } from "./log.ts";
import { ManagementLink, managementSource } from "./management.ts";
import { machineSource } from "./machine.ts";
import { pingSource } from "./ping.ts";
import { raknetPingSource } from "./raknet-ping.ts";
import { processSource } from "./process.ts";
import { prometheusSource } from "./prometheus.ts";
import { rconSource } from "./rcon.ts";
import { worldSizesSource } from "./world-sizes.ts";

export interface Sources {
  /** Most trusted first. */
  readonly sources: readonly Source[];
  /** Sources that cannot wait for a turn. */
  readonly watched: readonly Source[];
  /** Null if the server has none that the agent may use. */
  readonly console: ServerConsole | null;
}

interface SourceParts {
  readonly memories?: LogMemories;
  /** Given where it outlives these sources. */
  readonly management?: ManagementLink;
}

export function sourcesOf(
  install: ServerInstall,
  { memories, management: given }: SourceParts = {},
): Sources {
  const rcon = rconSource(install);
  const management = given ?? new ManagementLink(install.management);
  return {
    sources: [
      managementSource(management, install.managementLacks),
      rcon,
      // An exporter tells the kernel's figures of the process at second hand.
      processSource(install),
      prometheusSource(install),
      install.kind.edition === "bedrock" ? raknetPingSource(install) : pingSource(install),
      cgroupSource(install),
      jvmSource(install),
      gcLogSource(install),
      machineSource(),
      diskSource(install),
      worldSizesSource(install),
    ],
    watched: [logSource(install, { management, ...(memories && { memories }) })],
    console: rcon.console,
  };
}
