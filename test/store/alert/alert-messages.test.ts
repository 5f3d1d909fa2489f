import { rulesOf } from "../../../src/store/alert/alert-rules.ts";
import { closeMaintenance } from "../../../src/services/maintenance/close-maintenance.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { settleDispatch } from "../../../src/services/notice/settle-dispatch.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Dispatch, DispatchResult } from "../../../src/core/notice/records.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase } from "../../support/databases.ts";
import { email, failure, mailedAlert, nothingWaits, second, told, watchedServer } from "./alerting.ts";
import { minute, noon } from "../engine/rows.ts";

const sent: DispatchResult = { status: "sent" };
const failed = failure();
const refused = failure({ again: "never" });

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });
  beforeEach(() => nothingWaits(db));

  const alerted = () => mailedAlert(db);
  const claim = (now: number) => claimDispatch(db, now);
  const settle = (dispatch: Dispatch, result: DispatchResult, now: number) =>
    db.write(settleDispatch, dispatch, result, now);
  const taken = async (now: number): Promise<Dispatch> => {
    const dispatch = await claim(now);
    if (!dispatch) throw new Error("Nothing is due.");
    return dispatch;
  };

  describe("the end of an alert", () => {
    it("[OUR-ALR-49] is told where its opening was sent, and what became of that stands beside it", async () => {
      const server = await watchedServer(db);
      await server.rule({ notify: told });
      await server.beat(noon, 5);
      const first = await taken(noon);
      await settle(first, sent, noon);
      let next = await taken(noon);
      await settle(next, failed, noon);
      next = await taken(noon + 2 * minute);
      await settle(next, refused, noon);
      await server.beats(noon + 3 * minute, 1, 20);
      const [resolved, nothing] = [await taken(noon + 5 * minute), await claim(noon + 5 * minute)];
      expect([resolved.purpose, resolved.channel, nothing]).toEqual(["resolved", first.channel, null]);
      expect((await server.alert()).delivery[first.channel]?.resolvedStatus).toBe("pending");
      await settle(resolved, sent, noon + 5 * minute);
      expect((await server.alert()).delivery).toMatchObject({
        [first.channel]: { status: "sent", at: noon, attempts: 1, resolvedStatus: "sent" },
        [next.channel]: { status: "failed", resolvedStatus: null },
        in_app: { status: "sent", resolvedStatus: "sent" },
      });
    });

    it("[OUR-ALR-49] before anybody heard of it is told after its opening went out", async () => {
      const server = await alerted();
      await server.beats(noon + minute, 1, 20);
      expect(await server.alert()).toMatchObject({
        status: "resolved",
        delivery: { email: { status: "pending" } },
      });
      await settle(await taken(noon + 2 * minute), sent, noon + 2 * minute);
      const late = await taken(noon + 2 * minute);
      expect([late.purpose, await email(server)]).toMatchObject(["resolved", { resolvedStatus: "pending" }]);
      await settle(late, failed, noon + 2 * minute);
      expect(await email(server)).toMatchObject({ status: "sent", resolvedStatus: "pending" });
    });

    it("[OUR-ALR-49] while a mute holds is told to nobody, also where the opening is still on its way", async () => {
      const server = await alerted();
      const inFlight = await taken(noon);
      const [rule] = await server.db.read(rulesOf, server.id);
      if (rule) await server.change(rule, { mutedUntil: noon + 60 * minute }, noon);
      await server.beats(noon + minute, 1, 20);
      await settle(inFlight, sent, noon + 2 * minute);
      expect(await email(server)).toMatchObject({ status: "sent", resolvedStatus: "skipped" });
      expect(await server.waiting()).toEqual([]);
    });
  });

  describe("quiet", () => {
    it("[MNT-08] [MNT-09] that begins while a message waits keeps it back, and its end tells the alert", async () => {
      const server = await alerted();
      await settle(await taken(noon), failed, noon);
      const request = {
        serverId: server.id,
        durationMinutes: 10,
        reason: null,
        by: "api",
        now: noon,
      } as const;
      await server.db.write(beginMaintenance, request, () => null);
      const kept = await taken(noon + minute);
      expect(kept.quiet).toBe("maintenance");
      await settle(kept, { status: "skipped", reason: "maintenance" }, noon + minute);
      expect(await email(server)).toMatchObject({ status: "skipped", reason: "maintenance", attempts: 1 });
      await server.sweep(noon + minute);
      expect(await server.waiting()).toEqual([]);
      await server.db.write(closeMaintenance, server.id, noon + 80 * second);
      await server.sweep(noon + 80 * second);
      expect((await taken(noon + 80 * second)).quiet).toBeNull();
    });

    it("[OUR-ALR-16] of a mute counts as well, and not for notices", async () => {
      const server = await alerted();
      const [rule] = await server.db.read(rulesOf, server.id);
      if (rule) await server.change(rule, { mutedUntil: noon + 10 * minute }, noon);
      expect((await taken(noon)).quiet).toBe("muted");
    });

    it("[OUR-ALR-13] of the cooldown begins when a message was sent, not when the alert opened", async () => {
      const server = await alerted();
      const dispatch = await taken(noon);
      await server.beats(noon + minute, 1, 20);
      await settle(dispatch, sent, noon + 10 * minute);
      const [rule] = await server.db.read(rulesOf, server.id);
      expect(rule).toMatchObject({ lastNotifiedAt: noon + 10 * minute, updatedAt: noon });
      await server.beat(noon + 39 * minute, 5);
      expect(await email(server)).toMatchObject({ status: "skipped", reason: "cooldown" });
      await server.beats(noon + 40 * minute, 1, 20);
      await server.beat(noon + 42 * minute, 5);
      expect(await email(server)).toMatchObject({ status: "pending" });
    });
  });
});
