import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { keepBackingUp } from "../../src/cli/keep-backing-up.ts";
import { dayMs, hourMs, secondMs } from "../../src/core/time.ts";
import { compactTime } from "../../src/store/transfer/compact-time.ts";
import { randomCases } from "../support/long.ts";
import { dice } from "../support/dice.ts";
import { BackedUp, BackupWorld, filesIn, type Keeper } from "./backup-world.ts";
import { formerKeeper } from "./former-backups.ts";

const scratch = mkdtempSync(join(tmpdir(), "tickmark-backup-histories-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** They take some seconds: each makes a dozen backups as real files, of which every other one is found only by chance. */
const histories = randomCases(300);
const happenings = 5;
let backups = 0;
const twoYears = 2 * 365 * dayMs;

/** From a second to two years, each order of magnitude as often as another, ahead or back. */
const step = (random: () => number): number =>
  Math.round(secondMs * Math.exp(random() * Math.log(twoYears / secondMs))) * (random() < 0.5 ? -1 : 1);

/** A file that nobody may touch: of somebody else, or of this database and ahead of now. */
function plant(world: BackupWorld, identity: string, aheadMs: number): string {
  const name = `tickmark-${identity}-${compactTime(new Date(world.wall + aheadMs))}.db`;
  const date = (world.wall + aheadMs) / 1000;
  writeFileSync(join(world.folder, name), "");
  utimesSync(join(world.folder, name), date, date);
  return name;
}

/** What went wrong in one history: steps of the clock, failures, ends and starts, two databases in one folder. */
async function violationsOf(keeper: Keeper, seed: number): Promise<string[]> {
  const random = dice(seed);
  const world = new BackupWorld(join(scratch, `${keeper.name}-${seed}`));
  const everyMs = random() < 0.8 ? hourMs : 8 * hourMs;
  const databases = ["aaaaaaaaaaaa", "bbbbbbbbbbbb"].map(
    (identity) => new BackedUp(world, keeper, { keep: 2 + Math.floor(random() * 3), everyMs }, identity),
  );
  const ahead = Math.abs(step(random));
  const planted = random() < 0.5 ? plant(world, "aaaaaaaaaaaa", ahead) : null;
  const plantedAt = world.wall + ahead;
  writeFileSync(join(world.folder, "tickmark-20260101T000000Z.db"), "of an earlier version");
  let latest = world.wall;
  const look = (): void => {
    latest = Math.max(latest, world.wall);
    for (const database of databases) database.look();
  };
  for (const database of databases) database.start();
  for (let number = 0; number < happenings; number += 1) {
    await world.pass(Math.round(everyMs * random() * 1.3), look);
    const happening = random();
    if (happening < 0.35) world.stepDate(step(random));
    else if (happening < 0.5) world.folderTakes = !world.folderTakes;
    else {
      const isReboot = happening > 0.8;
      for (const database of databases) await database.end(random() < 0.5);
      await world.pass(Math.round(everyMs * random() * (isReboot ? 0.5 : 0.1)), look);
      if (isReboot) {
        world.reboot();
        if (random() < 0.5) world.stepDate(step(random));
        for (const database of databases) database.noteReboot();
      }
      for (const database of databases) database.start();
    }
  }
  world.folderTakes = true;
  await world.pass(everyMs * 2, look);
  for (const database of databases) {
    await database.end(false);
    backups += database.made.length;
  }
  const left = filesIn(world.folder);
  const strangers = [
    ...(left.includes("tickmark-20260101T000000Z.db") ? [] : ["a file of an earlier version is gone"]),
    ...(planted === null || latest >= plantedAt || left.includes(planted)
      ? []
      : ["a file ahead of now is gone"]),
    ...left.filter((name) => name.endsWith(".part")).map((name) => `${name} is left behind`),
  ];
  rmSync(world.folder, { recursive: true });
  return [...databases.flatMap(({ violations }) => violations), ...strangers];
}

it(`[OUR-CLI-16] in ${histories} histories of clocks, failures and starts no database has two backups in a period, none for longer, or loses one`, async () => {
  const found: string[] = [];
  backups = 0;
  for (let seed = 1; seed <= histories; seed += 1)
    for (const violation of await violationsOf(keepBackingUp, seed))
      found.push(`history ${seed}: ${violation}`);
  console.log(`${backups} backups in ${histories} histories`);
  expect(found).toEqual([]);
});

it("[OUR-CLI-16] the same histories find what the rule before them did", async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= 8; seed += 1) found.push(...(await violationsOf(formerKeeper, seed)));
  for (const fault of [/^two backups within/, /backups are left$/, /^another attempt/])
    expect(
      found.some((violation) => fault.test(violation)),
      String(fault),
    ).toBe(true);
  console.log(`the rule before: ${found.length} faults in 8 histories, such as "${found[0]}"`);
});
