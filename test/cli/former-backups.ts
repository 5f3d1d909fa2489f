import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFile } from "../../src/cli/new-file.ts";
import { compactTime } from "../../src/store/transfer/compact-time.ts";
import type { Keeper } from "./backup-world.ts";

const backupName = /^tickmark-(?:[0-9a-f]{12}-)?\d{8}T\d{6}Z\.(?:db|ndjson)$/;
const retryMs = 10 * 60_000;

/** The rule of the version before: it believed the date, and the newest file. The histories have to find its faults. */
export const formerKeeper: Keeper = async ({ folder, keep, everyMs, database }, signal, turns, clock) => {
  const newestFirst = (): string[] =>
    readdirSync(folder)
      .filter((name) => backupName.test(name))
      .toSorted()
      .toReversed();
  const madeAt = (): number => {
    const [newest] = newestFirst();
    return newest === undefined ? Number.NEGATIVE_INFINITY : statSync(join(folder, newest)).mtimeMs;
  };
  let failedAt = Number.NEGATIVE_INFINITY;
  const waitMs = (): number => {
    const ms = Math.max(madeAt() + everyMs, failedAt + Math.min(retryMs, everyMs)) - clock.now().wall;
    return ms <= everyMs ? ms : 0;
  };
  while (!signal.aborted) {
    const ms = waitMs();
    if (ms > 0) {
      await clock.rest(ms, signal);
      continue;
    }
    try {
      const file = join(
        folder,
        `tickmark-${database.identity}-${compactTime(new Date(clock.now().wall))}.db`,
      );
      await makeFile(file, (draft) => database.write(draft, () => {}), signal);
      for (const old of newestFirst().slice(keep ?? undefined)) rmSync(join(folder, old), { force: true });
      turns.made({ file, bytes: 0 });
    } catch (error) {
      failedAt = clock.now().wall;
      turns.failed(error);
    }
    // It took no rest here; without one this test would not end.
    await clock.rest(1000, signal);
  }
};
