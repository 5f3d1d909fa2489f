/** The game server's process, as the machine shows it. */
export interface ServerProcess {
  readonly pid: number;
  /** When it started, in clock ticks since the machine's start: with `pid`, which process this is. */
  readonly startTicks: number;
  /** True when it is a JVM that this user can ask: same user, or root. */
  readonly java: boolean;
  /** Arguments as they stand, for finding its log files; they can hold secrets and are never printed or sent. */
  readonly arguments: readonly string[];
}

/** Where a game server lives, as `findServer` found it; null is not found or switched off. */
export interface ServerInstall {
  readonly directory: string;
  readonly host: string;
  readonly port: number;
  readonly rcon: { readonly port: number; readonly password: string } | null;
  /** `latest.log`, whether it exists already or not. */
  readonly log: string;
  /** The GC log, where it was named; one that the JVM was told to write is found with each process. */
  readonly gcLog: string | null;
  /** Where a Prometheus exporter of the server answers. */
  readonly metricsUrl: string | null;
  /** Looked for again with every reading: a restarted server has another one. */
  findProcess(): Promise<ServerProcess | null>;
}
