/** Packet types of the Source RCON protocol; a command has the type of the answer to a password. */
export const rconType = { answer: 0, command: 2, password: 3 } as const;

export interface RconPacket {
  readonly id: number;
  readonly type: number;
  /** Bytes, because an answer may be cut within a character. */
  readonly body: Buffer;
}

/** Bytes beside the text: id, type and two zero bytes. */
const headBytes = 10;
/** Minecraft servers cut answers at 4,096 characters of at most 4 bytes: larger packets are not theirs. */
const largestPacket = 64 * 1024;

export function rconPacket(id: number, type: number, text: string): Buffer {
  const body = Buffer.from(text, "utf8");
  const packet = Buffer.alloc(4 + headBytes + body.length);
  packet.writeInt32LE(headBytes + body.length, 0);
  packet.writeInt32LE(id, 4);
  packet.writeInt32LE(type, 8);
  body.copy(packet, 12);
  return packet;
}

/** The stream may be cut at any byte. Throws for an impossible length: the rest cannot be trusted. */
export function rconPackets(): (bytes: Buffer) => RconPacket[] {
  let waiting: Buffer = Buffer.alloc(0);
  return (bytes) => {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    const packets: RconPacket[] = [];
    while (waiting.length >= 4) {
      const size = waiting.readInt32LE(0);
      if (size < headBytes || size > largestPacket)
        throw new Error("The program that answers does not speak RCON.");
      if (waiting.length < 4 + size) break;
      packets.push({
        id: waiting.readInt32LE(4),
        type: waiting.readInt32LE(8),
        body: waiting.subarray(12, 4 + size - 2),
      });
      waiting = waiting.subarray(4 + size);
    }
    return packets;
  };
}
