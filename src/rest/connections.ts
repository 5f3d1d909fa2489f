import type { Server } from "node:http";
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { within } from "./within.ts";

/** The time that answers announce for an idle connection, ms: proxies and clients keep theirs for up to two minutes. */
const announcedIdleMs = 120_000;
/** The time that we wait longer than announced, ms: the client lets go first, also with a slow network between. */
const idleGraceMs = 10_000;

/** How long an idle connection is kept, ms. */
export interface IdleTimes {
  readonly announcedMs: number;
  readonly graceMs: number;
}

const usualIdleTimes: IdleTimes = { announcedMs: announcedIdleMs, graceMs: idleGraceMs };

/** How long an answer that was given at the end of the time to stop may take to leave, ms. */
const farewellMs = 250;

/** The connections of a server with the request that each is at, so that stopping takes a known time. */
export class Connections {
  readonly idleTimes: IdleTimes;
  /** The newest request of each connection; null where there was none yet. */
  readonly #newest = new Map<Socket, FastifyReply | null>();
  #stopping = false;

  constructor(idleTimes = usualIdleTimes) {
    this.idleTimes = idleTimes;
  }

  /** Follows the connections of a server from now on. */
  attach(server: Server): void {
    keepLongerThanAnnounced(server, this.idleTimes.graceMs);
    server.on("connection", (socket: Socket) => this.#follow(socket));
  }

  #follow(socket: Socket): void {
    this.#newest.set(socket, null);
    socket.once("close", () => this.#newest.delete(socket));
  }

  /** Takes note of a request whose head has arrived. */
  begin(reply: FastifyReply): void {
    const { socket } = reply.request.raw;
    // The framework serves the second address of a name such as localhost by a server that we do not see.
    if (!this.#newest.has(socket) && socket instanceof Socket) this.#follow(socket);
    if (this.#stopping) {
      // A client that sends several requests at once reads their answers up to the one that says close.
      const earlier = this.#newest.get(socket);
      if (earlier && !earlier.raw.headersSent) earlier.raw.removeHeader("connection");
      reply.raw.setHeader("connection", "close");
    }
    if (this.#newest.has(socket)) this.#newest.set(socket, reply);
  }

  /**
   * Refuses new connections, ends those without a request, and each other one with its answer. Whatever has no answer
   * after `withinMs` is given to `refuse`; nothing is open any more when this resolves. Resolves with how many that were.
   */
  async stop(app: FastifyInstance, withinMs: number, refuse: (reply: FastifyReply) => void): Promise<number> {
    this.#stopping = true;
    // Requests and connections that the system has taken for us by now are served.
    await turn();
    await turn();
    const closed = app.close();
    // The framework's servers beside its main one stop listening at once with this, and else only at the end.
    app.server.unref();
    for (const [socket, reply] of this.#newest) this.#endWithAnswer(socket, reply);
    await within(withinMs, closed);
    const late = [...this.#newest.values()].filter((reply) => reply !== null && !reply.raw.headersSent);
    for (const reply of late) if (reply !== null) refuse(reply);
    if (this.#newest.size > 0) await within(farewellMs, closed);
    for (const socket of this.#newest.keys()) socket.destroy();
    await closed;
    return late.length;
  }

  #endWithAnswer(socket: Socket, reply: FastifyReply | null): void {
    if (reply === null || reply.raw.writableFinished) socket.destroy();
    else if (!reply.raw.headersSent) reply.raw.setHeader("connection", "close");
    else
      reply.raw.once("finish", () => {
        if (this.#newest.get(socket) === reply) socket.destroySoon();
      });
  }
}

/**
 * A request that is on its way while its connection is closed is lost. The timeout that answers announce passes
 * twice: the first one that node reports only begins the grace.
 */
function keepLongerThanAnnounced(server: Server, graceMs: number): void {
  server.on("timeout", (socket: Socket) => {
    if (socket.timeout === graceMs) socket.destroy();
    else socket.setTimeout(graceMs);
  });
}
