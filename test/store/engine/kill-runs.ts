import type { Database } from "../../../src/store/engine/database.ts";
import { addAlertRule } from "../../../src/services/alert/add-alert-rule.ts";
import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import type { Databases } from "../../support/databases.ts";
import { halfStates } from "./half-states.ts";
import type { Ingest } from "./ingest-worker.ts";
import { openRaw, type RawDatabase } from "./raw-database.ts";
import { day, newAccount, newId, newServer, noon, sampleAt, times } from "./rows.ts";
import type { Worker } from "./workers.ts";

const servers = 6;
/** How many acknowledgements a process lives for at least; more each run, so that they die at different moments. */
const leastAcknowledged = 40;
const moreAtMost = 73;
/** Processes that have started and wait for their turn. */
const forked = 2;

export interface KillResult {
  readonly acknowledged: { readonly samples: number; readonly events: number };
  readonly lost: readonly string[];
  readonly unsound: number;
  readonly halves: readonly string[];
  /** Alerts of the database at the end: what may be half was there. */
  readonly alerts: { readonly all: number; readonly inProgress: number };
}

/** A server with rules whose alerts open, are told and end with what the processes send. */
async function watchedServer(db: Database): Promise<string> {
  const account = await newAccount(db);
  const { id: serverId } = (await newServer(db, account)).server;
  const common = { serverId, enabled: true, mutedUntil: null, cooldownMinutes: 0 };
  const replay = { accountId: account.id, route: "rules", key: null, now: noon };
  for (const [threshold, chat] of [
    [18, false],
    [10, true],
  ] as const) {
    const notify = { email: true, chat, in_app: true };
    const metric = { metric: "tps", condition: "below", threshold, durationMinutes: 0 } as const;
    const definition = { name: "Low TPS", ...metric, ...common, notify };
    const rule = { id: newId(), serverId, accountId: account.id, definition, now: noon, limit: 9 };
    await db.write(addAlertRule, rule, { ...replay, bodyDigest: rule.id });
  }
  const filter = { preset: null, eventTypes: ["ban"], categories: [], minSeverity: null, sources: [] };
  const told = {
    notify: { email: true, chat: false, in_app: true },
    lastTriggeredAt: null,
    lastNotifiedAt: null,
  };
  const dates = { createdAt: noon, updatedAt: noon };
  await db.write(addEventRule, { id: newId(), name: "Bans", ...common, ...filter, ...told, ...dates }, 9);
  return serverId;
}

/** Lets a process ingest, kills it in the middle, and answers what it had acknowledged until then. */
export async function killed(worker: Worker, afterLines: number): Promise<string[]> {
  const { stdout } = worker.process;
  if (!stdout) throw new Error("A worker's output is read.");
  const told: string[] = [];
  const lines = createInterface({ input: stdout }).on("line", (line) => {
    if (told.push(line) !== afterLines) return;
    // Somewhere in its next transaction, not always at the same place of it.
    for (const until = performance.now() + Math.random() * 4; performance.now() < until;);
    worker.process.kill("SIGKILL");
  });
  const ended = Promise.all([once(lines, "close"), once(worker.process, "exit")]);
  worker.begin();
  await ended;
  return told;
}

async function storedIn(db: RawDatabase): Promise<Set<string>> {
  const samples = await db.rows("SELECT server_id, sampled_at FROM sample");
  const events = await db.rows("SELECT server_id, local_id FROM server_event");
  return new Set([
    ...samples.map((row) => `sample ${row["server_id"]} ${row["sampled_at"]}`),
    ...events.map((row) => `event ${row["server_id"]} ${row["local_id"]}`),
  ]);
}

const countOf = async (db: RawDatabase, where: string): Promise<number> =>
  Number((await db.rows(`SELECT count(*) AS n FROM alert WHERE ${where}`))[0]?.["n"]);

/**
 * Kills so many processes in the middle of ingest, one after the other on one database, and looks after each for
 * what is broken or half.
 */
export async function killRuns(
  databases: Databases,
  start: (...args: string[]) => Promise<Worker>,
  kills: number,
): Promise<KillResult> {
  const url = await databases.url();
  const database = await databases.open(url);
  const ids: string[] = [];
  for (const _ of times(servers)) ids.push(await watchedServer(database));
  await database.close();
  const { reported } = sampleAt(noon, { worlds_top: [{ name: "w".repeat(100) }] });
  const fork = (kill: number): Promise<Worker> => {
    // Later processes count from later on, so that no two tell of the same instant.
    const plan: Ingest = { servers: ids, from: noon + kill * 30 * day, reported, limits: defaultPlans.pro };
    return start(url, JSON.stringify(plan));
  };

  const waiting = times(Math.min(forked, kills)).map(fork);
  const acknowledged = new Set<string>();
  const halves: string[] = [];
  let unsound = 0;
  for (const kill of times(kills)) {
    const worker = await waiting.shift();
    if (!worker) throw new Error("A worker waits for each turn.");
    if (kill + forked < kills) waiting.push(fork(kill + forked));
    for (const line of await killed(worker, leastAcknowledged + (kill % moreAtMost))) acknowledged.add(line);
    const db = await openRaw(url);
    if (db.dialect === "sqlite") {
      const [check] = await db.rows("PRAGMA integrity_check");
      if (check?.["integrity_check"] !== "ok") unsound += 1;
    }
    halves.push(...(await halfStates(db)));
    await db.close();
  }

  const db = await openRaw(url);
  const stored = await storedIn(db);
  const alerts = { all: await countOf(db, "1 = 1"), inProgress: await countOf(db, "status <> 'resolved'") };
  await db.close();
  const told = [...acknowledged];
  const samples = told.filter((line) => line.startsWith("sample")).length;
  return {
    acknowledged: { samples, events: told.length - samples },
    lost: told.filter((line) => !stored.has(line)),
    unsound,
    halves,
    alerts,
  };
}

export const killLine = (where: string, kills: number, result: KillResult): string =>
  `kill -9 during ingest on ${where}: ${kills} kills, ${result.acknowledged.samples} samples and ` +
  `${result.acknowledged.events} events acknowledged, lost ${result.lost.length}, ` +
  `integrity failures ${result.unsound}, half states ${result.halves.length} ` +
  `(${result.alerts.all} alerts, ${result.alerts.inProgress} in progress)`;
