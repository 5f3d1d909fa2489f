import { writeSync } from "node:fs";

const pauseMs = 2;

/** Writes a line at once, so that nothing of it is lost with the process; waits while the reader does not keep up. */
export function sayLine(...words: readonly (string | number)[]): void {
  for (;;) {
    try {
      // Short enough for the pipe to take all of it or nothing.
      writeSync(1, `${words.join(" ")}\n`);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
