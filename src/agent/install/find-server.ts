import { lstat, readFile, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { failureCode, isAbsent, isPassing, nullIfClosed } from "../../core/failure-code.ts";
import { secondMs } from "../../core/time.ts";
import { findProcess, isSameFolder, runningServers, stillRuns } from "../process/find-process.ts";
import { holdsSocket, listenersOn, allPids, type Transport } from "../process/listening.ts";
import { oneLine } from "../one-line.ts";
import { metricsUrlOf } from "./metrics-url.ts";
import { bedrockServer, javaServer, knownServer, transportOf, type ServerKind } from "./server-kind.ts";
import type { ServerInstall, ServerProcess } from "./server-install.ts";
import { linkOrNull, procPath, thisMachine, type MachineRoot } from "../../linux/proc.ts";
import { parseProperties, propertiesText, propertiesOf } from "./server-properties.ts";

/** Options of the operator; missing ones are searched for. */
export interface FoundServer {
  readonly directory?: string;
  readonly port?: number;
  readonly log?: string;
  readonly gcLog?: string;
  readonly metricsUrl?: string;
  /** Tried if there is no `directory`; the working directory by default. */
  readonly from?: string;
  readonly root?: MachineRoot;
}

const fileName = "server.properties";

/** Larger than any real file, bytes. */
const largestProperties = 1024 * 1024;

/**
 * Finds the game server's folder: the given one, the working directory, that of the process on `port`, or
 * that of the only game server beside a `server.properties`. Rejects in one line if there is not exactly one.
 */
export async function findServer(choice: FoundServer = {}): Promise<ServerInstall> {
  const root = choice.root ?? thisMachine;
  const directory = await directoryOf(root, choice);
  const { properties, unread } = await propertiesOrWhy(directory);
  const known = await knownServer(directory, properties);
  const settings = known?.settings ?? propertiesOf(new Map());
  const port = choice.port ?? settings.port;
  const kind = known?.kind ?? (await kindOnPort(root, port));
  return {
    directory,
    kind,
    host: settings.host,
    port,
    rcon: settings.rcon,
    management: settings.management,
    managementLacks: settings.managementLacks,
    log: resolve(directory, choice.log ?? (await logIn(directory, kind))),
    gcLog: choice.gcLog === undefined ? null : resolve(directory, choice.gcLog),
    metricsUrl: choice.metricsUrl ?? (await metricsUrlOf(directory)),
    findProcess: remembered(root, { port, directory, transport: transportOf(kind) }),
    ...(unread !== null && { settingsUnread: unread }),
  };
}

/** A server without known files shows its edition by how it listens. */
async function kindOnPort(root: MachineRoot, port: number): Promise<ServerKind> {
  if ((await listenersOn(root, port, "tcp")).length > 0) return javaServer;
  return (await listenersOn(root, port, "udp")).length > 0 ? bedrockServer : javaServer;
}

async function logIn(directory: string, { logs }: ServerKind): Promise<string> {
  for (const log of logs) if (await lstat(join(directory, log)).catch(nullIfClosed)) return log;
  return logs[0] ?? "";
}

/** The settings exist, but this user cannot read them now. */
class UnreadSettings extends Error {}

/** Null if there is no such file, or it is too large. Rejects if it cannot be read. */
export async function propertiesIn(directory: string): Promise<Map<string, string> | null> {
  const path = join(directory, fileName);
  const bytes = await readFile(path).catch((error: unknown) => {
    if (isAbsent(error)) return null;
    const why = failureCode(error) ?? oneLine(error);
    throw new UnreadSettings(`${path} cannot be read (${why}). Run the agent as the user of the server.`, {
      cause: error,
    });
  });
  if (bytes === null || bytes.length > largestProperties) return null;
  return parseProperties(propertiesText(bytes));
}

/** Settings closed to this user are reported, and the server is monitored without them. */
async function propertiesOrWhy(
  directory: string,
): Promise<{ readonly properties: Map<string, string> | null; readonly unread: string | null }> {
  try {
    return { properties: await propertiesIn(directory), unread: null };
  } catch (error) {
    if (!(error instanceof UnreadSettings) || isPassing(error.cause)) throw error;
    return { properties: null, unread: error.message };
  }
}

async function directoryOf(root: MachineRoot, choice: FoundServer): Promise<string> {
  if (choice.directory !== undefined) {
    return realpath(choice.directory).catch((error: unknown) => {
      throw new Error(
        isAbsent(error)
          ? "The server's folder does not exist. Name the folder with server.properties with --directory."
          : `The server's folder cannot be read (${failureCode(error) ?? oneLine(error)}).`,
        { cause: error },
      );
    });
  }
  const here = resolve(choice.from ?? ".");
  if (await isServerFolder(here)) return here;
  const { folders, inContainer } = await foldersOfProcesses(root, choice.port);
  const [one, ...others] = folders;
  if (one === undefined) {
    throw new Error(
      inContainer
        ? "A game server runs in a container. Name the folder that is mounted there with --directory, or run this command inside the container."
        : "No game server was found. Run this command in its folder, or name the folder with server.properties with --directory.",
    );
  }
  if (others.length > 0) {
    throw new Error(`Several game servers run here; choose one with --directory: ${folders.join(", ")}`);
  }
  return one;
}

/** False for a folder that this user may not look into, such as that of another user's process. */
async function isServerFolder(folder: string): Promise<boolean> {
  if ((await lstat(join(folder, fileName)).catch(nullIfClosed)) !== null) return true;
  return (await knownServer(folder, null)) !== null;
}

async function foldersOfProcesses(
  root: MachineRoot,
  port: number | undefined,
): Promise<{ readonly folders: readonly string[]; readonly inContainer: boolean }> {
  const pids =
    port === undefined ? (await runningServers(root)).map(({ pid }) => pid) : await holders(root, port);
  const folders = new Set<string>();
  let inContainer = false;
  for (const pid of pids) {
    const through = procPath(root, pid, "cwd");
    const name = await linkOrNull(through);
    if (name === null || !(await isServerFolder(through))) continue;
    // Inside a container the same path may be another folder; `through` is the one of the process.
    if (await isSameFolder(name, through)) folders.add(name);
    else inContainer = true;
  }
  return { folders: [...folders].sort(), inContainer };
}

async function holders(root: MachineRoot, port: number): Promise<number[]> {
  const sockets = [...(await listenersOn(root, port, "tcp")), ...(await listenersOn(root, port, "udp"))];
  const inodes = new Set(sockets.map(({ inode }) => inode));
  if (inodes.size === 0) return [];
  const found: number[] = [];
  for (const pid of await allPids(root)) {
    if (await holdsSocket(root, pid, inodes)) found.push(pid);
  }
  return found;
}

/** After a failed search there is no other for this long, ms: the sources search one after another. */
const missedForMs = 2 * secondMs;

/** Remembers the process: a search takes milliseconds, a check of one process next to nothing. */
function remembered(
  root: MachineRoot,
  where: { readonly port: number; readonly directory: string; readonly transport: Transport },
): () => Promise<ServerProcess | null> {
  let last: ServerProcess | null = null;
  let missedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<ServerProcess | null> | null = null;
  const find = async (): Promise<ServerProcess | null> => {
    if (last !== null && (await stillRuns(root, last))) return last;
    if (last === null && performance.now() - missedAt < missedForMs) return null;
    last = await findProcess(root, where);
    if (last === null) missedAt = performance.now();
    return last;
  };
  return () => {
    running ??= find().finally(() => {
      running = null;
    });
    return running;
  };
}
