import { join } from "node:path";
import { headOrNull } from "../../linux/proc.ts";
import type { Transport } from "../process/listening.ts";
import { iniValue } from "./ini-value.ts";
import { metricValue } from "./metrics-url.ts";
import { portOf, propertiesOf, type ServerProperties } from "./server-properties.ts";

/** What is the same for all servers of one family. */
export interface ServerKind {
  /** Null for a server that nothing names, or one of the Java families without a difference here. */
  readonly name: string | null;
  /** Bedrock clients come by UDP, and their server list asks in another way. */
  readonly edition: "java" | "bedrock";
  readonly hasRcon: boolean;
  /** Its console opens before it can take a command: one that comes too early ends the server. */
  readonly isConsoleEarly: boolean;
  /** How to switch RCON on. */
  readonly rconSettings: string;
  /** Programs of other languages have no heap, no live set and no collections to measure. */
  readonly isJava: boolean;
  /** Logs in the order in which they are looked for; the first is taken where there is none. */
  readonly logs: readonly string[];
}

const javaLog = join("logs", "latest.log");
/** The name that owners give to the console of the Bedrock Dedicated Server, which has no log of its own. */
export const dedicatedLog = "Dedicated_Server.log";

export const javaServer: ServerKind = {
  name: null,
  edition: "java",
  hasRcon: true,
  isConsoleEarly: false,
  rconSettings: "set enable-rcon=true and rcon.password in server.properties",
  isJava: true,
  logs: [javaLog],
};
export const bedrockServer: ServerKind = {
  ...javaServer,
  edition: "bedrock",
  hasRcon: false,
  isJava: false,
  logs: [javaLog, "server.log"],
};
const cuberite: ServerKind = {
  ...javaServer,
  name: "Cuberite",
  isConsoleEarly: true,
  rconSettings: "set Enabled=1 and Password in the section [RCON] of settings.ini",
  isJava: false,
};
const geyser: ServerKind = { ...bedrockServer, name: "Geyser", isJava: true, logs: [javaLog] };
const pocketMine: ServerKind = { ...bedrockServer, name: "PocketMine-MP", logs: ["server.log"] };
const nukkit: ServerKind = {
  ...bedrockServer,
  name: "Nukkit",
  hasRcon: true,
  isJava: true,
  logs: [join("logs", "server.log"), javaLog],
};
const dedicated: ServerKind = {
  ...bedrockServer,
  name: "Bedrock Dedicated Server",
  logs: [dedicatedLog, "Dedicated_Server.txt", javaLog],
};

/** What is not measured without a console, for a server that has none. */
export const lacksRcon = ({ name, edition }: ServerKind): string =>
  `${name ?? (edition === "bedrock" ? "A Bedrock server" : "This server")} has no RCON, so TPS and tick times are not measured.`;

export const transportOf = ({ edition }: ServerKind): Transport => (edition === "bedrock" ? "udp" : "tcp");

export interface KnownServer {
  readonly kind: ServerKind;
  readonly settings: ServerProperties;
}

/** The game's default for clients of the Bedrock edition. */
const bedrockPort = 19_132;

/** A configuration is a few KB, bytes. */
const largestConfiguration = 256 * 1024;

const textIn = (directory: string, file: string): Promise<string | null> =>
  headOrNull(join(directory, file), largestConfiguration);

const hasFile = async (directory: string, file: string): Promise<boolean> =>
  (await headOrNull(join(directory, file), 1)) !== null;

/** The family by its files, and its ports; null if nothing shows that a server lives here. */
export async function knownServer(
  directory: string,
  properties: ReadonlyMap<string, string> | null,
): Promise<KnownServer | null> {
  if (properties !== null) {
    const kind = await kindBeside(directory, properties);
    return { kind, settings: settingsFor(kind, properties) };
  }
  return (await cuberiteIn(directory)) ?? (await geyserIn(directory));
}

async function kindBeside(directory: string, properties: ReadonlyMap<string, string>): Promise<ServerKind> {
  if ((await hasFile(directory, "nukkit.yml")) || (await hasFile(directory, "pnx.yml"))) return nukkit;
  if (await hasFile(directory, "pocketmine.yml")) return pocketMine;
  const isDedicated = properties.has("server-portv6") || (await hasFile(directory, "bedrock_server"));
  return isDedicated ? dedicated : javaServer;
}

function settingsFor(kind: ServerKind, properties: ReadonlyMap<string, string>): ServerProperties {
  const settings = propertiesOf(properties);
  if (kind.edition === "java") return settings;
  const port = portOf(properties.get("server-port")) ?? bedrockPort;
  return { ...settings, port, rcon: kind.hasRcon ? settings.rcon : null };
}

async function cuberiteIn(directory: string): Promise<KnownServer | null> {
  const text = await textIn(directory, "settings.ini");
  if (text === null) return null;
  const ports = iniValue(text, "Server", "Ports") ?? iniValue(text, "Server", "Port");
  if (ports === null) return null;
  const isOn = iniValue(text, "RCON", "Enabled") === "1";
  const password = iniValue(text, "RCON", "Password") ?? "";
  // Of several ports one is enough.
  const rconPort = portOf((iniValue(text, "RCON", "Ports") ?? "").split(/[,;]/)[0]);
  const defaults = propertiesOf(new Map());
  return {
    kind: cuberite,
    settings: {
      ...defaults,
      port: portOf(ports.split(/[,;]/)[0]) ?? defaults.port,
      rcon: isOn && password !== "" ? { port: rconPort ?? 25_575, password } : null,
      rconLacks: !isOn ? "switch" : password === "" ? "password" : null,
    },
  };
}

/** Geyser that runs alone; as a plugin it is a part of its server. */
async function geyserIn(directory: string): Promise<KnownServer | null> {
  const text = await textIn(directory, "config.yml");
  if (text === null || !/^bedrock:/m.test(text) || !/^(?:remote|java):/m.test(text)) return null;
  const port = portOf(metricValue(text.slice(text.search(/^bedrock:/m)), "port"));
  return {
    kind: geyser,
    settings: { ...propertiesOf(new Map()), port: port ?? bedrockPort },
  };
}
