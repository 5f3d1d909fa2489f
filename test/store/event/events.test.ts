import { recordEvents } from "../../../src/services/event/record-events.ts";
import { selectEvents } from "../../../src/store/event/timeline.ts";
import { storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { EventFilter } from "../../../src/core/event/event-filter.ts";
import { type EventRecord, timelineAt } from "../../../src/core/event/server-event.ts";
import type { TimePosition } from "../../../src/core/position.ts";
import { all, type Database, type Result, type Work } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { unrehearsed } from "../../support/rehearsal.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, newAccount, newId, newServer, noon, sampleAt, times } from "../engine/rows.ts";

const stored = query<{ server: string }>()((db, $) =>
  db.selectFrom("server_event").selectAll().where("server_id", "=", $.server).orderBy("id"),
);

const everything: EventFilter = {
  from: 0,
  to: null,
  category: null,
  severity: null,
  source: null,
  type: null,
};

/** The same database, counting the statements of its writes. */
function counted(db: Database): { db: Database; statements: () => number } {
  let statements = 0;
  const counting = <T>(work: () => Work<T>) =>
    function* (): Work<T> {
      const steps = work();
      let step = steps.next();
      while (!step.done) {
        statements += 1;
        const result: Result = yield step.value;
        step = steps.next(result);
      }
      return step.value;
    };
  const write: Database["write"] = (work, ...values) => db.write(counting(() => work(...values)));
  return { db: { ...db, write }, statements: () => statements };
}

eachDatabase((databases, kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const newServerId = async (): Promise<string> =>
    (await newServer(db, await newAccount(db), { monitoredServers: 3 })).server.id;

  const eventOf = (serverId: string, localId: string, changes: Partial<EventRecord> = {}): EventRecord => ({
    id: newId(),
    serverId,
    localId,
    type: "ban",
    category: "moderation",
    source: "LiteBans",
    severity: "warning",
    title: "Banned",
    description: null,
    metadata: null,
    happenedAt: noon,
    durationMs: null,
    receivedAt: noon,
    ...changes,
  });

  const idsOf = async (serverId: string, filter: Partial<EventFilter> = {}): Promise<string[]> =>
    (await db.read(selectEvents, serverId, { ...everything, ...filter }, null, 1000)).map(({ id }) => id);

  describe("recording", () => {
    it("[OUR-EVT-02] keeps the first of each local id, within an upload and across uploads and servers", async () => {
      const [server, other] = [await newServerId(), await newServerId()];
      const first = [eventOf(server, "b"), eventOf(server, "a"), eventOf(server, "b", { title: "Later" })];
      const [b, a] = first;
      expect(await db.write(recordEvents, server, first, noon)).toEqual([b, a]);
      expect(
        await db.write(recordEvents, server, [eventOf(server, "a"), eventOf(server, "c")], noon),
      ).toMatchObject([{ localId: "c" }]);
      expect(await db.write(recordEvents, other, [eventOf(other, "a")], noon)).toHaveLength(1);
      expect(await db.write(recordEvents, server, [], noon)).toEqual([]);
      const rows = await db.read(() => all(stored, { server }));
      expect(rows.map(({ local_id, title }) => [local_id, title])).toEqual([
        ["b", "Banned"],
        ["a", "Banned"],
        ["c", "Banned"],
      ]);
    });

    it("[OUR-EVT-02] of uploads that overlap, in any order and all at once, db each event once", async () => {
      const server = await newServerId();
      const local = times(260).map((index) => `event-${index}`);
      const orders = [local, local.toReversed(), local.slice(100), local.slice(0, 150).toReversed(), local];
      const stored = await Promise.all(
        orders.map((ids) =>
          db.write(
            recordEvents,
            server,
            ids.map((id) => eventOf(server, id)),
            noon,
          ),
        ),
      );
      const fresh = stored.flat().map(({ localId }) => localId);
      expect(fresh).toHaveLength(260);
      expect(new Set(fresh).size).toBe(260);
      expect(await idsOf(server)).toHaveLength(260);
    });

    it("an upload of 500 events, or of 1000 samples, is few statements", async () => {
      const counting = counted(unrehearsed(db));
      const both = counting.db;
      const server = await newServerId();
      const measure = async (work: () => Promise<unknown>): Promise<[number, number]> => {
        const [before, started] = [counting.statements(), performance.now()];
        await work();
        return [counting.statements() - before, performance.now() - started];
      };
      const upload = times(500).map((index) => eventOf(server, `e${index}`, { metadata: { index } }));
      const late = times(1000).map((index) => sampleAt(noon - index * minute));
      const events = await measure(() => both.write(recordEvents, server, upload, noon));
      const samples = await measure(() => both.write(storeLateSamples, server, late, noon));
      const told = ([statements, ms]: [number, number]) => `${statements} statements, ${ms.toFixed(0)} ms`;
      console.log(`${kind}: 500 events ${told(events)}; 1000 samples ${told(samples)}`);
      expect(events[0]).toBeLessThanOrEqual(11);
      // Six more, for samples of two days are looked for in the blocks of these days, and those of the day before are counted;
      // one more, for imported samples that they replace.
      expect(samples[0]).toBeLessThanOrEqual(18);
      for (const size of [1, 9, 99, 499]) {
        const [statements] = await measure(() =>
          both.write(
            recordEvents,
            server,
            times(size).map((index) => eventOf(server, `${size}/${index}`)),
            noon,
          ),
        );
        expect(statements).toBeLessThanOrEqual(30);
      }
      expect(await idsOf(server)).toHaveLength(1000);
    });

    it("[OUR-EVT-05] [TXT-01] keeps metadata and text as they came", async () => {
      const server = await newServerId();
      const monsters: unknown[] = [
        { "\u0000": "\u0000\ud800", "": [null, { "\udfff": "🎮\u202e" }] },
        "\u0000",
        JSON.parse('{"__proto__": {"a": 1}, "constructor": null}'),
        [0, -1, 1.5e-300, 1e300, 9_007_199_254_740_991, true, false],
        false,
        0,
        "",
        "x".repeat(16_382),
      ];
      const title = "\u202e\u0001\u2028🎮'\"\\";
      const events = monsters.map((metadata, index) =>
        eventOf(server, String(index), { metadata, title, description: title, durationMs: 1e12 }),
      );
      await db.write(recordEvents, server, events, noon);
      const read = await db.read(selectEvents, server, everything, null, 100);
      expect(read.toReversed()).toEqual(events);
      expect(JSON.stringify(read.toReversed().map(({ metadata }) => metadata))).toBe(
        JSON.stringify(monsters),
      );
    });
  });

  describe("a timeline", () => {
    it("[EVT-01] [OUR-EVT-03] is newest first, by receipt where no time was told, and by id at one instant", async () => {
      const server = await newServerId();
      const events = [
        eventOf(server, "1", { happenedAt: noon - 5 }),
        eventOf(server, "2", { happenedAt: null, receivedAt: noon - 3 }),
        eventOf(server, "3", { happenedAt: noon - 3 }),
        eventOf(server, "4", { happenedAt: noon - 4, receivedAt: noon + day }),
      ];
      await db.write(recordEvents, server, events, noon);
      const [one, two, three, four] = events.map(({ id }) => id);
      expect(await idsOf(server)).toEqual([three, two, four, one]);
      expect(await idsOf(await newServerId())).toEqual([]);
    });

    it("[EVT-01] [OUR-EVT-06] is filtered by exact values, from an instant on and before another", async () => {
      const server = await newServerId();
      const events = times(8).map((index) =>
        eventOf(server, String(index), {
          happenedAt: noon + index,
          category: index % 2 ? "security" : "moderation",
          severity: index % 4 < 2 ? "info" : "error",
          source: index < 4 ? "A" : "a",
          type: index === 5 ? "kick" : "ban",
        }),
      );
      await db.write(recordEvents, server, events, noon);
      const kept = async (filter: Partial<EventFilter>) => {
        const ids = new Set(await idsOf(server, filter));
        return times(8).filter((index) => ids.has(events[index]?.id ?? ""));
      };
      expect(await kept({})).toEqual(times(8));
      expect(await kept({ category: "security" })).toEqual([1, 3, 5, 7]);
      expect(await kept({ severity: "error" })).toEqual([2, 3, 6, 7]);
      expect(await kept({ source: "A" })).toEqual([0, 1, 2, 3]);
      expect(await kept({ type: "kick" })).toEqual([5]);
      expect(await kept({ type: "kic" })).toEqual([]);
      expect(await kept({ from: noon + 2, to: noon + 6 })).toEqual([2, 3, 4, 5]);
      expect(await kept({ from: noon + 2, category: "moderation", severity: "info", source: "a" })).toEqual([
        4,
      ]);
    });

    it("[PAG-01] is walked page by page without a loss or a repeat, while newer events arrive", async () => {
      const server = await newServerId();
      const events = times(11).map((index) =>
        eventOf(server, `${index}`, { happenedAt: index % 2 ? null : noon - (index % 3) }),
      );
      await db.write(recordEvents, server, events, noon);
      const walked: string[] = [];
      let after: TimePosition | null = null;
      for (const page of times(6)) {
        const rows: EventRecord[] = await db.read(selectEvents, server, everything, after, 2);
        walked.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        after = last ? { at: timelineAt(last), id: last.id } : null;
        await db.write(
          recordEvents,
          server,
          [eventOf(server, `new ${page}`, { happenedAt: noon + 1 + page })],
          noon,
        );
      }
      expect(walked).toHaveLength(11);
      expect(new Set(walked)).toEqual(new Set(events.map(({ id }) => id)));
    });
  });
});
