import { setImmediate } from "node:timers/promises";
import type { Executor } from "../../src/documents/executor.ts";
import { outcomeOf, outcomeValue } from "../../src/documents/outcome.ts";
import type { DocumentJob } from "../../src/documents/tasks.ts";

/**
 * Runs jobs where the test runs: threads run built files, this the sources. What goes in and out is copied as between
 * threads, so that nothing passes here that would not pass there.
 */
export const onThisThread: Executor = {
  slots: 1,
  run: async (job) => {
    await setImmediate();
    return outcomeValue(structuredClone(outcomeOf(structuredClone(job) as DocumentJob)));
  },
  close: async () => {},
};
