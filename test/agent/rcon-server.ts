import { createServer, type AddressInfo, type Socket } from "node:net";

export interface RconServer {
  readonly port: number;
  /** What it answers to a command; a command that is not here is unknown. */
  readonly answers: Map<string, string | (() => string)>;
  /** Every command it received, in order. */
  readonly commands: string[];
  readonly connections: () => number;
  /** While true it takes commands and answers none: its main thread is stuck. */
  stuck: boolean;
  /** Ends every connection, as a server that stops. */
  drop(): void;
  close(): Promise<void>;
}

/** `bytewise`: every byte is a write of its own. `cut`: so many characters of an answer a packet. */
export interface RconServerOptions {
  readonly password?: string;
  readonly bytewise?: boolean;
  readonly cut?: number;
  /** Says nothing to a type it does not know. */
  readonly silent?: boolean;
}

/**
 * A remote console as the game's own is: answers cut at 4,096 characters, `Unknown request` to a type it does not
 * know, a wrong password answered with id −1, and a connection dropped whose two packets arrive in one piece.
 */
export async function startRconServer({
  password = "secret",
  bytewise = false,
  cut = 4096,
  silent = false,
}: RconServerOptions = {}): Promise<RconServer> {
  const answers: RconServer["answers"] = new Map();
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const write = async (socket: Socket, bytes: Buffer): Promise<void> => {
    if (!bytewise) return void socket.write(bytes);
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
  };
  const packet = (id: number, type: number, text: string): Buffer => {
    const body = Buffer.from(text);
    const head = Buffer.alloc(12);
    head.writeInt32LE(body.length + 10, 0);
    head.writeInt32LE(id, 4);
    head.writeInt32LE(type, 8);
    return Buffer.concat([head, body, Buffer.alloc(2)]);
  };
  const answered = async (socket: Socket, id: number, text: string): Promise<void> => {
    let rest = text;
    do {
      await write(socket, packet(id, 0, rest.slice(0, cut)));
      rest = rest.slice(cut);
    } while (rest !== "");
  };

  const server: RconServer = {
    port: 0,
    answers,
    commands,
    connections: () => connections,
    stuck: false,
    drop: () => sockets.forEach((socket) => socket.destroy()),
    async close() {
      server.drop();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  const listener = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.setNoDelay(true);
    let mayAsk = false;
    socket.on("data", async (bytes) => {
      if (bytes.length < 14 || bytes.readInt32LE(0) !== bytes.length - 4) return void socket.destroy();
      const id = bytes.readInt32LE(4);
      const type = bytes.readInt32LE(8);
      const text = bytes.subarray(12, -2).toString();
      if (type === 3) {
        mayAsk = text === password;
        await write(socket, packet(mayAsk ? id : -1, 2, ""));
      } else if (!mayAsk) {
        await write(socket, packet(-1, 2, ""));
      } else if (type === 2) {
        commands.push(text);
        if (server.stuck) return;
        const answer =
          answers.get(text) ?? `Unknown or incomplete command, see below for error${text}<--[HERE]`;
        await answered(socket, id, typeof answer === "string" ? answer : answer());
      } else if (!silent) {
        await answered(socket, id, `Unknown request ${type.toString(16)}`);
      }
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return Object.assign(server, { port: (listener.address() as AddressInfo).port });
}
