/** Reads a Java properties file (`java.util.Properties`). Of two equal keys the later counts. */
export function parseProperties(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of logicalLines(text)) {
    const { end, valueFrom } = keyOf(line);
    found.set(unescaped(line.slice(0, end)), unescaped(line.slice(valueFrom)));
  }
  return found;
}

const isBlank = (character: string | undefined): boolean =>
  character === " " || character === "\t" || character === "\f";

function withoutIndent(line: string): string {
  let from = 0;
  while (isBlank(line[from])) from += 1;
  return line.slice(from);
}

function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let open: string[] | null = null;
  for (const natural of text.split(/\r\n|\r|\n/)) {
    const line = withoutIndent(natural);
    if (open === null && (line === "" || line.startsWith("#") || line.startsWith("!"))) continue;
    const isContinued = endsOpen(line);
    const part = isContinued ? line.slice(0, -1) : line;
    open = open === null ? [part] : [...open, part];
    if (isContinued) continue;
    lines.push(open.join(""));
    open = null;
  }
  if (open !== null) lines.push(open.join(""));
  return lines.filter((line) => line !== "");
}

/** After an odd number of backslashes, the last one escapes the line's end. */
function endsOpen(line: string): boolean {
  let slashes = 0;
  while (line[line.length - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

function keyOf(line: string): { readonly end: number; readonly valueFrom: number } {
  let end = 0;
  while (end < line.length) {
    const character = line[end];
    if (character === "\\") end += 1;
    else if (character === "=" || character === ":" || isBlank(character)) break;
    end += 1;
  }
  end = Math.min(end, line.length);
  let valueFrom = end;
  while (isBlank(line[valueFrom])) valueFrom += 1;
  if (line[valueFrom] === "=" || line[valueFrom] === ":") valueFrom += 1;
  while (isBlank(line[valueFrom])) valueFrom += 1;
  return { end, valueFrom };
}

const named: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" };
const fourHex = /^[0-9A-Fa-f]{4}$/;

function unescaped(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", from)) {
    parts.push(text.slice(from, at));
    const code = text.slice(at + 2, at + 6);
    const letter = text[at + 1] ?? "";
    if (letter === "u" && fourHex.test(code)) {
      parts.push(String.fromCharCode(Number.parseInt(code, 16)));
      from = at + 6;
    } else {
      parts.push(named[letter] ?? letter);
      from = at + 2;
    }
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** Servers since 1.20 write UTF-8, older ones ISO 8859-1. */
export function propertiesText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** Where the game's own management protocol listens, of Java Edition 1.21.9 and later. */
export interface ManagementAddress {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  readonly isTls: boolean;
}

export interface ServerProperties {
  readonly host: string;
  readonly port: number;
  readonly rcon: { readonly port: number; readonly password: string } | null;
  /** Why `rcon` is null: it is not switched on, or has no password. */
  readonly rconLacks: "switch" | "password" | null;
  readonly management: ManagementAddress | null;
  /** Why `management` is null: it is not switched on, or has no port that stays the same, or no secret. */
  readonly managementLacks: "switch" | "port" | "secret" | null;
}

/** The game's defaults, for a line that is missing or holds no port. */
const [gamePort, rconPort] = [25_565, 25_575];

const isOnIn = (properties: ReadonlyMap<string, string>, name: string, otherwise = "false"): boolean =>
  (properties.get(name) ?? otherwise).trim().toLowerCase() === "true";

/** An address that stands for all addresses of this machine, or for none, becomes the loopback's. */
function reachable(address: string): string {
  const isEverywhere = address === "" || address === "0.0.0.0" || address === "::";
  return isEverywhere ? "127.0.0.1" : address;
}

function managementOf(
  properties: ReadonlyMap<string, string>,
): Pick<ServerProperties, "management" | "managementLacks"> {
  const lacks = (managementLacks: ServerProperties["managementLacks"]) => ({
    management: null,
    managementLacks,
  });
  if (!isOnIn(properties, "management-server-enabled")) return lacks("switch");
  const port = portOf(properties.get("management-server-port"));
  if (port === null) return lacks("port");
  const secret = properties.get("management-server-secret")?.trim() ?? "";
  if (secret === "") return lacks("secret");
  const host = reachable(properties.get("management-server-host")?.trim() ?? "");
  const isTls = isOnIn(properties, "management-server-tls-enabled", "true");
  return { management: { host, port, secret, isTls }, managementLacks: null };
}

export function propertiesOf(properties: ReadonlyMap<string, string>): ServerProperties {
  const isOn = isOnIn(properties, "enable-rcon");
  const password = properties.get("rcon.password") ?? "";
  return {
    host: reachable(properties.get("server-ip")?.trim() ?? ""),
    port: portOf(properties.get("server-port")) ?? gamePort,
    rcon:
      isOn && password !== "" ? { port: portOf(properties.get("rcon.port")) ?? rconPort, password } : null,
    rconLacks: !isOn ? "switch" : password === "" ? "password" : null,
    ...managementOf(properties),
  };
}

export function portOf(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? "";
  if (!/^\d{1,5}$/.test(trimmed)) return null;
  const port = Number(trimmed);
  return port >= 1 && port <= 65_535 ? port : null;
}
