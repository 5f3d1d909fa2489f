import { once } from "node:events";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";

export interface ClaimResult {
  readonly claimed: readonly string[];
  readonly errors: readonly string[];
}

/** Two runners of one service process that claim until nothing waits any more. */
const [url = "", now = "0", name = ""] = process.argv.slice(2);
const db = await openDatabase(url, () => {});
process.send?.("ready");
await once(process, "message");

const claimed: string[] = [];
const errors: string[] = [];
let serial = 0;

async function run(runnerId: string): Promise<void> {
  for (;;) {
    serial += 1;
    const claim = { runnerId, agentId: name, nonce: `${name}-${serial}` };
    const taken = await claimNextJob(db, claim, Number(now)).catch(
      (error: unknown) => void errors.push(String(error)),
    );
    if (!taken) return;
    claimed.push(taken.job.id);
  }
}

await Promise.all([run("runner-1"), run("runner-2")]);
await db.close();
const result: ClaimResult = { claimed, errors };
process.send?.(result);
process.disconnect();
