import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Preloaded into a service under test: answers its parent with the longest block of the loop since it was last asked. */
if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on("message", () => {
    process.send(delay.max / 1e6);
    delay.reset();
  });
  process.channel?.unref();
}
