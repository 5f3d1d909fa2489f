import { setTimeout as rest } from "node:timers/promises";
import { findServer, type FoundServer } from "../agent/install/find-server.ts";
import { takeLock } from "../agent/state/lock.ts";
import { Monitor } from "../agent/monitor.ts";
import type { ServerInstall } from "../agent/install/server-install.ts";
import { Queue } from "../agent/send/queue.ts";
import { steadyNow } from "../agent/send/steady.ts";
import { softwareFolder } from "../agent/software/software-folder.ts";
import { ManagementLink } from "../agent/sources/management.ts";
import { sourcesOf } from "../agent/sources/open-sources.ts";
import { Troubles } from "../agent/troubles.ts";
import { Unlinked } from "../agent/send/service-client.ts";
import { LagCapture } from "../agent/collect/lag-capture.ts";
import { profilesSavedSince } from "../agent/collect/spark-folder.ts";
import { capturesOf } from "../agent/collect/upload.ts";
import type { AgentRunOptions } from "./agent-options.ts";
import { agentVersion, clientOf, linkIn, stateOf } from "./agent-state.ts";
import { CommandError, exitStatus, printError } from "./output.ts";

const tickMs = 1000;
/** The time to end, ms: less than container engines give before they kill. */
const endMs = 8000;

/** Monitors until a signal to end, and then announces that monitoring is paused. */
export async function runAgent({ every, lagProfiles, ...options }: AgentRunOptions): Promise<void> {
  const state = stateOf(options);
  const link = await linkIn(state);
  const ending = new AbortController();
  const end = (): void => (ending.signal.aborted ? process.exit(exitStatus.failed) : ending.abort());
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  const lock = await takeLock(state.folder);
  if (lock === null)
    throw new CommandError(
      `Another agent uses ${state.folder}. Each server needs its own folder: name one with --state.`,
    );
  try {
    const install = await findServer(link.server);
    const client = clientOf(link);
    const management = new ManagementLink(install.management);
    const captures = capturesOf(install, client, Date.now);
    const monitor = new Monitor({
      install,
      ...sourcesOf(install, {
        memories: {
          load: () => state.logMemory(printError),
          keep: (memory) => state.keepLogMemory(memory),
        },
        management,
      }),
      software: softwareFolder(install),
      client,
      queue: await Queue.open(state.queueFolder, { tell: printError }),
      version: agentVersion,
      pause: {
        isOn: () => state.isPaused(),
        isAnnounced: async () => (await state.pause())?.announced ?? false,
        announced: () => state.keepPause(Date.now(), true),
      },
      collect: captures.onRequest,
      lagCapture: lagProfiles
        ? new LagCapture({
            savedSince: (since) => profilesSavedSince(install, since),
            upload: captures.ofLag,
            clock: Date.now,
            elapsed: () => performance.now(),
            tell: printError,
          })
        : null,
      clock: Date.now,
      elapsed: () => performance.now(),
      steady: steadyNow,
      tell: printError,
      everyMs: every === undefined ? null : every * 1000,
    });
    if (install.settingsUnread !== undefined)
      printError(`${install.settingsUnread} The usual ports are assumed.`);
    printError(`Monitoring the server in ${install.directory} (port ${install.port}) for ${link.url}.`);
    await keepTicking(
      monitor,
      ending.signal,
      watchSettings(monitor, { first: install, choice: link.server, management }),
    );
  } finally {
    await lock.release();
  }
}

async function keepTicking(
  monitor: Monitor,
  signal: AbortSignal,
  lookAtSettings: () => Promise<void>,
): Promise<void> {
  const pauseMs = Math.min(tickMs, monitor.everyMs / 2);
  try {
    while (!signal.aborted) {
      await monitor.tick();
      await lookAtSettings();
      await rest(pauseMs, undefined, { signal }).catch(() => {});
    }
  } catch (error) {
    await monitor.close();
    throw error instanceof Unlinked ? new CommandError(error.message) : error;
  }
  printError("The agent stops, as requested.");
  // A service that does not answer must not delay the end.
  setTimeout(() => process.exit(exitStatus.done), endMs).unref();
  await monitor.end();
}

const settingsWords = [
  "The server's settings cannot be read",
  "The server's settings can be read again.",
] as const;

/** Notices changes of the server's settings, such as a console that was switched on. */
function watchSettings(
  monitor: Monitor,
  {
    first,
    choice,
    management,
  }: {
    readonly first: ServerInstall;
    readonly choice: FoundServer;
    readonly management: ManagementLink;
  },
): () => Promise<void> {
  const troubles = new Troubles(printError);
  let known = settingsOf(first);
  let lookedAt = performance.now();
  return async () => {
    if (performance.now() - lookedAt < monitor.everyMs) return;
    lookedAt = performance.now();
    const install = await troubles.attempt(settingsWords, () => findServer(choice));
    // Settings that cannot be read now count as unchanged.
    if (install === null || (install.settingsUnread !== undefined && first.settingsUnread === undefined))
      return;
    if (settingsOf(install) === known) return;
    known = settingsOf(install);
    printError("The server's settings have changed; the agent uses the new ones.");
    management.use(install.management);
    const { sources, console } = sourcesOf(install, { management });
    await monitor.changeInstall({
      install,
      sources,
      console,
      software: softwareFolder(install),
    });
  };
}

const settingsOf = ({ kind, host, port, rcon, management, metricsUrl }: ServerInstall): string =>
  JSON.stringify([kind.name, kind.edition, host, port, rcon, management, metricsUrl]);
