/** What a server tells a client's server list; null for what it leaves out. */
export interface ListedServer {
  readonly online: number | null;
  readonly version: string | null;
}

/** The icon alone may be 30 KB of base64; a longer answer is refused, bytes. */
export const longestStatus = 256 * 1024;

export function varInt(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value >>> 0;
  for (;;) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
}

/** Null while the number is not complete; throws if it is too long for one. */
function readVarInt(bytes: Buffer, at: number): { value: number; end: number } | null {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return { value: value >>> 0, end: at + index + 1 };
  }
  throw notAServer();
}

const notAServer = (): Error => new Error("The program that answers is not a Minecraft server.");

const packet = (...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([varInt(body.length), body]);
};

/** Minecraft 1.8: every server since then answers it, and none warns in its log as for an unknown number. */
const knownProtocol = 47;

/** The handshake, and the request for the status. */
export function statusRequest(host: string, port: number): Buffer {
  const address = Buffer.from(host, "utf8").subarray(0, 255);
  const portBytes = Buffer.alloc(2);
  portBytes.writeUInt16BE(port);
  const towardsStatus = varInt(1);
  return Buffer.concat([
    packet(varInt(0), varInt(knownProtocol), varInt(address.length), address, portBytes, towardsStatus),
    packet(varInt(0)),
  ]);
}

/** Null while the status is not complete; throws if it never will be. */
export function readStatus(bytes: Buffer): ListedServer | null {
  const length = readVarInt(bytes, 0);
  if (!length) return null;
  if (length.value > longestStatus) throw notAServer();
  if (bytes.length < length.end + length.value) return null;
  const whole = bytes.subarray(0, length.end + length.value);
  const id = readVarInt(whole, length.end);
  const text = id?.value === 0 ? readVarInt(whole, id.end) : null;
  if (!text || text.end + text.value > whole.length) throw notAServer();
  return listed(whole.subarray(text.end, text.end + text.value).toString("utf8"));
}

/** A plugin may show any number of players; a larger one is not believed. */
const mostPlayers = 1_000_000;

export const playerCount = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostPlayers ? value : null;

function listed(json: string): ListedServer {
  let status: unknown;
  try {
    status = JSON.parse(json);
  } catch {
    throw notAServer();
  }
  const name = within(within(status, "version"), "name");
  return {
    online: playerCount(within(within(status, "players"), "online")),
    version: typeof name === "string" ? name.slice(0, 60) : null,
  };
}

/** Only own keys: no name in the JSON reaches a prototype. */
const within = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;

/** The request of clients from 1.4 to 1.6, which every later server still answers. */
export const legacyRequest = Buffer.of(0xfe, 0x01);

/**
 * The answer to it: 0xFF, a length in UTF-16 units, then `§1`, protocol, version, text, online, max,
 * separated by U+0000; before 1.4 text, online, max, separated by §. Null while it is not complete.
 */
export function readLegacyStatus(bytes: Buffer): ListedServer | null {
  if (bytes.length < 3) return null;
  if (bytes[0] !== 0xff) throw notAServer();
  const end = 3 + 2 * bytes.readUInt16BE(1);
  if (bytes.length < end) return null;
  const text = Buffer.from(bytes.subarray(3, end)).swap16().toString("utf16le");
  const isNewer = text.startsWith("§1\0");
  const parts = text.split(isNewer ? "\0" : "§");
  const online = isNewer ? parts[4] : parts.at(-2);
  if (online === undefined) throw notAServer();
  return {
    online: /^\d{1,7}$/.test(online) ? playerCount(Number(online)) : null,
    version: isNewer ? (parts[2] ?? "").slice(0, 60) : null,
  };
}
