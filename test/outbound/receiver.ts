import { readFileSync } from "node:fs";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { BlockList, createServer, isIP, Socket, type AddressInfo, type Server } from "node:net";
import type { TLSSocket } from "node:tls";
import { vi } from "vitest";
import type { Message } from "../../src/core/notice/message.ts";
import type { Reach } from "../../src/outbound/reach.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8");

/** How the certificate was made stands in test/fixtures/README.md. */
export const certificate = fixture("tls-certificate.pem");
export const tlsKey = fixture("tls-key.pem");

/** Every name leads to a receiver on this machine, but those that begin with `inner`: they lead where none may be called. */
export const receiverReach: Reach = {
  resolve: async (name) => (name.startsWith("inner") ? ["10.0.0.7"] : ["127.0.0.1"]),
  isAllowed: (host) => host === "127.0.0.1",
  authority: certificate,
};

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly servername: unknown;
  /** As it came, which is what signatures are about. */
  readonly text: string;
  readonly body: unknown;
}

export interface Receiver {
  readonly port: number;
  readonly received: Received[];
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Nothing stands before the links of `lag`: they are whole. */
export const baseUrl = (): string => "";

/** A chat webhook over TLS on 127.0.0.1 that answers 204 by default. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createHttpsServer({ cert: certificate, key: tlsKey }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const { servername } = request.socket as TLSSocket & { servername?: unknown };
      const text = Buffer.concat(chunks).toString("utf8");
      received.push({ method, path: url, headers, servername, text, body: JSON.parse(text) });
      receiver.answer(response);
    });
  });
  const receiver: Receiver = {
    port: await listenOn(server, "127.0.0.1"),
    received,
    answer: (response) => void response.writeHead(204).end(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

export interface Trap {
  readonly port: number;
  readonly connections: number;
  close(): Promise<void>;
}

/** Takes connections that nobody may make, and says nothing to them. */
export async function startTrap(address: string, port = 0): Promise<Trap> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on("error", () => {})));
  return {
    port: await listenOn(server, address, port),
    get connections() {
      return sockets.length;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function listenOn(server: Server, host: string, port = 0): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

export interface Watch {
  /** Addresses that sockets of this process connect to; a name stands for a lookup of the system. */
  readonly targets: readonly string[];
  /** Bytes that arrived over all of them. */
  bytesRead(): number;
  stop(): void;
}

/** Sees every connection of this process where it is made, and lets none leave the machine. */
export function watchConnections(): Watch {
  const targets: string[] = [];
  const sockets: Socket[] = [];
  const connect = Socket.prototype.connect as (...given: unknown[]) => Socket;
  const spy = vi.spyOn(Socket.prototype, "connect").mockImplementation(function (
    this: Socket,
    ...given: unknown[]
  ) {
    sockets.push(this);
    const called = targetsOf(given);
    targets.push(...called);
    if (called.every((target) => isIP(target) !== 0 && loopback.check(target, familyOf(target)))) {
      return Reflect.apply(connect, this, given);
    }
    queueMicrotask(() => this.destroy(new Error("Tests do not leave this machine.")));
    return this;
  } as typeof Socket.prototype.connect);
  const bytesRead = () => sockets.reduce((total, socket) => total + socket.bytesRead, 0);
  return { targets, bytesRead, stop: () => spy.mockRestore() };
}

type Found = readonly { readonly address: string }[];

interface ConnectOptions {
  readonly host?: string;
  readonly lookup?: (name: string, options: object, done: (error: unknown, found: Found) => void) => void;
}

/** What Node would connect to: `connect` is given options, or an array that begins with them. */
function targetsOf([first]: readonly unknown[]): string[] {
  const { host = "localhost", lookup } = (Array.isArray(first) ? first[0] : first) as ConnectOptions;
  if (isIP(host) !== 0) return [host];
  let found: Found | null = null;
  lookup?.(host, { all: true }, (_error, addresses) => (found = addresses));
  return (found ?? [{ address: host }]).map(({ address }) => address);
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

const blockList = (ranges: string): BlockList => {
  const list = new BlockList();
  for (const range of ranges.split(" ")) {
    const [network = "", prefix] = range.split("/");
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return list;
};

const loopback = blockList("127.0.0.0/8 ::1/128");

/**
 * IANA's registries of special-purpose addresses, multicast, and what is unassigned: found a second way. Two lists,
 * because a list of both kinds takes an IPv4 address for the IPv6 one it can be mapped to.
 */
const special = {
  ipv4: blockList(
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
      "192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 " +
      "198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  ),
  ipv6: blockList("::/3 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 4000::/2 8000::/1"),
};

/** Whether an address, in its own form, is one of the public internet. A name is none. */
export const isPublic = (address: string): boolean => {
  const family = familyOf(address);
  return isIP(address) !== 0 && !special[family].check(address, family);
};

/** The message of a server lag. */
export const lag: Message = {
  title: "Low TPS on Lobby",
  lines: ["TPS 14.2, below 18 for 5 minutes.", "Since 14:02 UTC."],
  link: "https://tickmark.example/servers/1?tab=alerts",
  tone: "bad",
};
