import { defineConfig } from "vitest/config";
import { patienceMs } from "./test/support/patience.ts";
import { MixedSequencer } from "./test/support/mixed-sequencer.ts";

/**
 * These leave a process in a state that no other test may meet, or measure what code costs: in a process that ran
 * hundreds of other files, the compiler knows the same functions with the data of those too.
 */
const alone = ["test/store/engine/unavailable-*.test.ts", "test/**/*-cost.test.ts"];

/** Where temporary files go, and a PostgreSQL. */
const globalSetup = ["test/support/scratch-global-setup.ts", "test/support/postgres-global-setup.ts"];

/** A larger young generation, MiB: tests make much that is soon garbage, and collecting it took a tenth of their time. */
const nodeOptions = "--max-semi-space-size=64";

/**
 * Most of what a test runs, it runs seldom: Node 20 compiles it for speed nonetheless, which cost a twentieth of the
 * processor time of 2,920 tests. With a budget of four times the usual one, only what runs long is compiled so. Later versions have no such budget.
 */
const compileLate = process.version.startsWith("v20.") ? ["--interrupt-budget=270000"] : [];

export default defineConfig({
  test: {
    execArgv: [nodeOptions],
    // The programs that tests start inherit it.
    env: { NODE_OPTIONS: nodeOptions },
    // Slow machines, and those that do something else meanwhile, need several times what most tests take here.
    testTimeout: 600_000,
    expect: { poll: { timeout: patienceMs } },
    hookTimeout: 600_000,
    pool: "forks",
    // Many tests wait for a process or the disk: two workers more use the time of two cores.
    maxWorkers: 4,
    sequence: { sequencer: MixedSequencer },
    setupFiles: ["test/support/rehearsed-units.ts"],
    globalSetup,
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      {
        extends: true,
        // One project for nearly all: each compiles the sources anew, and each of its workers loads them again.
        test: {
          name: "all",
          include: ["test/**/*.test.ts"],
          exclude: alone,
          isolate: false,
          execArgv: [nodeOptions, ...compileLate],
        },
      },
      { extends: true, test: { name: "alone", include: alone, isolate: true } },
    ],
  },
});
