import type { Socket } from "node:net";

/** Time for a client to read why its request was refused, ms. */
const farewellMs = 1000;

/** Ends a connection after its last answer, without reading what still arrives. */
export function hangUp(socket: Socket): void {
  socket.end();
  // Discarding a request resumes its connection once more, on the next tick.
  setImmediate(() => socket.pause());
  // A client that never closes its side would keep the socket forever.
  setTimeout(() => socket.destroy(), farewellMs).unref();
}
