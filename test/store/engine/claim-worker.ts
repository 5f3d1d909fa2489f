import { once } from "node:events";
import type * as Built from "../../../src/services/stores.ts";

export interface ClaimResult {
  readonly claimed: readonly string[];
  readonly errors: readonly string[];
}

/** Two runners of one service process that claim until nothing waits any more. */
const [stores = "", url = "", now = "0", name = ""] = process.argv.slice(2);
const { openDatabase, storesOn } = (await import(stores)) as typeof Built;
const database = await openDatabase(url, () => {});
const { autoBenchJobs } = storesOn(database);
process.send?.("ready");
await once(process, "message");

const claimed: string[] = [];
const errors: string[] = [];
let serial = 0;

async function run(runnerId: string): Promise<void> {
  for (;;) {
    serial += 1;
    const claim = { runnerId, agentId: name, nonce: `${name}-${serial}` };
    const taken = await autoBenchJobs
      .claim(claim, Number(now))
      .catch((error: unknown) => void errors.push(String(error)));
    if (!taken) return;
    claimed.push(taken.job.id);
  }
}

await Promise.all([run("runner-1"), run("runner-2")]);
await database.close();
const result: ClaimResult = { claimed, errors };
process.send?.(result);
process.disconnect();
