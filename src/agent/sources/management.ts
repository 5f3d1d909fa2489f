import type { WebSocket } from "undici";
import { secondMs, type Instant } from "../../core/time.ts";
import type { ManagementAddress, ServerProperties } from "../install/server-properties.ts";
import {
  factOfNotification,
  messageOf,
  methodsIn,
  statusIn,
  type ManagementMessage,
} from "./management-messages.ts";
import type { DatedFact } from "./log-reader.ts";
import type { Finding, Source } from "./source.ts";

/** Between two attempts to connect, ms; the longer one after three failures in a row. */
const againMs = 5 * secondMs;
const rarelyMs = 60 * secondMs;
const failuresUntilRare = 3;
const patienceMs = 5 * secondMs;
/** The log tells of a start how long it took, and a moment later, ms. */
const startHeldMs = 3 * secondMs;

const statusMethod = "minecraft:server/status";

interface Waiting {
  readonly settle: (message: ManagementMessage | Error) => void;
}

/** The connection to the game's management protocol, which is kept open for its notifications. */
export class ManagementLink {
  #address: ManagementAddress | null;
  readonly #clock: () => Instant;
  readonly #elapsed: () => number;
  #socket: WebSocket | null = null;
  #opening: Promise<void> | null = null;
  #triedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #lastId = 0;
  #waiting = new Map<number, Waiting>();
  #facts: DatedFact[] = [];
  #methods: ReadonlySet<string> | null = null;
  #isClosed = false;

  constructor(
    address: ManagementAddress | null,
    clock: () => Instant = Date.now,
    elapsed = () => performance.now(),
  ) {
    this.#address = address;
    this.#clock = clock;
    this.#elapsed = elapsed;
  }

  /** Null if the server's settings switch it off. */
  get port(): number | null {
    return this.#address?.port ?? null;
  }

