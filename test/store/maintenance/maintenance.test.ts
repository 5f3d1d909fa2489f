import { maintenanceOf } from "../../../src/store/maintenance/maintenance.ts";
import { closeMaintenance } from "../../../src/services/maintenance/close-maintenance.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { selectServer } from "../../../src/store/server/servers.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { maintenanceStart } from "../../../src/core/event/own-event.ts";
import { tokenNotice, type Trace } from "../../../src/core/event/trace.ts";
import type { GrantedWindow } from "../../../src/core/maintenance/maintenance.ts";
import { all, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { unrehearsed } from "../../support/rehearsal.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, newAccount, newId, newServer, noon, times } from "../engine/rows.ts";

const events = query<{ server: string }>()((db, $) =>
  db.selectFrom("server_event").select(["type", "timeline_at"]).where("server_id", "=", $.server),
);
const notices = query<{ account: string }>()((db, $) =>
  db.selectFrom("inbox").select(["kind", "server_id"]).where("account_id", "=", $.account),
);

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  /** A server, and a way to ask for windows that leaves an entry and a notice at every real start. */
  async function watched() {
    const account = await newAccount(db);
    const { id } = (await newServer(db, account)).server;
    const traceOf =
      (now: number) =>
      ({ record, previousEnd }: GrantedWindow): Trace | null => {
        if (previousEnd !== null) return null;
        const event = maintenanceStart({ id: newId(), serverId: id, now }, null, record);
        const action = { kind: "maintenance_start", tokenName: "t", client: null, subject: null } as const;
        const notice = tokenNotice(
          { id: newId(), accountId: account.id, serverId: id },
          { ...action, serverName: null, until: record.endsAt, at: now },
        );
        return { event, notice };
      };
    const start = (durationMinutes: number, now: number, reason: string | null = null) =>
      db.write(beginMaintenance, { serverId: id, durationMinutes, reason, by: "api", now }, traceOf(now));
    const left = async () => ({
      events: await db.read(() => all(events, { server: id })),
      notices: await db.read(() => all(notices, { account: account.id })),
    });
    return { id, account, start, left, find: async () => (await db.read(maintenanceOf, id)).last };
  }

  describe("a window", () => {
    it("[MNT-02] [MNT-04] starts with its entry and its notice, and is found as it was asked for", async () => {
      const { id, find, start, left } = await watched();
      expect(await find()).toBeNull();
      const { record, previousEnd } = await start(30, noon, "Disk 💾");
      expect([record, previousEnd]).toEqual([
        {
          serverId: id,
          startedAt: noon,
          endsAt: noon + 30 * minute,
          toldUntil: noon + 30 * minute,
          reason: "Disk 💾",
          startedBy: "api",
        },
        null,
      ]);
      expect(await find()).toEqual(record);
      expect(await left()).toEqual({
        events: [{ type: "maintenance_start", timeline_at: noon }],
        notices: [{ kind: "token_action", server_id: id }],
      });
    });

    it("[MNT-05] [OUR-MNT-02] is extended in place, earlier or later, and leaves no second entry", async () => {
      const { find, start, left } = await watched();
      await start(60, noon, "Update");
      const { previousEnd } = await start(5, noon + minute);
      expect(previousEnd).toBe(noon + 60 * minute);
      expect(await find()).toMatchObject({ startedAt: noon, endsAt: noon + 6 * minute, reason: "Update" });
      expect((await left()).events).toHaveLength(1);
    });

    it("[MNT-06] [MNT-07] ends once, and not when it is over already", async () => {
      const { id, find, start } = await watched();
      expect(await db.write(closeMaintenance, id, noon)).toBe(false);
      await start(60, noon);
      expect(await db.write(closeMaintenance, id, noon + 1)).toBe(true);
      expect(await find()).toBeNull();
      expect(await db.write(closeMaintenance, id, noon + 1)).toBe(false);
      await start(5, noon + 2);
      expect(await db.write(closeMaintenance, id, noon + 2 + 5 * minute)).toBe(false);
    });

    it("[OUR-MNT-04] of a clock that ran ahead is over, and gives way to the next start", async () => {
      const { id, find, start, left } = await watched();
      await start(1440, noon + 400 * day);
      expect(await db.write(closeMaintenance, id, noon)).toBe(false);
      await start(1440, noon + 400 * day);
      expect((await start(10, noon)).previousEnd).toBeNull();
      expect(await find()).toMatchObject({ startedAt: noon, endsAt: noon + 10 * minute });
      expect((await left()).events).toHaveLength(3);
    });
  });

  describe("starts that come at once", () => {
    it("[OUR-MNT-03] are one start, one entry, one notice; the rest extend it", async () => {
      const { start, left } = await watched();
      const granted = await Promise.all(times(8).map((index) => start(30 + index, noon)));
      expect(granted.filter(({ previousEnd }) => previousEnd === null)).toHaveLength(1);
      const { events: entries, notices: told } = await left();
      expect([entries.length, told.length]).toEqual([1, 1]);
    });

    it("[OUR-MNT-03] and ends leave one state, and as many starts as entries", async () => {
      const { id, start, left } = await watched();
      const acts = times(24).map((index) =>
        index % 3 === 2 ? db.write(closeMaintenance, id, noon) : start(30, noon),
      );
      const done = await Promise.all(acts);
      const starts = done.filter((act) => typeof act === "object" && act.previousEnd === null).length;
      const ends = done.filter((act) => act === true).length;
      expect((await left()).events).toHaveLength(starts);
      expect(starts - ends).toBe((await db.read(maintenanceOf, id)).last === null ? 0 : 1);
    });
  });

  describe("a change of visibility", () => {
    it("[OUR-EVT-07] leaves what it is asked to in one step, and asks about what really changed", async () => {
      const { id } = await watched();
      const asked: [boolean, boolean][] = [];
      const once = unrehearsed(db);
      const publish = (isPublic: boolean) =>
        once.write(changeServer, id, { isPublic }, (before, after) => {
          asked.push([before.isPublic, after.isPublic]);
          return null;
        });
      for (const value of [false, true, true, false]) await publish(value);
      expect(asked).toEqual([
        [false, true],
        [true, false],
      ]);
      const failing = db.write(changeServer, id, { isPublic: true }, () => {
        throw new Error("no trace");
      });
      await expect(failing).rejects.toThrow("no trace");
      expect((await db.read(selectServer, id, { accountId: null, admin: true }))?.isPublic).toBe(false);
    });

    it("[OUR-EVT-07] made by several at once is recorded once", async () => {
      const { id } = await watched();
      let traces = 0;
      const once = unrehearsed(db);
      const publish = () =>
        once.write(changeServer, id, { isPublic: true }, (_before, { id: serverId }) => {
          traces += 1;
          return {
            event: maintenanceStart({ id: newId(), serverId, now: noon }, null, {
              endsAt: noon,
              reason: null,
            }),
            notice: null,
          };
        });
      await Promise.all(times(6).map(publish));
      expect(await db.read(() => all(events, { server: id }))).toHaveLength(1);
      expect(traces).toBe(1);
    });
  });
});
