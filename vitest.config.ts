import { defineConfig } from "vitest/config";

/** These start programs of their own, and mostly wait for them. */
const withProcesses = [
  "agent",
  "browser",
  "cli",
  "conformance",
  "demo",
  "game",
  "machine",
  "operations",
  "scenarios",
].map((folder) => `test/${folder}/**/*.test.ts`);
/** These leave a process in a state that no other test may meet. */
const unavailable = "test/store/engine/unavailable-*.test.ts";
const pure = ["test/core/**/*.test.ts", "test/config.test.ts"];

/** Where temporary files go, and a PostgreSQL: for the projects whose tests write or ask for one. */
const globalSetup = ["test/support/scratch-global-setup.ts", "test/support/postgres-global-setup.ts"];

/** A larger young generation, MiB: tests make much that is soon garbage, and collecting it took a tenth of their time. */
const nodeOptions = "--max-semi-space-size=64";

export default defineConfig({
  test: {
    execArgv: [nodeOptions],
    // The programs that tests start inherit it.
    env: { NODE_OPTIONS: nodeOptions },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    // Many tests wait for a process or the disk: two workers more use the time of two cores.
    maxWorkers: 4,
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      { extends: true, test: { name: "core", include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: "processes",
          include: withProcesses,
          isolate: false,
          globalSetup,
        },
      },
      {
        extends: true,
        test: { name: "unavailable", include: [unavailable], isolate: true, globalSetup },
      },
      {
        extends: true,
        test: {
          name: "service",
          include: ["test/**/*.test.ts"],
          exclude: ["test/bench/**", ...pure, ...withProcesses, unavailable],
          isolate: false,
          setupFiles: ["test/support/rehearsed-units.ts"],
          globalSetup,
        },
      },
    ],
  },
});
