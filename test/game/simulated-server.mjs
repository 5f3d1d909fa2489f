// Plays a game server's JVM in the tests: the log, the remote console and a small world, with the answers of the game's
// language file. The first argument is a JSON object that says how this one behaves; the rest are those of Java.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { SimulatedWorld } from "./simulated-world.mjs";

const [behaviourText, ...javaArguments] = process.argv.slice(2);
const behaviour = JSON.parse(behaviourText);
const {
  version = "1.21.4",
  family = "vanilla",
  dies = null,
  crashesOn = null,
  silentOn = null,
  dropsOn = null,
  answers = {},
  ignoresTerm = false,
  forks = false,
  neverReady = false,
  costs,
} = behaviour;

const paper = family !== "vanilla";
const line = (text) => {
  const written = paper ? `[12:00:00 INFO]: ${text}\n` : `[12:00:00] [Server thread/INFO]: ${text}\n`;
  process.stdout.write(written);
  if (existsSync("logs")) appendFileSync("logs/latest.log", written);
};
const die = (status, ...texts) => {
  for (const text of texts) process.stderr.write(`${text}\n`);
  process.exit(status);
};

if (ignoresTerm) process.on("SIGTERM", () => undefined);
if (forks) spawn("sleep", ["600"], { stdio: "ignore" });
if (behaviour.record)
  writeFileSync(behaviour.record, JSON.stringify({ pid: process.pid, javaArguments, cwd: process.cwd() }));

if (dies === "java")
  die(
    1,
    "Error: LinkageError occurred while loading main class net.minecraft.bundler.Main",
    "\tjava.lang.UnsupportedClassVersionError: net/minecraft/bundler/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0)",
  );
if (dies === "options")
  die(1, "Unrecognized VM option 'UseMagicGC'", "Error: Could not create the Java Virtual Machine.");
if (dies === "jar") die(1, `Error: Unable to access jarfile ${javaArguments.at(-2)}`);
if (dies === "memory") die(3, "java.lang.OutOfMemoryError: Java heap space");
if (dies === "killed") process.kill(process.pid, "SIGKILL");
if (dies === "silently") die(0);

const gcLog = /-Xlog:gc\*:file=([^:]+)/.exec(javaArguments.join(" "))?.[1];
writeFileSync(
  gcLog,
  [
    "[0.006s][info][gc] Using G1",
    "[0.008s][info][gc,init] Version: 21.0.4+7-LTS (release)",
    "[0.008s][info][gc,init] Heap Initial Capacity: 2G",
    "[0.008s][info][gc,init] Heap Max Capacity: 4G",
    "[9.100s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 900M->200M(2048M) 9.000ms",
    "",
  ].join("\n"),
);
mkdirSync("logs", { recursive: true });
if (readFileSync("eula.txt", "utf8").trim() !== "eula=true")
  die(0, "You need to agree to the EULA in order to run the server. Go to eula.txt for more info.");
const settings = new Map(
  readFileSync("server.properties", "utf8")
    .split("\n")
    .map((each) => each.split("=")),
);
if (family === "folia")
  line("[bootstrap] Loading Folia 1.21.4-6-ver/1.21.4@6f4c4d4 (2025-02-01T00:00:00Z) for Minecraft 1.21.4");
line(`Starting minecraft server version ${version}`);
if (paper) {
  writeFileSync("bukkit.yml", "spawn-limits:\n  monsters: 70\n");
  mkdirSync("config", { recursive: true });
  writeFileSync("config/paper-global.yml", "_version: 29\n");
  writeFileSync(
    "version_history.json",
    JSON.stringify({ currentVersion: `${version}-147-main@1a2b3c4 (MC: ${version})` }),
  );
}
if (dies === "port")
  die(
    1,
    "[12:00:00] [Server thread/WARN]: **** FAILED TO BIND TO PORT!",
    "[12:00:00] [Server thread/WARN]: The exception was: io.netty.channel.unix.Errors$NativeIoException: bind(..) failed: Address already in use",
  );

const functions = new Map();
for (const packName of readdirSync("world/datapacks")) {
  const data = join("world/datapacks", packName, "data");
  const folder = version.startsWith("1.20") ? "functions" : "function";
  for (const file of readdirSync(join(data, packName, folder)))
    functions.set(
      `${packName}:${file.replace(".mcfunction", "")}`,
      readFileSync(join(data, packName, folder, file), "utf8")
        .trim()
        .split("\n"),
    );
}
const world = new SimulatedWorld({ functions, costs, report: line, version });

const packet = (id, type, text) => {
  const body = Buffer.from(text);
  const head = Buffer.alloc(12);
  head.writeInt32LE(body.length + 10, 0);
  head.writeInt32LE(id, 4);
  head.writeInt32LE(type, 8);
  return Buffer.concat([head, body, Buffer.alloc(2)]);
};

const answerTo = async (command) => {
  for (const [pattern, answer] of Object.entries(answers))
    if (new RegExp(pattern).test(command)) return answer;
  return world.run(command);
};

const take = async (socket, bytes, state) => {
  if (bytes.length < 14 || bytes.readInt32LE(0) !== bytes.length - 4) return socket.destroy();
  const [id, type, text] = [bytes.readInt32LE(4), bytes.readInt32LE(8), bytes.subarray(12, -2).toString()];
  if (type === 3) {
    state.mayAsk = text === settings.get("rcon.password");
    return socket.write(packet(state.mayAsk ? id : -1, 2, ""));
  }
  if (!state.mayAsk) return socket.write(packet(-1, 2, ""));
  if (type !== 2) return socket.write(packet(id, 0, `Unknown request ${type.toString(16)}`));
  if (behaviour.record) appendFileSync(`${behaviour.record}.commands`, `${text}\n`);
  if (silentOn && new RegExp(silentOn).test(text)) return undefined;
  if (crashesOn && new RegExp(crashesOn).test(text))
    die(
      255,
      "[12:00:01] [Server thread/ERROR]: Encountered an unexpected exception",
      behaviour.crashesWith ?? "java.lang.IllegalStateException: Exception ticking world",
    );
  if (dropsOn && new RegExp(dropsOn).test(text)) {
    const whole = packet(id, 0, await answerTo(text));
    return socket.end(whole.subarray(0, whole.length / 2));
  }
  return socket.write(packet(id, 0, await answerTo(text)));
};

createServer((socket) => {
  const state = { mayAsk: false };
  socket.setNoDelay(true);
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => void take(socket, bytes, state));
}).listen(Number(settings.get("rcon.port")), settings.get("server-ip"), () => {
  line(`RCON running on ${settings.get("server-ip")}:${settings.get("rcon.port")}`);
  if (!neverReady) line('Done (5.123s)! For help, type "help"');
});
setInterval(() => {
  appendFileSync(
    gcLog,
    "[20.0s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 1200M->300M(2048M) 12.000ms\n",
  );
}, 200);
