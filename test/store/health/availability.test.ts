import { expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { maintenanceStart } from "../../../src/core/event/own-event.ts";
import { availabilityOf } from "../../../src/core/health/availability.ts";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import type { MonitoredServer } from "../../../src/core/server/server.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { readAvailability } from "../../../src/services/health/read-availability.ts";
import { readHealthFacts } from "../../../src/services/health/read-health-facts.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { addTransition } from "../../../src/store/health/monitoring-transitions.ts";
import { monitoredServers } from "../../../src/store/server/server-rows.ts";
import { eventOf } from "../../core/health/facts.ts";
import { eachDatabase } from "../../support/databases.ts";
import { dice } from "../../support/dice.ts";
import { randomCases } from "../../support/long.ts";
import { day, minute, newAccount, newId, newServer, noon, sampleAt } from "../engine/rows.ts";
import { fillBlocks } from "../metric/fill-blocks.ts";

const hour = 60 * minute;
const limits = { ...defaultPlans.pro, monitored_servers: 1000 };

/** Days of a server that runs, stops, crashes and falls silent, in blocks and rows, with some samples that came late. */
async function addAnyServer(
  db: Database,
  account: Awaited<ReturnType<typeof newAccount>>,
  random: () => number,
): Promise<string> {
  const upTo = (most: number): number => Math.floor(random() * most);
  const { server } = await newServer(db, account, { now: noon - 12 * day, monitoredServers: 1000 });
  const { id } = server;
  if (random() < 0.1) return id;
  const everyMs = random() < 0.5 ? 30_000 : 60_000;
  const events: EventRecord[] = [];
  const add = (type: string, at: number): void =>
    void events.push(eventOf(type, at, { id: newId(), serverId: id, localId: newId(), receivedAt: at }));
  // Some have been silent for days.
  const end = random() < 0.2 ? noon - upTo(6 * day) : noon - upTo(3 * minute);
  for (let at = noon - 9 * day + upTo(9 * day); at < end;) {
    const count = 1 + upTo(Math.min(2 * day, end - at) / everyMs);
    const last = at + (count - 1) * everyMs;
    if (last < noon - 3 * hour) await fillBlocks(db, id, at, count, everyMs);
    else {
      const rows = Math.min(count, (2 * hour) / everyMs);
      if (count > rows) await fillBlocks(db, id, at, count - rows, everyMs);
      const times = Array.from({ length: rows }, (_, place) => last - (rows - 1 - place) * everyMs);
      await db.write(
        storeLateSamples,
        id,
        times.map((time) => sampleAt(time)),
        noon,
      );
    }
    if (random() < 0.3) add("server_stop", last + upTo(2 * minute));
    else if (random() < 0.5) add("server_crash", last + upTo(random() < 0.5 ? 8000 : 10 * minute));
    if (random() < 0.2) await db.write(addTransition, id, last + upTo(minute), "stopped");
    if (random() < 0.2) {
      await db.write(addTransition, id, last + 2 * minute, "off");
      await db.write(addTransition, id, last + 2 * minute + upTo(hour), "on");
    }
    const back = last + everyMs + upTo(random() < 0.5 ? 4 * minute : 6 * hour);
    if (random() < 0.5) add("server_start", back);
    // Between two of the others: a part of what was recorded came late.
    if (random() < 0.3) await fillBlocks(db, id, last - upTo(hour) + 7000, 5, everyMs);
    if (random() < 0.3) {
      const occasion = { id: newId(), serverId: id, now: last - upTo(hour) };
      events.push(maintenanceStart(occasion, null, { endsAt: occasion.now + 2 * hour, reason: null }));
    }
    at = back;
  }
  await db.write(recordEvents, id, events, noon);
  if (random() < 0.3)
    await db.write(
      beginMaintenance,
      { serverId: id, durationMinutes: 30, reason: null, by: "api", now: noon - 5 * minute },
      () => null,
    );
  return id;
}

/** Its availability as its own answer has it. */
async function ownAnswer(
  db: Database,
  server: MonitoredServer,
  period: { from: number; to: number; now: number },
) {
  return availabilityOf(await readHealthFacts(db, { server, limits, ...period, regressionSince: null }));
}

const periods = [
  { from: noon - hour, to: noon, now: noon },
  { from: noon - day, to: noon, now: noon },
  { from: noon - 7 * day, to: noon, now: noon },
  { from: noon - 6 * day, to: noon - 3.3 * day, now: noon },
  { from: noon - 2 * day, to: noon - 1.5 * day, now: noon },
];

eachDatabase((databases) => {
  const fleetOf = async (db: Database, count: number, seed: number): Promise<MonitoredServer[]> => {
    const account = await newAccount(db, { createdAt: noon - 20 * day });
    const random = dice(seed);
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push(await addAnyServer(db, account, random));
    return db.read(monitoredServers, ids);
  };

  it("[OUR-OVR-151] every server read with the others has the availability of its own answer, whatever happened", async () => {
    const db = await databases.open();
    const servers = await fleetOf(db, randomCases(60), 150);
    const seen = new Set<string>();
    for (const period of periods) {
      const together = await readAvailability(db, servers, { limits, ...period });
      expect([...together.keys()]).toEqual(servers.map(({ id }) => id));
      for (const server of servers) {
        const own = await ownAnswer(db, server, period);
        expect([server.id, period, together.get(server.id)]).toEqual([server.id, period, own]);
        for (const [kind, value] of Object.entries(own)) if (Number(value) > 0) seen.add(kind);
      }
    }
    // The histories have every kind of time.
    expect(seen.size).toBe(7);
  });

  it("[OUR-OVR-151] a fleet takes few reads of the database, and servers with too many entries are read alone", async () => {
    const db = await databases.open();
    const account = await newAccount(db, { createdAt: noon - 20 * day });
    const ids: string[] = [];
    for (let made = 0; made < 40; made += 1) {
      const { server } = await newServer(db, account, { now: noon - 12 * day, monitoredServers: 1000 });
      await fillBlocks(db, server.id, noon - 36 * hour, 36 * 60 - made, minute);
      ids.push(server.id);
    }
    const servers = await db.read(monitoredServers, ids);
    const period = { from: noon - day, to: noon, now: noon };
    let reads = 0;
    const read: Database["read"] = (work, ...values) => {
      reads += 1;
      return db.read(work, ...values);
    };
    await readAvailability({ ...db, read }, servers, { limits, ...period });
    // Two parts of 20 servers: their facts, and the times of two days.
    expect(reads).toBe(2 * 3);
    const busy = ids[0] ?? "";
    const entries = Array.from({ length: 4000 }, (_, place) =>
      eventOf("server_stop", noon - 3 * hour + place * 1000, {
        id: newId(),
        serverId: busy,
        localId: newId(),
        receivedAt: noon,
      }),
    );
    for (let first = 0; first < entries.length; first += 500)
      await db.write(recordEvents, busy, entries.slice(first, first + 500), noon);
    const together = await readAvailability(db, servers, { limits, ...period });
    for (const server of servers)
      expect(together.get(server.id)).toEqual(await ownAnswer(db, server, period));
  });
});
