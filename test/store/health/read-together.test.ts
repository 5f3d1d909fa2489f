import { expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { judgeHealth } from "../../../src/core/health/evaluate.ts";
import { maintenanceStart } from "../../../src/core/event/own-event.ts";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import { evaluations, evaluateServerHealth } from "../../../src/services/health/evaluate-servers.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { pastWindowsOf } from "../../../src/services/maintenance/past-windows-of.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { presentSince, readTogether } from "../../../src/services/health/read-together.ts";
import { readHealthFacts } from "../../../src/services/health/read-health-facts.ts";
import { readVerdictFacts } from "../../../src/services/health/read-verdict-facts.ts";
import { refreshBaseline } from "../../../src/services/health/refresh-baseline.ts";
import { recordHeartbeat, storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import { run, type Database, type Work } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { selectFirstSampleTime, selectServerEvents } from "../../../src/store/health/health-queries.ts";
import { selectPresentFacts } from "../../../src/store/health/present-facts.ts";
import { storedHealthOf } from "../../../src/store/health/server-health.ts";
import { monitoredServer } from "../../../src/store/server/server-rows.ts";
import { eventOf } from "../../core/health/facts.ts";
import { eachDatabase } from "../../support/databases.ts";
import { dice } from "../../support/dice.ts";
import { day, minute, newAccount, newId, newServer, noon, sampleAt } from "../engine/rows.ts";

const hour = 60 * minute;
const servers = 24;
const kinds = ["server_crash", "cpu_throttled", "plugin_updated", "server_start", "player_join"];
let random = dice(11);
const limits = { ...defaultPlans.pro, monitored_servers: servers };
const plans = { ...defaultPlans, pro: limits };
const chance = (share: number): boolean => random() < share;

/** A server of its own kind: late or calm, silent or not, with a history or new, with entries, windows and a baseline. */
async function addAnyServer(db: Database, account: Awaited<ReturnType<typeof newAccount>>): Promise<string> {
  const { server } = await newServer(db, account, {
    now: noon - 10 * day,
    monitoredServers: servers,
  });
  const { id } = server;
  if (chance(0.1)) return id;
  const bootTimestamp = noon - Math.floor(4 * day * random());
  const usual = { mspt: 15, player_count: 8, entity_count: 900, heap_after_gc_mb: 3000, ram_max_mb: 8000 };
  const now = chance(0.5)
    ? { ...usual, mspt: 62 }
    : chance(0.3)
      ? { ...usual, heap_after_gc_mb: 7800 }
      : usual;
  const at = (from: number, to: number, everyMs: number, values: object) =>
    Array.from({ length: (to - from) / everyMs }, (_, index) =>
      sampleAt(from + index * everyMs, { ...values }),
    );
  if (chance(0.5))
    await db.write(storeLateSamples, id, at(noon - 5 * day, noon - 4 * hour, hour, usual), noon);
  await db.write(storeLateSamples, id, at(noon - hour, noon - minute, minute, now), noon);
  const receivedAt = noon - (chance(0.2) ? 20 * minute : 5000);
  await db.write(recordHeartbeat, {
    serverId: id,
    receivedAt,
    bootTimestamp,
    lastTickAgeMs: 40,
    announcement: null,
    sample: sampleAt(receivedAt, now),
    limits,
  });
  const entries: EventRecord[] = kinds
    .filter(() => chance(0.25))
    .map((type) => {
      const happenedAt = noon - Math.floor(2 * day * random());
      return eventOf(type, happenedAt, { id: newId(), serverId: id, localId: newId(), receivedAt: noon });
    });
  if (chance(0.3)) {
    const occasion = { id: newId(), serverId: id, now: noon - Math.floor(3 * day * random()) };
    entries.push(maintenanceStart(occasion, null, { endsAt: occasion.now + hour, reason: null }));
  }
  await db.write(recordEvents, id, entries, noon);
  if (chance(0.2))
    await db.write(
      beginMaintenance,
      { serverId: id, durationMinutes: 30, reason: null, by: "api", now: noon - 5 * minute },
      () => null,
    );
  if (chance(0.5)) await refreshBaseline(db, { id, bootTimestamp }, noon);
  return id;
}

const damage = query<{ server: string }>()((db, $) =>
  db.updateTable("server_baseline").set({ counts: "{" }).where("server_id", "=", $.server),
);

function* damageBaseline(server: string): Work<void> {
  yield* run(damage, { server });
}

/** The same fleet on each database. */
async function addFleet(db: Database): Promise<string[]> {
  random = dice(11);
  const account = await newAccount(db, { createdAt: noon - 20 * day });
  const ids: string[] = [];
  for (let count = 0; count < servers; count += 1) ids.push(await addAnyServer(db, account));
  return ids;
}

const failing = (error: unknown): never => {
  throw error;
};

eachDatabase((databases) => {
  it("[OUR-HLT-60] servers that are evaluated together are evaluated as each alone, and as its page says", async () => {
    const db = await databases.open();
    const ids = await addFleet(db);
    const due = ids.map((id) => ({ id }));
    for await (const save of evaluations({ db, plans, report: failing }, due, noon)) await db.write(save);
    const verdicts = new Set<string>();
    const steps = new Set<string | undefined>();
    for (const id of ids) {
      const together = await db.read(storedHealthOf, id);
      const server = await db.read(monitoredServer, id);
      if (!together || !server) throw new Error("It was not evaluated.");
      await evaluateServerHealth({ db, plans }, id, noon);
      expect(await db.read(storedHealthOf, id)).toEqual(together);
      const request = {
        server,
        limits,
        from: noon - day,
        to: noon,
        now: noon,
        regressionSince: null,
      };
      const judged = judgeHealth(await readHealthFacts(db, request));
      const { verdict, since, reasons, headline } = judged;
      expect(together).toMatchObject({ verdict, since, reasons, headline });
      const [read] = await readTogether(db, [id], noon, failing);
      if (!read) throw new Error("It was not read.");
      const { findings } = await readVerdictFacts(db, { ...read, limits, now: noon, regressionSince: null });
      const stepsOf = (found: typeof findings) =>
        found
          .filter(({ severity }) => severity !== "info")
          .map(({ next }) => next.map(({ action }) => action));
      expect(stepsOf(findings)).toEqual(stepsOf(judged.findings));
      for (const { next } of findings) steps.add(next[0]?.action);
      verdicts.add(verdict);
    }
    expect(verdicts.size).toBeGreaterThanOrEqual(4);
    expect(steps.size).toBeGreaterThanOrEqual(4);
  });

  it("[OUR-HLT-60] what one statement finds present of many servers is what the statements of each find", async () => {
    const db = await databases.open();
    const ids = await addFleet(db);
    const since = presentSince(noon);
    const present = await db.read(selectPresentFacts, ids, since);
    const seen = { hasEntry: 0, hasWindow: 0, firstSampleAt: 0 };
    for (const id of ids) {
      const found = present.get(id);
      expect(found?.firstSampleAt).toBe(await db.read(selectFirstSampleTime, id));
      const entries = await db.read(selectServerEvents, id, { from: since.entries, to: noon }, 10);
      expect(found?.hasEntry).toBe(entries.length > 0);
      const windows = await db.read(pastWindowsOf, id, noon - 7 * day, noon);
      expect(found?.hasWindow).toBe(windows.length > 0);
      if (found?.hasEntry) seen.hasEntry += 1;
      if (found?.hasWindow) seen.hasWindow += 1;
      if (found?.firstSampleAt !== null) seen.firstSampleAt += 1;
    }
    for (const count of Object.values(seen)) {
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(servers);
    }
  });

  it("[OUR-HLT-60] a server of which something cannot be read is reported, and the others are evaluated", async () => {
    const db = await databases.open();
    const account = await newAccount(db);
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await newServer(db, account)).server.id);
    await refreshBaseline(db, { id: ids[1] ?? "", bootTimestamp: null }, noon);
    await db.write(damageBaseline, ids[1] ?? "");
    const reported: unknown[] = [];
    const read = await readTogether(db, ids, noon, (error) => reported.push(error));
    expect(read.map(({ server }) => server.id).toSorted()).toEqual([ids[0], ids[2]].toSorted());
    expect(reported).toHaveLength(1);
  });
});
