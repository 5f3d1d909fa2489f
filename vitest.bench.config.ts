import { defineConfig } from "vitest/config";

/** Benchmarks print ratios against a named baseline of the same run; they are no tests and gate nothing. */
export default defineConfig({
  test: {
    include: ["test/bench/**/*.bench.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    pool: "forks",
  },
});
