import { once } from "node:events";
import { writeSync } from "node:fs";
import type { SampleWrite } from "../../src/core/server/store.ts";
import type * as Built from "../../src/store/stores.ts";

/** Sends heartbeats of several servers without end, and tells each by a line once it is acknowledged. */
const [stores = "", url = "", serversJson = "[]", from = "0", reportedJson = "{}"] = process.argv.slice(2);
const { openDatabase, storesOn } = (await import(stores)) as typeof Built;
const servers = JSON.parse(serversJson) as string[];
const reported = JSON.parse(reportedJson) as SampleWrite["reported"];

const { samples } = storesOn(await openDatabase(url, () => {}));
process.send?.("ready");
await once(process, "message");

const beat = async (serverId: string, at: number): Promise<void> => {
  const silent = { bootTimestamp: null, lastTickAgeMs: null, announcement: null };
  await samples.recordHeartbeat({ serverId, receivedAt: at, sample: { sampledAt: at, reported }, ...silent });
  // Synchronous, so that nothing told is lost with the process.
  writeSync(1, `${serverId} ${at}\n`);
};

for (let at = Number(from); ; at += 1) await Promise.all(servers.map((server) => beat(server, at)));
