import { monitorEventLoopDelay } from "node:perf_hooks";

/** Does nothing, and answers its parent by how much it was late at most since it was last asked, ms. */
const resolution = 10;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
process.on("message", () => {
  process.send?.(Math.max(0, delay.max / 1e6 - resolution));
  delay.reset();
});
