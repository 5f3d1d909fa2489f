import { once } from "node:events";
import type { PlanLimits } from "../../../src/core/access/plan.ts";
import type { SampleWrite } from "../../../src/core/server/records.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { openDatabase } from "../../../src/store/engine/open-database.ts";

/** What a process gets that sends heartbeats: its servers in its own order, from when it counts, and how many. */
export interface Beats {
  readonly servers: readonly string[];
  readonly from: number;
  readonly rounds: number;
  readonly reported: SampleWrite["reported"];
  readonly limits: PlanLimits;
}

/** Sends heartbeats of all servers, two of each at once; answers what went wrong. */
const [url = "", plan = "{}"] = process.argv.slice(2);
const { servers, from, rounds, reported, limits } = JSON.parse(plan) as Beats;
const db = await openDatabase(url, () => {});
process.send?.("ready");
await once(process, "message");

const silent = { bootTimestamp: null, lastTickAgeMs: null, announcement: null, limits };
const errors: string[] = [];
for (let round = 0; round < rounds; round += 1) {
  const beats = [...servers, ...servers].map(async (serverId, index) => {
    const at = from + 2 * round + Math.floor(index / servers.length);
    const sample = { sampledAt: at, reported };
    await db.writeFor(serverId, recordHeartbeat, { serverId, receivedAt: at, sample, ...silent });
  });
  for (const { reason } of (await Promise.allSettled(beats)).filter((beat) => beat.status === "rejected"))
    errors.push(String(reason));
}
await db.close();
process.send?.(errors);
process.disconnect();
