import type { ManagementAddress, ServerProperties } from "./server-properties.ts";
import type { ServerKind } from "./server-kind.ts";

export interface ServerProcess {
  readonly pid: number;
  /** In clock ticks since boot; with `pid` it identifies the process. */
  readonly startTicks: number;
  /** True for a JVM that takes commands from this user, who is its own user or root. */
  readonly java: boolean;
  /** For finding log files; they can hold secrets and are never printed or sent. */
  readonly arguments: readonly string[];
}

/** A game server as `findServer` found it; null for parts that were not found or are switched off. */
export interface ServerInstall {
  readonly directory: string;
  readonly kind: ServerKind;
  readonly host: string;
  readonly port: number;
  readonly rcon: { readonly port: number; readonly password: string } | null;
  readonly management: ManagementAddress | null;
  /** Why `management` is null. */
  readonly managementLacks: ServerProperties["managementLacks"];
  /** The path of the server's log, such as `latest.log`, which may not exist yet. */
  readonly log: string;
  /** Only the log that the operator named; one in the JVM's arguments is found with each process. */
  readonly gcLog: string | null;
  readonly metricsUrl: string | null;
  /** Why `server.properties` could not be read, as a sentence; the usual ports are then assumed. */
  readonly settingsUnread?: string;
  /** Called with every reading, because a restarted server has another process. */
  findProcess(): Promise<ServerProcess | null>;
}
