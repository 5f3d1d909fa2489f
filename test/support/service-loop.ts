import { fileURLToPath } from "node:url";
import type { ServiceProcess } from "./service-process.ts";

/** The environment in which a service measures its loop. */
export const measuredLoop = {
  NODE_OPTIONS: `--import ${fileURLToPath(new URL("./loop-delay.mjs", import.meta.url))}`,
};

/** What a service's loop went through since it was last asked, ms (loop-delay.mjs). */
interface Loop {
  /** The longest block, as the loop saw it, and in CPU time. */
  readonly wall: number;
  readonly cpu: number;
  /** All CPU time of the thread. */
  readonly spent: number;
}

export function loopOf({ process }: ServiceProcess): Promise<Loop> {
  const answered = new Promise<Loop>((resolve) => process.once("message", (loop) => resolve(loop as Loop)));
  process.send?.("loop");
  return answered;
}
