import { oneLine } from "../one-line.ts";
import { harmless } from "./log-events.ts";
import { playerCount } from "./ping-packets.ts";
import { portOf } from "../install/server-properties.ts";

/** What a RakNet server tells a client's server list; null for what it leaves out. */
export interface ListedBedrock {
  /** `MCPE`, or `MCEE` for the Education Edition. */
  readonly edition: string;
  /** Made harmless. */
  readonly name: string | null;
  readonly version: string | null;
  readonly online: number | null;
  readonly most: number | null;
  readonly ports: { readonly v4: number | null; readonly v6: number | null };
}

/** The same bytes in every packet without a connection. */
const magic = Buffer.from("00ffff00fefefefefdfdfdfd12345678", "hex");
const [pingId, pongId] = [0x01, 0x1c];
/** The number of no client: the agent never connects. */
const clientId = Buffer.alloc(8);
/** The packet's number, the time that was sent, the server's number, the magic bytes and the text's length. */
const pongHead = 1 + 8 + 8 + 16 + 2;

/** `time` comes back in the answer. */
export function unconnectedPing(time: bigint): Buffer {
  const head = Buffer.alloc(9);
  head[0] = pingId;
  head.writeBigUInt64BE(time, 1);
  return Buffer.concat([head, magic, clientId]);
}

/** Null for a packet that does not answer this ping. */
export function readUnconnectedPong(bytes: Buffer, time: bigint): ListedBedrock | null {
  if (bytes.length < pongHead || bytes[0] !== pongId || bytes.readBigUInt64BE(1) !== time) return null;
  if (!bytes.subarray(17, 33).equals(magic)) return null;
  const text = bytes.subarray(pongHead, pongHead + bytes.readUInt16BE(33)).toString("utf8");
  const [edition = "", name, _protocol, version, online, most, _server, , , , v4, v6] = partsOf(text);
  if (!/^MC[A-Z]{1,6}$/.test(edition)) return null;
  return {
    edition,
    name: name ? oneLine(harmless(name.replaceAll(/§./gu, ""), 60)) : null,
    version: version !== undefined && /^[\w.+-]{1,40}$/.test(version) ? version : null,
    online: countIn(online),
    most: countIn(most),
    ports: { v4: portOf(v4), v6: portOf(v6) },
  };
}

/** A server may escape a semicolon in its name. */
const partsOf = (text: string): string[] => text.split(/(?<!\\);/);

const countIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,7}$/.test(text) ? playerCount(Number(text)) : null;