  /** The server's settings changed: a connection by the old ones ends. */
  use(address: ManagementAddress | null): void {
    if (JSON.stringify(address) === JSON.stringify(this.#address)) return;
    this.#address = address;
    this.#failures = 0;
    this.#triedAt = Number.NEGATIVE_INFINITY;
    this.#socket?.close();
  }

  /** Facts since the last call. Connects in the background where there is no connection. */
  facts(now: Instant): readonly DatedFact[] {
    this.#connectSometimes();
    const isDue = ({ fact, at }: DatedFact): boolean => fact.is !== "ready" || now - at >= startHeldMs;
    const due = this.#facts.filter(isDue);
    this.#facts = this.#facts.filter((one) => !isDue(one));
    return due;
  }

  /** Null if this version does not tell it. Rejects in one line without a connection. */
  async players(signal: AbortSignal): Promise<number | null> {
    if (this.#socket === null) await this.#open(signal);
    if (this.#methods !== null && !this.#methods.has(statusMethod)) return null;
    return statusIn(await this.#call(statusMethod, signal)).players;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  #connectSometimes(): void {
    if (this.#address === null) return;
    const waitMs = this.#failures < failuresUntilRare ? againMs : rarelyMs;
    if (this.#socket !== null || this.#opening !== null || this.#elapsed() - this.#triedAt < waitMs) return;
    // The failure shows where the figures are read.
    this.#open(AbortSignal.timeout(patienceMs)).catch(() => undefined);
  }

  #open(signal: AbortSignal): Promise<void> {
    this.#triedAt = this.#elapsed();
    this.#opening ??= this.#openCounted(signal).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #openCounted(signal: AbortSignal): Promise<void> {
    this.#failures += 1;
    await this.#opened(signal);
    this.#failures = 0;
  }

  async #opened(signal: AbortSignal): Promise<void> {
    if (this.#isClosed || this.#address === null) throw new Error("The connection was closed.");
    // Loaded only where a server has this protocol, because it needs much memory.
    const { Agent, WebSocket } = await import("undici");
    const { host, port, secret, isTls } = this.#address;
    const name = host.includes(":") ? `[${host}]` : host;
    const socket = new WebSocket(`${isTls ? "wss" : "ws"}://${name}:${port}/`, {
      headers: { authorization: `Bearer ${secret}` },
      // The server's own key, on this machine: nobody signs it.
      dispatcher: new Agent({ connect: { rejectUnauthorized: false, timeout: patienceMs } }),
    });
    await new Promise<void>((resolve, reject) => {
      const failed = (): void =>
        reject(new Error(`The server takes no connection on its management port ${port}.`));
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", failed, { once: true });
      socket.addEventListener("close", failed, { once: true });
      signal.addEventListener("abort", failed, { once: true });
    }).catch((error: unknown) => {
      socket.close();
      throw error;
    });
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(String(data)));
    socket.addEventListener("close", () => this.#lost(socket));
    this.#methods = methodsIn(await this.#call("rpc.discover", signal).catch(() => null));
  }

  #take(text: string): void {
    const message = messageOf(text);
    if (message === null) return;
    if (message.method === null && message.id !== null) {
      this.#waiting.get(message.id)?.settle(message);
      return;
    }
    const fact = factOfNotification(message);
    if (fact === null) return;
    const line = `management ${String(message.method)} ${JSON.stringify(message.params ?? null)}`;
    this.#facts.push({ fact, at: this.#clock(), lineBeforeAt: null, line });
  }

  #lost(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    for (const { settle } of this.#waiting.values())
      settle(new Error("The server closed the connection of its management protocol."));
  }

  async #call(method: string, signal: AbortSignal): Promise<unknown> {
    const socket = this.#socket;
    if (socket === null) throw new Error("There is no connection to the management protocol.");
    const id = (this.#lastId += 1);
    const late = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    try {
      const answer = await new Promise<ManagementMessage>((resolve, reject) => {
        const settle = (message: ManagementMessage | Error): void =>
          message instanceof Error ? reject(message) : resolve(message);
        this.#waiting.set(id, { settle });
        late.addEventListener("abort", () => settle(new Error(`The server does not answer ${method}.`)), {
          once: true,
        });
        socket.send(JSON.stringify({ jsonrpc: "2.0", method, id }));
      });
      if (answer.isError) throw new Error(`The server refuses ${method}.`);
      return answer.result;
    } finally {
      this.#waiting.delete(id);
    }
  }
}

const about = "management protocol";

/** The number of players; starts, stops and bans go to the source of the log. */
export function managementSource(
  link: ManagementLink,
  lacks: ServerProperties["managementLacks"] = null,
): Source {
  return {
    name: about,
    async check(signal) {
      const { port } = link;
      if (port === null) return lacks === null || lacks === "switch" ? [] : [unusable[lacks]];
      try {
        return [able(port, await link.players(signal))];
      } catch (error) {
        return [unable(error instanceof Error ? error.message : "It cannot be read.")];
      }
    },
    async read(_now, signal) {
      const players = link.port === null ? null : await link.players(signal);
      return players === null ? {} : { measured: { player_count: players } };
    },
    // The source of the log closes the connection, which it needs too.
    async close() {},
  };
}

const unusable = {
  port: {
    able: false,
    about,
    says: "It is switched on, but the server chooses another port at each start; set management-server-port in server.properties and restart the server.",
  },
  secret: {
    able: false,
    about,
    says: "It is switched on, but server.properties has no management-server-secret yet; the server writes one at its next start.",
  },
} as const;

const able = (port: number, players: number | null): Finding => ({
  able: true,
  about,
  says: `Answers on port ${port}${players === null ? "" : ` (${players} players)`}: starts, stops and bans are known without the log.`,
});

const unable = (why: string): Finding => ({
  able: false,
  about,
  says: `${why} If the server runs, compare management-server-secret and management-server-tls-enabled with what it was started with.`,
});
