import type autocannon from "autocannon";
import { exampleSample } from "../../src/endpoints/api/server/example-sample.ts";
import { addAlertRule } from "../../src/services/alert/add-alert-rule.ts";
import { openDatabase } from "../../src/store/engine/open-database.ts";
import { selectServer } from "../../src/store/server/servers.ts";
import { makeFleet, type Fleet } from "../support/fleet.ts";

export type BenchServer = Fleet["servers"][number];

/** The body of a heartbeat of now, with a full sample. */
export const heartbeat = (): string => {
  const now = new Date().toISOString();
  const sample = { ...exampleSample, sampled_at: now };
  return JSON.stringify({ sent_at: now, plugin_version: "1.10.2", last_tick_age_ms: 20, sample });
};

/** Linked servers of so many accounts. */
export async function makeServers(url: string, accounts: number, each: number): Promise<BenchServer[]> {
  const servers: BenchServer[] = [];
  for (let account = 0; account < accounts; account += 1)
    servers.push(...(await makeFleet(url, each, "enterprise")).servers);
  return servers;
}

/** Rules as most are most of the time: evaluated with every sample, and fine. */
export async function makeRules(url: string, servers: readonly BenchServer[], each: number): Promise<void> {
  const db = await openDatabase(url, () => {});
  const common = { durationMinutes: 5, cooldownMinutes: 30, enabled: true, mutedUntil: null };
  const notify = { email: true, chat: false, in_app: true };
  const made = servers.flatMap(({ id: serverId }) =>
    Array.from({ length: each }, async (_, place) => {
      const accountId =
        (await db.read(selectServer, serverId, { accountId: null, admin: true }))?.accountId ?? "";
      const watched = { metric: "tps", condition: "below", threshold: place } as const;
      const definition = { name: `Rule ${place}`, ...watched, ...common, notify };
      const id = `${serverId}-${place}`;
      const replay = { accountId, route: "bench", key: null, bodyDigest: id, now: 0 };
      await db.write(addAlertRule, { id, serverId, accountId, definition, now: 0, limit: 99 }, replay);
    }),
  );
  await Promise.all(made);
  await db.close();
}

/** Every connection goes through the servers in turn, each from another one on. */
export function heartbeatsOf(
  servers: readonly BenchServer[],
  first = 0,
): Pick<autocannon.Options, "setupClient"> {
  let connection = first;
  return {
    setupClient: (client) => {
      const start = Math.floor((connection++ * servers.length) / 16.18) % servers.length;
      const inTurn = [...servers.slice(start), ...servers.slice(0, start)];
      client.setRequests(
        inTurn.map(({ credential }) => ({
          method: "POST" as const,
          path: "/plugin/v1/heartbeat",
          headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
          setupRequest: (request: autocannon.Request) => ({ ...request, body: heartbeat() }),
        })),
      );
    },
  };
}
