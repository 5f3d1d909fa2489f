import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { isMainThread } from "node:worker_threads";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Preloaded into the service that is measured. On "heap" it collects all garbage and answers the memory in use; on
 * "profile" it begins to sample where its time goes, and on a file's name it ends that and writes the profile there.
 */
if (isMainThread && process.send) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const session = new Session();
  const answers = {
    heap: async () => {
      // What the first one finalises, the second one frees.
      for (const _ of [1, 2]) collect();
      return process.memoryUsage();
    },
    profile: async () => {
      session.connect();
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: 1000 });
      await session.post("Profiler.start");
      return null;
    },
  };
  const writeProfile = async (file) => {
    const { profile } = await session.post("Profiler.stop");
    writeFileSync(file, JSON.stringify(profile));
    return null;
  };
  process.on("message", async (message) => {
    process.send((await (answers[message] ?? (() => writeProfile(message)))()) ?? "done");
  });
  process.channel?.unref();
}
