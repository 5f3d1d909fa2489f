import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "node_modules/**"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    setupFiles: ["test/support/rehearsed-units.ts"],
    globalSetup: ["test/support/postgres-global-setup.ts"],
    reporters: ["default", "./test/support/closing-line.ts"],
  },
});
