import { createServer as createPlain, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";

export interface ManagementServer {
  readonly port: number;
  /** The methods it was asked for, in order. */
  readonly calls: string[];
  players: readonly { readonly id: string; readonly name: string }[];
  readonly connections: () => number;
  /** Connections that were refused for their secret. */
  readonly refused: () => number;
  notify(name: string, ...params: readonly unknown[]): void;
  /** Ends every connection, as a server that stops. */
  drop(): void;
  close(): Promise<void>;
}

interface Key {
  readonly key: string;
  readonly cert: string;
}

/** The management protocol as Java Edition 1.21.9 and later speaks it, played; with a key it speaks TLS. */
export async function startManagementServer(
  secret: string,
  tls: Key | null = null,
): Promise<ManagementServer> {
  const calls: string[] = [];
  let refused = 0;
  const http: Server = tls === null ? createPlain() : createSecure(tls);
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, socket, head) => {
    if (request.headers.authorization !== `Bearer ${secret}`) {
      refused += 1;
      socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (one) => sockets.emit("connection", one, request));
  });
  const server: ManagementServer = {
    port: 0,
    calls,
    players: [],
    refused: () => refused,
    connections: () => sockets.clients.size,
    notify: (name, ...params) => {
      const message = { jsonrpc: "2.0", method: `minecraft:notification/${name}`, params };
      for (const one of sockets.clients) one.send(JSON.stringify(message));
    },
    drop: () => sockets.clients.forEach((one) => one.terminate()),
    close: async () => {
      server.drop();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const answers: Readonly<Record<string, () => unknown>> = {
    "rpc.discover": () => ({ openrpc: "1.3.2", methods: [{ name: "minecraft:server/status" }] }),
    "minecraft:server/status": () => ({
      started: true,
      players: server.players,
      version: { name: "1.21.9", protocol: 773 },
    }),
  };
  sockets.on("connection", (one: WebSocket) =>
    one.on("message", (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
      calls.push(method);
      const answer = answers[method];
      const rest = answer ? { result: answer() } : { error: { code: -32_601, message: "Method not found" } };
      one.send(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
    }),
  );
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return Object.assign(server, { port: (http.address() as AddressInfo).port });
}
