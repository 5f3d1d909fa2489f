import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { EventFilter } from "../../../src/core/event/event-filter.ts";
import { timelineAt, type EventRecord } from "../../../src/core/event/server-event.ts";
import type { TimePosition } from "../../../src/core/position.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import type { Database, Step } from "../../../src/store/engine/database.ts";
import { unrehearsed } from "../../support/rehearsal.ts";
import { newestEvents, newestOfServer } from "../../../src/services/event/newest-events.ts";
import { selectServerRun, selectSlice, type Slice } from "../../../src/store/event/filtered-timeline.ts";
import { selectAccountEvents } from "../../../src/store/event/timeline.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { noting, planOf } from "../access/planning.ts";
import { analyse } from "../engine/raw-database.ts";
import { minute, newAccount, newId, newServer, noon, times } from "../engine/rows.ts";

const everything: EventFilter = {
  from: 0,
  to: null,
  category: null,
  severity: null,
  source: null,
  type: null,
};

const servers = 12;

/** The order of a timeline. */
const newestFirst = (a: EventRecord, b: EventRecord): number =>
  timelineAt(b) - timelineAt(a) || (a.id < b.id ? 1 : -1);

const isBefore = (one: TimePosition, other: TimePosition): boolean =>
  one.at < other.at || (one.at === other.at && one.id < other.id);

eachDatabase((databases) => {
  let db: Database;
  let steps: Step[];
  let account: string;
  const all: EventRecord[] = [];

  beforeAll(async () => {
    const url = await databases.url();
    ({ db, steps } = noting(unrehearsed(await databases.open(url))));
    const [owner, another] = [await newAccount(db), await newAccount(db)];
    account = owner.id;
    for (const index of times(servers + 1)) {
      const holder = index === servers ? another : owner;
      const { server } = await newServer(db, holder, { monitoredServers: servers });
      // Some servers are loud, some silent, and many entries stand at the same instant.
      const events = times(index % 4 === 3 ? 0 : 5 + index * 4).map((place): EventRecord => ({
        id: newId(),
        serverId: server.id,
        localId: `${place}`,
        type: place % 7 === 3 ? "restart" : "ban",
        category: place % 2 === 0 ? "moderation" : "lifecycle",
        source: index % 2 === 0 ? "LiteBans" : "tickmark-plugin",
        severity: place % 3 === 0 ? "error" : "warning",
        title: "Entry",
        description: null,
        metadata: null,
        happenedAt: noon - (place % 9) * index * minute,
        durationMs: null,
        receivedAt: noon,
      }));
      await db.write(recordEvents, server.id, events, noon);
      if (holder === owner) all.push(...events);
    }
    await analyse(url);
  });

  const filters = fc.record({
    from: fc.integer({ min: 0, max: 120 }).map((back) => noon - back * minute),
    to: fc.option(fc.integer({ min: 0, max: 60 }).map((back) => noon - back * minute)),
    category: fc.constantFrom(null, null, "moderation" as const),
    severity: fc.constantFrom(null, null, "error" as const),
    source: fc.constantFrom(null, null, "LiteBans"),
    type: fc.constantFrom(null, null, "restart", "none"),
  });

  const matching = (filter: EventFilter, server: string | null = null): string[] =>
    all
      .filter(
        (event) =>
          (server === null || event.serverId === server) &&
          timelineAt(event) >= filter.from &&
          (filter.to === null || timelineAt(event) < filter.to) &&
          (["category", "severity", "source", "type"] as const).every(
            (name) => filter[name] === null || event[name] === filter[name],
          ),
      )
      .toSorted(newestFirst)
      .map(({ id }) => id);

  it("[OUR-EVT-22] the pages, one after the other, are the timelines of all servers in one order", async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 30 }), async (filter, limit) => {
        const walked: string[] = [];
        let after: TimePosition | null = null;
        for (;;) {
          const rows: EventRecord[] = await newestEvents(db, account, null, filter, after, limit);
          walked.push(...rows.map(({ id }) => id));
          const last = rows.at(-1);
          if (last === undefined) break;
          after = { at: timelineAt(last), id: last.id };
        }
        expect(walked).toEqual(matching(filter));
      }),
      { numRuns: 60 },
    );
  });

  it("[OUR-EVT-22] is that of one server of the account, and of no other account's", async () => {
    for (const [owner, server] of new Set(all.map(({ serverId }) => serverId)).entries()) {
      expect(owner).toBe(server);
      const rows = await db.read(selectAccountEvents, account, server, everything, null, 1000);
      expect(rows.map(({ id }) => id)).toEqual(
        all
          .filter(({ serverId }) => serverId === server)
          .toSorted(newestFirst)
          .map(({ id }) => id),
      );
      const stranger = await newAccount(db);
      expect(await db.read(selectAccountEvents, stranger.id, server, everything, null, 10)).toEqual([]);
    }
  });

  it("read in slices, a page is the same, and no slice looks at more than its depth", async () => {
    const deep = { ...everything, severity: "error" as const, category: "moderation" as const };
    const run = await db.read(selectServerRun, account, "", 50);
    if (run === null) throw new Error("The account has no servers.");
    const walked: string[] = [];
    let slices = 0;
    for (let next: TimePosition | null = { at: noon + 60 * minute, id: "" }; next !== null; slices += 1) {
      const slice: Slice = await db.read(selectSlice, account, run, deep, next, 1000, 3);
      walked.push(...slice.rows.map(({ id }) => id));
      if (slice.next !== null) expect(isBefore(slice.next, next)).toBe(true);
      next = slice.next;
    }
    expect(walked).toEqual(matching(deep));
    expect(slices).toBeGreaterThan(3);
    const stranger = await newAccount(db);
    expect(await db.read(selectServerRun, stranger.id, "", 50)).toBe(null);
    expect((await db.read(selectSlice, stranger.id, run, deep, null, 1000, 3)).rows).toEqual([]);
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 30 }), fc.nat(), async (filter, limit, place) => {
        const rows = await newestEvents(db, account, null, filter, null, limit);
        expect(rows.map(({ id }) => id)).toEqual(matching(filter).slice(0, limit));
        const serverId = all[place % all.length]?.serverId ?? "";
        const ofServer = await newestOfServer(db, account, serverId, filter, null, limit);
        const expected = matching(filter, serverId).slice(0, limit);
        expect(ofServer.map(({ id }) => id)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it("a page is one statement, whose entries are found by the indexes in order", async () => {
    for (const [filter, index] of [
      [{}, "server_event_newest"],
      [{ type: "restart" }, "server_event_by_type"],
      [{ source: "LiteBans" }, "server_event_by_source"],
      [{ category: "security" }, "server_event_by_category"],
      [{ severity: "error" }, "server_event_by_severity"],
    ] as const) {
      steps.length = 0;
      await db.read(selectAccountEvents, account, null, { ...everything, ...filter }, null, 5);
      const [step, ...others] = steps;
      if (step === undefined) throw new Error("No statement was noted.");
      expect(others).toEqual([]);
      const plan = await planOf(db, step);
      expect(plan).toContain(index);
      expect(plan).toMatch(/server_(by_id|newest|of_account|by_last_event)/);
      expect(plan).not.toMatch(/SCAN e\b|SCAN k\b|Seq Scan on server_event/);
    }
  });
}, sharedKinds);
