import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const slowestShown = 10;

/** Seconds that the tests and hooks of a file took, without the loading of its modules. */
const secondsOf = (module: TestModule): number => module.diagnostic().duration / 1000;

function printSlowest(modules: readonly TestModule[]): void {
  const slowest = modules.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, slowestShown);
  console.log("The slowest files, in seconds:");
  for (const module of slowest)
    console.log(`${secondsOf(module).toFixed(1).padStart(8)}  ${relative(process.cwd(), module.moduleId)}`);
}

/** Ends a run with its slowest files and one plain line that any tool can read: `N passed, N failed, N skipped`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state in counts) counts[state as keyof typeof counts] += 1;
      }
    }
    if (modules.length > slowestShown) printSlowest(modules);
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
