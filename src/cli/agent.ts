import { realpathSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { checkSources } from "../agent/install/check.ts";
import { findServer } from "../agent/install/find-server.ts";
import { isLinked, linkByCode, minutesLeft } from "../agent/state/link.ts";
import { runningAgent } from "../agent/state/lock.ts";
import { oneLine } from "../agent/one-line.ts";
import type { Finding } from "../agent/sources/source.ts";
import { sourcesOf } from "../agent/sources/open-sources.ts";
import type { AgentState, Link } from "../agent/state/state.ts";
import { unitText } from "../agent/state/unit.ts";
import { lagFinding } from "../agent/collect/lag-capture.ts";
import { hasSpark } from "../agent/collect/spark-folder.ts";
import { capturesOf } from "../agent/collect/upload.ts";
import { processAgentConfig } from "../app/config/connector-config.ts";
import { withoutTrailingSlash } from "../core/address.ts";
import { Collectable } from "../core/server/collection.ts";
import { toTimestamp } from "../core/time.ts";
import { PluginApiError, pluginClient } from "../outbound/plugin-client.ts";
import type {
  AgentOptions,
  CheckOptions,
  CollectOptions,
  LinkOptions,
  ServerOptions,
  UnitOptions,
} from "./agent-options.ts";
import { agentVersion, clientOf, linkIn, stateOf } from "./agent-state.ts";
import { unitCommand } from "./unit-command.ts";
import { CommandError, exitStatus, printError, printLine, printResult } from "./output.ts";
import { nullIfClosed } from "../core/failure-code.ts";

/** Keeps only the given options: the agent looks for the others at every start. */
const choiceOf = ({ directory, port, log, gcLog, metricsUrl }: ServerOptions): ServerOptions => ({
  ...(directory !== undefined && { directory: resolve(directory) }),
  ...(port !== undefined && { port }),
  ...(log !== undefined && { log }),
  ...(gcLog !== undefined && { gcLog }),
  ...(metricsUrl !== undefined && { metricsUrl }),
});

/** Shows a code until the owner types it, and keeps the credential. */
export async function link(options: LinkOptions): Promise<void> {
  const url = urlFrom(options.url ?? processAgentConfig().url);
  const choice = choiceOf(options);
  const { directory, port } = await findServer(choice);
  const state = stateOf(options);
  await state.prepare();
  const known = await state.link();
  const server = { ...choice, directory };
  if (known?.url === url && (await isLinkedStill(known))) {
    await state.keepLink({ ...known, server });
    return tellLinked(options, state, known.server_id, "This server is linked already.");
  }
  const { serverId, authToken } = await linkByCode({
    client: pluginClient(url),
    body: {
      installation_id: await state.installationId(),
      server: { name: options.name ?? basename(directory), port, plugin_version: agentVersion },
    },
    show: ({ code, expiresAt }, isFirst) => {
      const page = `${url}/servers`;
      const words = [
        ...(isFirst ? [] : ["The code expired. This is the new code:"]),
        `Code: ${code}`,
        `Type it at ${page} within ${minutesLeft(expiresAt, Date.now())} minutes. Waiting …`,
      ];
      printResult(options.json, { code, page, expires_at: expiresAt }, words);
    },
    tell: printError,
  }).catch((error: unknown) => {
    if (error instanceof PluginApiError) throw error;
    throw new CommandError(
      `${url} does not answer (${oneLine(error)}). Check that the service runs there, or name another address with --url.`,
    );
  });
  await state.keepLink({ url, server_id: serverId, auth_token: authToken, server });
  tellLinked(options, state, serverId, "Linked.");
}

async function isLinkedStill(known: Link): Promise<boolean> {
  const still = await isLinked(clientOf(known));
  if (still !== null) return still;
  throw new CommandError(
    `${known.url} does not answer, so it is not known whether this server is still linked. Try again.`,
  );
}

function tellLinked({ json }: LinkOptions, { folder }: AgentState, serverId: string, word: string): void {
  printResult(json, { linked: true, server_id: serverId, state: folder }, [
    `${word} Start it: tickmark agent run, or with systemd: tickmark agent unit.`,
  ]);
}

function urlFrom(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return withoutTrailingSlash(text);
  throw new CommandError(
    "--url takes the address of a Tickmark service, such as https://tickmark.example.",
    exitStatus.usage,
  );
}

/** The exit status is 1 if no running server is found. */
export async function checkServer(options: CheckOptions): Promise<void> {
  const kept = await stateOf(options).link();
  const install = await findServer({ ...kept?.server, ...choiceOf(options) });
  const sources = sourcesOf(install);
  const { findings, alive } = await checkSources(install, sources, Date.now());
  const all: readonly Finding[] = [
    {
      able: alive,
      about: "server",
      says: alive
        ? `The server runs in the folder ${install.directory}, on port ${install.port}.`
        : `No server runs in ${install.directory} or answers on port ${install.port}. Start it, or name another with --directory and --port.`,
    },
    ...findings,
    lagFinding({ hasSpark: await hasSpark(install), hasConsole: sources.console !== null }),
    await serviceFinding(kept),
  ];
  const value = { alive, directory: install.directory, port: install.port, findings: all };
  const words = all.map(({ able, about, says }) => `${able ? "yes" : "no "}  ${about}: ${says}`);
  printResult(options.json, value, words);
  if (!alive) process.exitCode = exitStatus.failed;
}

async function serviceFinding(kept: Link | null): Promise<Finding> {
  const about = "service";
  if (kept === null) return { able: false, about, says: "Not linked yet. Run tickmark agent link." };
  const still = await isLinked(clientOf(kept));
  if (still === null)
    return { able: false, about, says: `${kept.url} does not answer. Check that the service runs.` };
  return still
    ? { able: true, about, says: `Linked with ${kept.url} as server ${kept.server_id}.` }
    : {
        able: false,
        about,
        says: `${kept.url} refuses the credential of this server. Run tickmark agent link.`,
      };
}

/** The unit runs this very program, as the owner of the state folder. */
export async function printUnit({ lagProfiles, ...options }: UnitOptions): Promise<void> {
  const state = stateOf(options);
  const { server } = await linkIn(state);
  const stateFolder = realpathSync(state.folder);
  const user = await userName(statSync(stateFolder).uid);
  // This unit does not hide homes and /tmp, so a program in its user's home can run.
  const without = lagProfiles ? [] : ["--no-lag-profiles"];
  const command = unitCommand(["agent", "run", "--state", stateFolder, ...without], user, []);
  const text = unitText({ command, stateFolder, directory: server.directory, user });
  process.stdout.write(text);
}

async function userName(uid: number): Promise<string> {
  const users = await readFile("/etc/passwd", "utf8").catch(nullIfClosed);
  const line = users?.split("\n").find((one) => one.split(":")[2] === String(uid));
  return line?.split(":")[0] ?? String(uid);
}

/** The time in which a running agent notices a pause and announces it, ms. */
const noticedMs = 12_000;

/** Stops sending until `resume`, also for agents that are started meanwhile, and tells the service. */
export async function pause(options: AgentOptions & { json: boolean }): Promise<void> {
  const state = stateOf(options);
  const link = await linkIn(state);
  await state.keepPause(Date.now(), false);
  const announced =
    (await runningAgent(state.folder)) === null ? await tellPause(state, link) : await untilAnnounced(state);
  const { since } = (await state.pause()) ?? { since: toTimestamp(Date.now()) };
  printResult(options.json, { paused: true, since, announced }, [
    announced
      ? "Monitoring is paused, and the agent reported it to the service. tickmark agent resume ends the pause."
      : "Monitoring is paused, but the agent could not report it: the service does not answer, or the server does not run. tickmark agent resume ends the pause.",
  ]);
}

async function tellPause(state: AgentState, link: Link): Promise<boolean> {
  const sent_at = toTimestamp(Date.now());
  const silent = { boot_timestamp: null, last_tick_age_ms: null, sample: null };
  const body = { sent_at, plugin_version: agentVersion, announce: "monitoring_paused", ...silent } as const;
  try {
    await clientOf(link).heartbeat(body);
  } catch (error) {
    printError(`The service was not reached (${oneLine(error)}).`);
    return false;
  }
  await state.keepPause(Date.now(), true);
  return true;
}

async function untilAnnounced(state: AgentState): Promise<boolean> {
  const until = performance.now() + noticedMs;
  while (performance.now() < until) {
    if ((await state.pause())?.announced) return true;
    await rest(100);
  }
  return false;
}

export async function resume(options: AgentOptions & { json: boolean }): Promise<void> {
  const state = stateOf(options);
  await linkIn(state);
  const was = await state.isPaused();
  await state.endPause();
  printResult(options.json, { paused: false }, [
    was ? "Monitoring continues with the next heartbeat of the agent." : "Monitoring was not paused.",
  ]);
}

/** Without a name, takes every capture that it can. The exit status is 1 if nothing was uploaded. */
export async function collectNow(options: CollectOptions): Promise<void> {
  const kept = await linkIn(stateOf(options));
  const collect = capturesOf(await findServer(kept.server), clientOf(kept), Date.now).onRequest;
  const results = [];
  for (const what of options.what === undefined ? Collectable.options : [options.what]) {
    const { says, done } = await collect(what, new AbortController().signal).then(
      (words) => ({ says: words ?? "there is nothing new to upload", done: words !== null }),
      (error: unknown) => ({ says: oneLine(error), done: false }),
    );
    results.push({ what, done, says });
  }
  if (options.json) printLine(JSON.stringify(results));
  for (const { what, done, says } of results) {
    const line = `${what}: ${says}.`;
    if (!options.json && done) printLine(line);
    else if (!done) printError(line);
  }
  if (!results.some(({ done }) => done)) process.exitCode = exitStatus.failed;
}
