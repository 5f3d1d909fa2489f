import { once } from "node:events";
import { appendFileSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { jobRunner } from "../../../src/store/job/jobs.ts";

export interface JobResult {
  readonly runs: number;
  readonly errors: readonly string[];
}

/**
 * Asks for a job that notes in a file when it begins and ends, until it ran so many times; with no rounds, takes
 * the job and never ends it.
 */
const [url = "", log = "", rounds = "0"] = process.argv.slice(2);
const db = await openDatabase(url, () => {});
process.send?.("ready");
await once(process, "message");

const hold = async (): Promise<void> => {
  writeSync(1, "holding\n");
  await once(process, "never");
};
const visit = async (): Promise<void> => {
  appendFileSync(log, `enter ${process.pid}\n`);
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  appendFileSync(log, `leave ${process.pid}\n`);
};

// Due whenever it is asked for: a period of a second counts as over at once.
const job = { name: "visit", everyMs: 1000, run: Number(rounds) === 0 ? hold : visit };
const jobs = jobRunner(db);
let runs = 0;
const errors: string[] = [];
while (runs < Math.max(1, Number(rounds)) && errors.length === 0) {
  const ran = await jobs.runAlone(job, Date.now).catch((error: unknown) => void errors.push(String(error)));
  if (ran === true) runs += 1;
}

await db.close();
const result: JobResult = { runs, errors };
process.send?.(result);
process.disconnect();
