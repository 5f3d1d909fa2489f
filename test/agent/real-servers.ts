import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A game server of another make, in a folder of its own. */
export interface RealServer {
  readonly name: string;
  /** Null if it is there, else why it is not. */
  readonly absent: string | null;
  /** The folder with its settings. */
  install(port: number): string;
  start(folder: string, port: number): ChildProcess;
  /** Ends it as its owner does. */
  stop(child: ChildProcess): void;
  /** A script that joins as a player and stays. */
  readonly player: (port: number) => string;
}

/** Holds the programs: `node_modules` of the registry's, and Cuberite's own folder. */
const programs = process.env["TICKMARK_TEST_SERVERS"] ?? "";

const absent = (path: string): string | null => {
  if (programs === "") return "TICKMARK_TEST_SERVERS names no folder with the programs";
  return existsSync(join(programs, path)) ? null : `${path} is not in TICKMARK_TEST_SERVERS`;
};

const newFolder = (name: string): string =>
  realpathSync(mkdtempSync(join(tmpdir(), `tickmark-${name.toLowerCase().replaceAll(" ", "-")}-`)));

/** Runs a script that finds the registry's programs. */
const runScript = (script: string, cwd: string): ChildProcess =>
  spawn(process.execPath, ["-e", script], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", NODE_PATH: join(programs, "node_modules") },
    stdio: ["pipe", "ignore", "ignore"],
  });

const javaPlayer = (version: string) => (port: number) =>
  `
  const client = require("minecraft-protocol").createClient({
    host: "127.0.0.1", port: ${port}, username: "Ada", auth: "offline", version: ${JSON.stringify(version)} });
  client.on("error", () => {});`;

const flyingSquid: RealServer = {
  name: "flying-squid",
  absent: absent("node_modules/flying-squid"),
  install: (port) => {
    const folder = newFolder("squid");
    writeFileSync(join(folder, "server.properties"), `server-ip=127.0.0.1\nserver-port=${port}\n`);
    return folder;
  },
  start: (folder, port) =>
    runScript(
      `const settings = { ...require("flying-squid/config/default-settings.json"), port: ${port}, host: "127.0.0.1",
        "online-mode": false, version: "1.16.1", logging: false, worldFolder: undefined, generation: { name: "superflat", options: {} } };
      require("flying-squid").createMCServer(settings);
      process.stdin.on("data", () => process.exit(0));`,
      folder,
    ),
  stop: (child) => void child.stdin?.write("stop\n"),
  player: javaPlayer("1.16.1"),
};

const bedrockProtocol: RealServer = {
  name: "bedrock-protocol",
  absent: absent("node_modules/bedrock-protocol"),
  install: () => newFolder("bedrock"),
  start: (folder, port) =>
    runScript(
      `const server = require("bedrock-protocol").createServer({
        host: "127.0.0.1", port: ${port}, offline: true, raknetBackend: "jsp-raknet", version: "1.20.40" });
      server.on("connect", (client) => client.on("join", () => {
        server.advertisement.playersOnline = Object.keys(server.clients).length; }));
      process.stdin.on("data", () => process.exit(0));`,
      folder,
    ),
  stop: (child) => void child.stdin?.write("stop\n"),
  player: (port) => `
    const client = require("bedrock-protocol").createClient({ host: "127.0.0.1", port: ${port}, username: "Ada",
      offline: true, raknetBackend: "jsp-raknet", version: "1.20.40", skipPing: true });
    client.on("error", () => {});`,
};

const cuberite: RealServer = {
  name: "Cuberite",
  absent: absent("cuberite/Server/Cuberite"),
  install: (port) => {
    const folder = newFolder("cuberite");
    cpSync(join(programs, "cuberite/Server"), folder, { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(folder, "logs"), { recursive: true });
    writeFileSync(
      join(folder, "settings.ini"),
      `[Authentication]\nAuthenticate=0\n[Server]\nPorts=${port}\n[RCON]\nEnabled=1\nPassword=secret\nPorts=${port + 1}\n[Plugins]\nCore=1\n`,
    );
    return folder;
  },
  start: (folder) => spawn(join(folder, "Cuberite"), { cwd: folder, stdio: ["pipe", "ignore", "ignore"] }),
  stop: (child) => void child.stdin?.write("stop\n"),
  player: javaPlayer("1.12.2"),
};

export const realServers: readonly RealServer[] = [cuberite, flyingSquid, bedrockProtocol];

export const joinAsPlayer = (server: RealServer, port: number): ChildProcess =>
  runScript(server.player(port), tmpdir());

export async function over(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
