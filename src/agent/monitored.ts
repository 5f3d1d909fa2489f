import type { LagCapture } from "./collect/lag-capture.ts";
import type { Collect } from "./collect/on-demand.ts";
import type { Instant } from "../core/time.ts";
import type { KeptPause } from "./send/owner-pause.ts";
import type { PluginClient } from "../outbound/plugin-client.ts";
import type { Queue } from "./send/queue.ts";
import type { ServerInstall } from "./install/server-install.ts";
import type { SoftwareFolder } from "./software/software-folder.ts";
import type { ServerConsole, Source } from "./sources/source.ts";
import type { Steady } from "./send/steady.ts";

export interface Monitored {
  readonly install: Pick<ServerInstall, "findProcess">;
  /** Most trusted first. */
  readonly sources: readonly Source[];
  /** Read with every tick, because their events must not wait. `sources` win for a figure that both have. */
  readonly watched: readonly Source[];
  readonly software: SoftwareFolder;
  readonly client: PluginClient;
  readonly queue: Queue;
  readonly version: string;
  readonly pause: KeptPause;
  readonly collect: Collect;
  readonly console: ServerConsole | null;
  /** Null if profiles of lags are switched off. */
  readonly lagCapture: LagCapture | null;
  /** `clock` is wall time, `elapsed` never jumps, ms. */
  readonly clock: () => Instant;
  readonly elapsed: () => number;
  /** The same clock as the queue's. */
  readonly steady: () => Steady;
  readonly tell: (line: string) => void;
  /** The time between two samples, ms; null for the service's interval. */
  readonly everyMs: number | null;
}
