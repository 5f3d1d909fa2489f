import type { Socket } from "node:net";

/** How long a client whose request was refused may take to read why, ms. */
const farewellMs = 1000;

/** Ends a connection whose last answer is on its way. Nothing more is read, since that would be for nobody. */
export function hangUp(socket: Socket): void {
  socket.end();
  // A request that is being thrown away resumes its connection once more, on the next tick.
  setImmediate(() => socket.pause());
  // A client that never closes its side would keep the socket for ever.
  setTimeout(() => socket.destroy(), farewellMs).unref();
}
