import type { Server } from "node:http";
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { within } from "./within.ts";

/** Announced keep-alive, ms: proxies and clients keep idle connections for up to two minutes. */
const announcedIdleMs = 120_000;
/** We wait this much longer than announced, ms, so that the client closes first, even on a slow network. */
const idleGraceMs = 10_000;

export interface IdleTimes {
  readonly announcedMs: number;
  readonly graceMs: number;
}

const usualIdleTimes: IdleTimes = { announcedMs: announcedIdleMs, graceMs: idleGraceMs };

/** After the time to stop, the last answers have this long to be sent, ms. */
const farewellMs = 250;

/** Follows the newest request of every connection, so that stopping takes a known time. */
export class Connections {
  readonly idleTimes: IdleTimes;
  /** Null before the first request. */
  readonly #newest = new Map<Socket, FastifyReply | null>();
  #stopping = false;

  constructor(idleTimes = usualIdleTimes) {
    this.idleTimes = idleTimes;
  }

  attach(server: Server): void {
    keepLongerThanAnnounced(server, this.idleTimes.graceMs);
    server.on("connection", (socket: Socket) => this.#follow(socket));
  }

  #follow(socket: Socket): void {
    this.#newest.set(socket, null);
    socket.once("close", () => this.#newest.delete(socket));
  }

  /** Notes a request whose headers have arrived. */
  begin(reply: FastifyReply): void {
    const { socket } = reply.request.raw;
    // Fastify serves the second address of a name such as localhost by a server that we do not see.
    if (!this.#newest.has(socket) && socket instanceof Socket) this.#follow(socket);
    if (this.#stopping) {
      // A client that pipelines requests reads answers until the first one that says close.
      const earlier = this.#newest.get(socket);
      if (earlier && !earlier.raw.headersSent) earlier.raw.removeHeader("connection");
      reply.raw.setHeader("connection", "close");
    }
    if (this.#newest.has(socket)) this.#newest.set(socket, reply);
  }

  /**
   * Refuses new connections, ends idle ones, and ends the others after their answer. Requests without an
   * answer after `withinMs` go to `refuse`. Resolves with their number when all is closed.
   */
  async stop(app: FastifyInstance, withinMs: number, refuse: (reply: FastifyReply) => void): Promise<number> {
    this.#stopping = true;
    // Serves requests and connections that the system has already accepted.
    await turn();
    await turn();
    const closed = app.close();
    // Fastify's secondary servers stop listening at once with this, otherwise only at the end.
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
 * Lets clients close first: a request sent to a closing connection is lost. Node reports the announced
 * timeout first, then the grace begins.
 */
function keepLongerThanAnnounced(server: Server, graceMs: number): void {
  server.on("timeout", (socket: Socket) => {
    if (socket.timeout === graceMs) socket.destroy();
    else socket.setTimeout(graceMs);
  });
}
