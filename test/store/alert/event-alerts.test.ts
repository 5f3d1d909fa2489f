import { eventRulesOf } from "../../../src/store/alert/event-rules.ts";
import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { closeMaintenance } from "../../../src/services/maintenance/close-maintenance.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { settleDispatch } from "../../../src/services/notice/settle-dispatch.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { eventPresets, type EventRuleRecord } from "../../../src/core/alert/event-rule.ts";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase, everyKind, sharedKinds } from "../../support/databases.ts";
import { eventRule, failure, nothingWaits, told, untold, watchedServer } from "./alerting.ts";
import { minute, newId, noon, times } from "../engine/rows.ts";

eachDatabase((databases, kind) => {
  let db: Database;
  let other: Database;
  beforeAll(async () => {
    const url = await databases.url();
    db = await databases.open(url);
    other = sharedKinds.includes(kind) ? await databases.open(url) : db;
  });

  const event = (serverId: string, changes: Partial<EventRecord> = {}): EventRecord => ({
    id: newId(),
    serverId,
    localId: newId(),
    type: "ban",
    category: "moderation",
    source: "LiteBans",
    severity: "warning",
    title: "Steve was banned <@everyone>",
    description: null,
    metadata: { reason: "x" },
    happenedAt: noon,
    durationMs: null,
    receivedAt: noon,
    ...changes,
  });

  /** A server with one event rule. */
  async function ruled(changes: Partial<EventRuleRecord> = {}) {
    const server = await watchedServer(db);
    const rule = eventRule(server.id, changes);
    await server.db.write(addEventRule, rule, 5);
    const record = (events: readonly Partial<EventRecord>[], now = noon) =>
      server.db.write(
        recordEvents,
        server.id,
        events.map((each) => event(server.id, { receivedAt: now, ...each })),
        now,
      );
    const look = async () => (await server.db.read(eventRulesOf, server.id))[0];
    return { ...server, eventRule: rule, record, lookEventRule: look };
  }

  describe("an event", () => {
    it("[ALR-20] that a rule is about is an alert, over as it was born, with what happened", async () => {
      const server = await ruled({ notify: told });
      const [stored] = await server.record([{ title: "Steve was banned" }, { type: "kick" }]);
      const sent = { status: "sent", reason: null, at: noon, attempts: 1, resolvedStatus: null };
      expect(await server.alerts()).toEqual([
        expect.objectContaining({
          kind: "event",
          status: "resolved",
          resolutionReason: "instantaneous",
          openedAt: noon,
          resolvedAt: noon,
          ruleId: server.eventRule.id,
          ruleName: "Bans",
          metric: null,
          threshold: null,
          durationMinutes: null,
          value: null,
          event: {
            id: stored?.id,
            type: "ban",
            category: "moderation",
            severity: "warning",
            title: "Steve was banned",
            timestamp: "2026-11-20T12:00:00.000Z",
          },
          delivery: expect.objectContaining({ in_app: sent }) as unknown,
        }),
      ]);
      expect((await server.waiting()).map(({ purpose }) => purpose)).toEqual(["opened", "opened"]);
      expect((await server.lookEventRule())?.lastTriggeredAt).toBe(noon);
      expect(await server.alerts({ status: "open" })).toEqual([]);
      expect(await server.alerts({ kind: "threshold" })).toEqual([]);
      expect(await server.alerts({ kind: "event", status: "resolved" })).toHaveLength(1);
      expect((await server.acknowledge(await server.alert(), noon))?.kind).toBe("resolved");
    });

    it("[OUR-ALR-44] that comes again, or by two connections at once, raises one alert", async () => {
      const server = await ruled();
      const same = times(3).map(() => event(server.id));
      await Promise.all(
        times(6).map((index) => (index % 2 === 0 ? db : other).write(recordEvents, server.id, same, noon)),
      );
      expect(await server.alerts()).toHaveLength(3);
      expect(await server.inbox()).toHaveLength(3);
    });

    it("[OUR-ALR-26] of more than fifteen minutes ago raises none, one without a time does", async () => {
      const server = await ruled();
      await server.record([
        { happenedAt: noon - 15 * minute - 1 },
        { happenedAt: noon - 15 * minute },
        { happenedAt: null },
      ]);
      expect((await server.alerts()).map(({ event: of }) => of?.timestamp).toSorted()).toEqual([
        "2026-11-20T11:45:00.000Z",
        null,
      ]);
    });

    it("[OUR-ALR-25] of a start is no restart when a stop announced it, in the same upload or before", async () => {
      const server = await ruled({ preset: "restarts", eventTypes: eventPresets.restarts });
      const lifecycle = { category: "lifecycle", severity: "info" } as const;
      const at = (type: string, minutes: number) => ({
        ...lifecycle,
        type,
        happenedAt: noon + minutes * minute,
      });
      await server.record([at("server_start", 1), at("server_stop", 0)], noon + minute);
      expect(await server.alerts()).toEqual([]);
      await server.record([at("server_start", 10)], noon + 10 * minute);
      expect(await server.alerts()).toEqual([]);
      await server.record([at("server_start", 11), at("restart", 12)], noon + 12 * minute);
      expect((await server.alerts()).map(({ event: of }) => of?.type).toSorted()).toEqual([
        "restart",
        "server_start",
      ]);
    });

    it("[OUR-ALR-43] is nothing to a rule that is off, and to another server's", async () => {
      const off = await ruled({ enabled: false });
      const elsewhere = await ruled();
      await off.record([{}]);
      expect([await off.alerts(), await elsewhere.alerts()]).toEqual([[], []]);
    });
  });

  describe("the messages of event rules", () => {
    it("[OUR-ALR-13] cool down after one that was told", async () => {
      const server = await ruled({ cooldownMinutes: 10 });
      await server.record([{}, {}]);
      await server.record([{}], noon + 10 * minute - 1);
      await server.record([{}], noon + 10 * minute);
      const reasons = (await server.alerts()).map(({ delivery }) => delivery.in_app.reason).toSorted();
      expect(reasons).toEqual(["cooldown", "cooldown", null, null]);
    });

    it("[OUR-ALR-52] are one while the first is still on its way, however many events come", async () => {
      await nothingWaits(db);
      const server = await ruled({ cooldownMinutes: 10, notify: { ...untold, email: true } });
      await server.record(times(500).map(() => ({})));
      await server.record(
        times(20).map(() => ({})),
        noon + 1,
      );
      expect(await server.waiting()).toHaveLength(1);
      const dispatch = await claimDispatch(server.db, noon + 2);
      if (dispatch) await server.db.write(settleDispatch, dispatch, { status: "sent" }, noon + minute);
      expect((await server.lookEventRule())?.lastNotifiedAt).toBe(noon + minute);
      await server.record([{}], noon + 11 * minute - 1);
      expect(await server.waiting()).toEqual([]);
      await server.record([{}], noon + 11 * minute);
      expect(await server.waiting()).toHaveLength(1);
    });

    it("[OUR-ALR-52] are told again after the cooldown, also where the first still waits for a mail server", async () => {
      await nothingWaits(db);
      const server = await ruled({ cooldownMinutes: 10, notify: { ...untold, email: true } });
      await server.record([{}]);
      const dispatch = await claimDispatch(server.db, noon);
      if (dispatch) await server.db.write(settleDispatch, dispatch, failure(), noon);
      await server.record([{}], noon + 10 * minute - 1);
      expect(await server.waiting()).toHaveLength(1);
      await server.record([{}], noon + 10 * minute);
      expect(await server.waiting()).toHaveLength(2);
    });

    it("[OUR-ALR-52] are as many as events where the rule has no cooldown", async () => {
      const server = await ruled({ notify: { ...untold, email: true } });
      await server.record(times(7).map(() => ({})));
      expect(await server.waiting()).toHaveLength(7);
    });

    it("[MNT-08] [OUR-ALR-16] are kept back by maintenance and mutes, and an event is not told afterwards", async () => {
      const muted = await ruled({ mutedUntil: noon + minute });
      await muted.record([{}]);
      expect((await muted.alert()).delivery.in_app).toMatchObject({ status: "skipped", reason: "muted" });
      const server = await ruled();
      const request = {
        serverId: server.id,
        durationMinutes: 5,
        reason: null,
        by: "api",
        now: noon,
      } as const;
      await server.db.write(beginMaintenance, request, () => null);
      await server.record([{}]);
      expect(await server.alert()).toMatchObject({
        inMaintenance: true,
        delivery: { in_app: { reason: "maintenance" } },
      });
      await server.db.write(closeMaintenance, server.id, noon + 1);
      await server.sweep(noon + minute);
      expect([await server.inbox(), await muted.inbox()]).toEqual([[], []]);
    });
  });
}, everyKind);
