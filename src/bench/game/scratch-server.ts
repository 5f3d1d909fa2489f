import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { cp, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { RconAddress } from "../../agent/sources/rcon-client.ts";
import { writeDataPack } from "./data-pack.ts";
import { isAbsent, nullIfAbsent } from "../../core/failure-code.ts";

const loopback = "127.0.0.1";

/** Everybody measures the same world. */
export const worldSeed = "7091862413";

/** Files that a server made beside its jar; without them some servers download the game again. */
const besideJar = [
  "libraries",
  "versions",
  "cache",
  ".fabric",
  "server.jar",
  "fabric-server-launcher.properties",
];

/** In servers of the Spigot family, entities far from players do nothing unless the range is 0. */
const activation = ["animals", "monsters", "raiders", "misc", "water", "villagers", "flying-monsters"];
const spigotSettings = [
  "world-settings:",
  "  default:",
  "    entity-activation-range:",
  ...activation.map((kind) => `      ${kind}: 0`),
  "",
].join("\n");

/** Fills an empty folder with all that the server needs. Returns the address of its remote console. */
export async function prepareScratchServer(folder: string, jar: string): Promise<RconAddress> {
  const [gamePort = 0, rconPort = 0] = await freePorts(2);
  const password = randomBytes(24).toString("base64url");
  await writeFile(join(folder, "eula.txt"), "eula=true\n");
  const settings = properties(gamePort, rconPort, password);
  await writeFile(join(folder, "server.properties"), settings, { mode: 0o600 });
  await writeFile(join(folder, "spigot.yml"), spigotSettings);
  await writeDataPack(join(folder, "world"));
  await copyBesideJar(dirname(jar), folder);
  return { host: loopback, port: rconPort, password };
}

/** Call it after the start: a server without bukkit.yml is not of the Spigot family. */
export async function removeForeignSettings(folder: string): Promise<void> {
  const bukkit = await stat(join(folder, "bukkit.yml")).catch(nullIfAbsent);
  if (bukkit === null) await rm(join(folder, "spigot.yml"), { force: true });
}

const properties = (gamePort: number, rconPort: number, password: string): string =>
  Object.entries({
    "level-name": "world",
    "level-seed": worldSeed,
    "level-type": "minecraft\\:normal",
    "generate-structures": "true",
    difficulty: "normal",
    "server-ip": loopback,
    "server-port": gamePort,
    "enable-rcon": "true",
    "rcon.port": rconPort,
    "rcon.password": password,
    "broadcast-rcon-to-ops": "false",
    "enable-query": "false",
    "enable-status": "false",
    "enable-jmx-monitoring": "false",
    "online-mode": "false",
    "white-list": "true",
    "enforce-whitelist": "true",
    // A long tick is measured and must not end the server; a server without players must go on.
    "max-tick-time": "-1",
    "pause-when-empty-seconds": "-1",
    // The game removes entities of kinds that may not spawn; without a player nothing spawns.
    "spawn-animals": "true",
    "spawn-monsters": "true",
    "spawn-npcs": "true",
    "view-distance": 10,
    "simulation-distance": 10,
  })
    .map(([key, value]) => `${key}=${value}\n`)
    .join("");

/** Ports that are free now, held at the same time so that no two are equal. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(0, loopback, resolve);
      });
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function copyBesideJar(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of besideJar)
    await cp(join(from, name), join(to, name), {
      recursive: true,
      // The server could write through a link.
      dereference: true,
      mode: constants.COPYFILE_FICLONE,
    }).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
}
