/** The game server's process, as the machine shows it. */
export interface ServerProcess {
  readonly pid: number;
  /** When it started, in clock ticks since the machine's start: with `pid`, which process this is. */
  readonly startTicks: number;
  /** True if it is a JVM that takes commands from this user: the same user, or root. */
  readonly java: boolean;
  /** Arguments as they stand, for finding its log files; they can hold secrets and are never printed or sent. */
  readonly arguments: readonly string[];
}

/** The installation of a game server, as `findServer` found it; null for parts that were not found or are switched off. */
export interface ServerInstall {
  readonly directory: string;
  readonly host: string;
  readonly port: number;
  readonly rcon: { readonly port: number; readonly password: string } | null;
  /** `latest.log`, whether it exists already or not. */
  readonly log: string;
  /** The GC log that the operator named; a log named in the JVM's arguments is found with each process. */
  readonly gcLog: string | null;
  /** The address of the server's Prometheus exporter. */
  readonly metricsUrl: string | null;
  /** Why `server.properties` could not be read, in a sentence: then the usual ports are assumed. */
  readonly settingsUnread?: string;
  /** Finds the process again with every reading: a restarted server has another one. */
  findProcess(): Promise<ServerProcess | null>;
}
