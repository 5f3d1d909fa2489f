import { mkdirSync } from "node:fs";
import { machineTests } from "../../src/bench/machine/machine-tests.ts";
import { usableMemory } from "../../src/bench/machine/usable-memory.ts";

// A short run of one machine test, for tests that start it under limits: prints the result.
const [id = "", folder = "", length = "0.02"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const result = await machineTests
  .find((test) => test.id === id)
  ?.run({
    signal: new AbortController().signal,
    folder,
    length: Number(length),
    processors: 2,
    memoryBytes: await usableMemory(),
    measuredBy: "wall_time",
    progress: () => {},
  });
process.stdout.write(JSON.stringify(result));
