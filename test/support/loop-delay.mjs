import { existsSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = `/proc/self/task/${process.pid}/schedstat`;

/**
 * CPU time of the main thread, ms: on a busy machine a loop is also late because others have the core. Where the system
 * does not tell it, the time that the loop was busy.
 */
const spentMs = existsSync(file)
  ? () => Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6
  : () => performance.eventLoopUtilization().active;

/**
 * Preloaded into a service under test: answers its parent with the longest block of the loop since it was last asked, as
 * the loop saw it and in CPU time of its thread, and with all CPU time of that thread since then.
 */
if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let [before, longest, since] = [spentMs(), 0, spentMs()];
  const look = () => {
    const now = spentMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  setInterval(look, 1).unref();
  process.on("message", () => {
    look();
    process.send({ wall: delay.max / 1e6, cpu: longest, spent: before - since });
    delay.reset();
    [longest, since] = [0, before];
  });
  process.channel?.unref();
}
