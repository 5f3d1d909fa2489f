import { alertOfAccount, selectWatchedServers } from "../../../src/store/alert/alerts.ts";
import { acknowledgeOpenAlert } from "../../../src/services/alert/acknowledge-alert.ts";
import { changedByTime, sweepServers } from "../../../src/services/alert/sweep-servers.ts";
import { unlinkServerOfAccount } from "../../../src/services/server/unlink-from-account.ts";
import { closeMaintenance } from "../../../src/services/maintenance/close-maintenance.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { settleDispatch } from "../../../src/services/notice/settle-dispatch.ts";
import { storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase, everyKind, sharedKinds } from "../../support/databases.ts";
import { failure, limitsOf, nothingWaits, second, told, traceOf, watchedServer } from "./alerting.ts";
import { openRaw } from "../engine/raw-database.ts";
import { minute, newAccount, newId, noon, times } from "../engine/rows.ts";

eachDatabase((databases, kind) => {
  let url: string;
  let db: Database;
  let other: Database;
  beforeAll(async () => {
    url = await databases.url();
    db = await databases.open(url);
    // A database in memory is its connection's alone.
    other = sharedKinds.includes(kind) ? await databases.open(url) : db;
  });

  describe("a heartbeat", () => {
    it("[OUR-ALR-43] judges every rule of its server, opens, worsens and resolves, and no other server's", async () => {
      const { account, alert, alerts, beat, beats, look, rule } = await watchedServer(db);
      const neighbour = await watchedServer(db, account);
      const theirs = await neighbour.rule();
      const low = await rule({ durationMinutes: 1 });
      const lower = await rule({ name: "Very low TPS", threshold: 2 });
      await beat(noon, 20);
      expect((await look(low)).progress.state).toBe("ok");
      await beat(noon + 30 * second, 10);
      expect([(await look(low)).progress.state, await alerts()]).toEqual(["pending", []]);
      await beats(noon + minute, 0.5, 8);
      expect(await alert()).toMatchObject({
        accountId: account.id,
        kind: "threshold",
        status: "open",
        ruleId: low.id,
        value: 8,
        worstValue: 8,
        pendingSince: noon + 30 * second,
        openedAt: noon + 90 * second,
        serverState: "running",
        threshold: 18,
        durationMinutes: 1,
      });
      await beat(noon + 2 * minute, 7.5);
      await beat(noon + 2.5 * minute, 9);
      expect(await alert()).toMatchObject({ value: 8, worstValue: 7.5, status: "open" });
      expect((await look(low)).openAlertId).toBe((await alert()).id);
      await beats(noon + 3 * minute, 1, 20);
      expect(await alert()).toMatchObject({
        status: "resolved",
        resolutionReason: "recovered",
        resolvedAt: noon + 4 * minute,
      });
      expect(await look(low)).toMatchObject({ openAlertId: null, lastTriggeredAt: noon + 90 * second });
      expect((await look(lower)).lastTriggeredAt).toBeNull();
      expect(await neighbour.look(theirs)).toEqual(theirs);
    });

    it("[OUR-ALR-43] that comes late, or repeats what is known, judges nothing", async () => {
      const { alerts, beat, look, rule, id } = await watchedServer(db);
      const made = await rule();
      await beat(noon + minute, 20);
      const before = await look(made);
      await beat(noon, 1);
      await beat(noon + minute, 1);
      await db.write(storeLateSamples, id, [], noon + minute);
      await beat(noon + minute - 1, 1, db, noon + minute);
      expect([await look(made), await alerts()]).toEqual([before, []]);
    });

    it("[OUR-ALR-43] without a sample lets time alone judge", async () => {
      const { alert, beat, look, rule } = await watchedServer(db);
      const made = await rule();
      await beat(noon, 5);
      await beat(noon + 16 * minute, null);
      expect(await alert()).toMatchObject({ status: "resolved", resolutionReason: "no_data" });
      expect((await look(made)).progress.state).toBe("no_data");
    });

    it("[OUR-ALR-44] sent by two connections at once, four times over, is one alert told once", async () => {
      const { alerts, beat, inbox, look, rule, waiting } = await watchedServer(db);
      const made = await rule({ notify: told });
      const facts = times(5).map((index) => noon + index * 30 * second);
      const connections = [db, other];
      const sent = facts.flatMap((at) =>
        connections.flatMap((through) => times(4).map(() => beat(at, 5, through))),
      );
      await Promise.all(sent);
      expect(await alerts()).toHaveLength(1);
      expect((await waiting()).map(({ channel }) => channel).toSorted()).toEqual(["chat", "email"]);
      expect(await inbox()).toHaveLength(1);
      expect((await look(made)).progress.openings).toHaveLength(1);
    });
  });

  describe("time", () => {
    it("[OUR-ALR-43] opens and closes alerts on silence by itself, once for two that ask at once", async () => {
      const { alert, alerts, beat, rule, sweep, id } = await watchedServer(db);
      await rule({ metric: "offline", condition: null, threshold: null, durationMinutes: 1 });
      await beat(noon, 20);
      await sweep(noon + minute);
      expect(await alerts()).toEqual([]);
      const at = noon + 4 * minute;
      await Promise.all(times(4).flatMap(() => [sweep(at), sweepServers(other, [id], limitsOf, at)]));
      expect(await alerts()).toHaveLength(1);
      expect(await alert()).toMatchObject({ status: "open", value: null, serverState: "unreachable" });
    });

    it("[OUR-ALR-43] of servers that are read together changes those alone that are due", async () => {
      const [silent, kept, well, left] = await Promise.all(times(4).map(() => watchedServer(db)));
      if (!silent || !kept || !well || !left) throw new Error("There are four servers.");
      await silent.rule({ metric: "offline", condition: null, threshold: null, durationMinutes: 1 });
      for (const server of [kept, well, left]) await server.rule();
      const request = { serverId: kept.id, durationMinutes: 3, reason: null, by: "api", now: noon } as const;
      await db.write(beginMaintenance, request, () => null);
      const at = noon + 4 * minute;
      await silent.beat(noon, 20);
      await kept.beat(noon, 5);
      await well.beat(at - 20 * second, 20);
      await left.beat(at - 20 * second, 5);
      await db.write(unlinkServerOfAccount, left.id, left.account.id, at);
      const ids = [silent.id, kept.id, well.id, left.id];
      const due = () => db.read(changedByTime, ids, limitsOf, at);
      expect(new Set(await due())).toEqual(new Set([silent.id, kept.id]));
      await sweepServers(db, ids, limitsOf, at);
      expect([await silent.alert(), await kept.alert()]).toMatchObject([
        { status: "open", serverState: "unreachable" },
        { status: "open", delivery: { in_app: { status: "sent" } } },
      ]);
      expect(await well.alerts()).toEqual([]);
      expect(await due()).toEqual([]);
    });

    it("[OUR-ALR-43] asks about servers with rules, each once, in order", async () => {
      const { id, rule } = await watchedServer(db);
      await rule();
      await rule({ name: "Two" });
      const seen: string[] = [];
      for (let after: string | null = null; ; after = seen.at(-1) ?? null) {
        const page = await db.read(selectWatchedServers, after, 2);
        if (page.length === 0) break;
        seen.push(...page);
      }
      expect(seen.filter((server) => server === id)).toEqual([id]);
      expect(seen).toEqual([...new Set(seen)].toSorted());
    });

    it("[OUR-ALR-43] does not wait for somebody who holds an alert while nothing is to be done", async () => {
      if (kind !== "PostgreSQL") return;
      const { alert, beat, rule, sweep } = await watchedServer(db);
      await rule();
      await beat(noon, 5);
      const holder = await openRaw(url);
      await holder.run("BEGIN");
      await holder.rows(`SELECT * FROM alert WHERE id = '${(await alert()).id}' FOR UPDATE`);
      await sweep(noon + second);
      await holder.run("ROLLBACK");
      await holder.close();
    });
  });

  describe("maintenance", () => {
    it("[MNT-08] [MNT-09] keeps an alert back on the channels that are on, and tells it once at the end", async () => {
      const { id, alert, beat, inbox, look, rule, sweep, waiting } = await watchedServer(db);
      const made = await rule({ notify: { ...told, chat: false } });
      const request = { serverId: id, durationMinutes: 30, reason: null, by: "api", now: noon } as const;
      await db.write(beginMaintenance, request, () => null);
      await beat(noon, 5);
      const kept = { status: "skipped", reason: "maintenance", at: null, attempts: 0 };
      const off = { ...kept, reason: "channel_off" };
      expect(await alert()).toMatchObject({
        inMaintenance: true,
        delivery: { email: kept, in_app: kept, chat: off },
      });
      expect([await inbox(), await waiting()]).toEqual([[], []]);
      await db.write(closeMaintenance, id, noon + second);
      await Promise.all([sweep(noon + second), sweep(noon + second), beat(noon + 2 * second, 5)]);
      const sent = { status: "sent", reason: null, attempts: 1 };
      expect(await alert()).toMatchObject({
        delivery: { in_app: sent, email: { status: "pending" }, chat: off },
      });
      expect([(await inbox()).length, (await waiting()).length]).toEqual([1, 1]);
      expect((await look(made)).lastNotifiedAt).not.toBeNull();
    });
  });

  describe("acknowledging", () => {
    it("[ALR-15] [ALR-16] is done once, by one of many at once, and leaves its trace once", async () => {
      const { account, id, alert, beat, look, rule, timeline } = await watchedServer(db);
      const made = await rule();
      await beat(noon, 5);
      const { id: alertId } = await alert();
      const ack = (through = db) =>
        through.write(acknowledgeOpenAlert, alertId, account.id, "api", noon + second, () => traceOf(id));
      const results = await Promise.all(times(6).map((index) => ack(index % 2 ? db : other)));
      expect(results.map((result) => result?.kind).toSorted()).toEqual([
        "acknowledged",
        ...times(5).map(() => "already"),
      ]);
      expect(await timeline()).toEqual(["rule_disabled"]);
      expect(await alert()).toMatchObject({
        status: "acknowledged",
        acknowledgedAt: noon + second,
        acknowledgedBy: "api",
        resolvedAt: null,
      });
      expect((await look(made)).openAlertId).toBe(alertId);
    });

    it("[ALR-17] of an alert that is over changes nothing", async () => {
      const { acknowledge, alert, beat, change, rule } = await watchedServer(db);
      const made = await rule();
      await beat(noon, 5);
      await change(made, { enabled: false });
      const over = await alert();
      expect(await acknowledge(over, noon + minute)).toEqual({ kind: "resolved", alert: over });
      expect(await alert()).toEqual(over);
    });

    it("[ACC-26] finds no alert of another account, and none that does not exist", async () => {
      const { alert, beat, rule } = await watchedServer(db);
      await rule();
      await beat(noon, 5);
      const stranger = await newAccount(db);
      for (const id of [(await alert()).id, newId()]) {
        expect(await db.write(acknowledgeOpenAlert, id, stranger.id, "api", noon, () => null)).toBeNull();
        expect(await db.read(alertOfAccount, id, stranger.id)).toBeNull();
      }
    });

    it("[OUR-ALR-45] takes back what was still to be sent, and its end is told to nobody", async () => {
      await nothingWaits(db);
      const { acknowledge, alert, beat, beats, inbox, rule, waiting } = await watchedServer(db);
      await rule({ notify: told });
      await beat(noon, 5);
      const tried = await claimDispatch(db, noon);
      if (!tried) throw new Error("nothing is due");
      const failed = failure({ reason: "timeout" });
      await db.write(settleDispatch, tried, failed, noon + second);
      expect((await alert()).delivery[tried.channel]).toMatchObject({ status: "pending", reason: "timeout" });
      await acknowledge(await alert(), noon + 2 * second);
      const untried = tried.channel === "email" ? "chat" : "email";
      expect((await alert()).delivery).toMatchObject({
        [tried.channel]: { status: "failed", reason: "timeout", at: noon + second, attempts: 1 },
        [untried]: { status: "skipped", reason: "muted", at: null, attempts: 0 },
        in_app: { status: "sent" },
      });
      expect(await waiting()).toEqual([]);
      await beats(noon + minute, 2, 20);
      expect(await alert()).toMatchObject({
        status: "resolved",
        delivery: { email: { resolvedStatus: null }, in_app: { resolvedStatus: "skipped" } },
      });
      expect([(await inbox()).length, await waiting()]).toEqual([1, []]);
    });

    it("[OUR-ALR-18] by a clock that was set back is not before the alert", async () => {
      const { acknowledge, alert, beat, rule } = await watchedServer(db);
      await rule();
      await beat(noon, 5);
      await acknowledge(await alert(), noon - minute);
      expect((await alert()).acknowledgedAt).toBe(noon);
    });
  });
}, everyKind);
