import { createServer, type AddressInfo, type Socket } from "node:net";

export interface ClosingConsole {
  readonly port: number;
  /** The types of all packets that it received. */
  readonly types: number[];
  readonly connections: () => number;
  close(): Promise<void>;
}

export interface ClosingConsoleOptions {
  /** As Cuberite: every packet is of type 2, and an empty one comes before the answer. */
  readonly confirms?: boolean;
  /** It closes after the password, whatever comes. */
  readonly refusesCommands?: boolean;
  /** The time between the empty packet and the answer, ms: one tick of the game. */
  readonly tickMs?: number;
}

const packet = (id: number, type: number, text: string): Buffer => {
  const bytes = Buffer.alloc(14 + Buffer.byteLength(text));
  bytes.writeInt32LE(bytes.length - 4, 0);
  bytes.writeInt32LE(id, 4);
  bytes.writeInt32LE(type, 8);
  bytes.write(text, 12);
  return bytes;
};

/** A console that closes the connection on a packet of a type that it does not know. */
export async function closingConsole(
  answer: (command: string) => string,
  { confirms = false, refusesCommands = false, tickMs = 50 }: ClosingConsoleOptions = {},
): Promise<ClosingConsole> {
  const types: number[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      if (bytes.length < 14) return void socket.destroy();
      const [id, type] = [bytes.readInt32LE(4), bytes.readInt32LE(8)];
      const text = bytes.subarray(12, bytes.readInt32LE(0) + 2).toString();
      types.push(type);
      if (type === 3) socket.write(packet(id, 2, ""));
      else if (type !== 2 || refusesCommands) socket.destroy();
      else if (!confirms) socket.write(packet(id, 0, answer(text)));
      else {
        socket.write(packet(id, 2, ""));
        setTimeout(() => socket.write(packet(id, 2, answer(text))), tickMs);
      }
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    types,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
