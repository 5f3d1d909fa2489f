import { changePlan } from "../../../src/services/access/change-plan.ts";
import { rulesOf } from "../../../src/store/alert/alert-rules.ts";
import { queueNotice } from "../../../src/services/notice/queue-notice.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { settleDispatch } from "../../../src/services/notice/settle-dispatch.ts";
import { saveSettings } from "../../../src/store/notice/notification-settings.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mostAttempts, mostUnanswered } from "../../../src/core/notice/retry.ts";
import { defaultSettings, type Dispatch, type DispatchResult } from "../../../src/core/notice/records.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase, everyKind, sharedKinds } from "../../support/databases.ts";
import {
  email,
  failure,
  mailedAlert,
  nothingWaits,
  second,
  untold,
  watchedServer,
} from "../alert/alerting.ts";
import { day, minute, newId, noon, times } from "../engine/rows.ts";

const sent: DispatchResult = { status: "sent" };
const failed = failure();
const message = { title: "t", lines: ["l"], link: null, tone: "info" } as const;

eachDatabase((databases, kind) => {
  let db: Database;
  let other: Database;
  beforeAll(async () => {
    const url = await databases.url();
    db = await databases.open(url);
    other = sharedKinds.includes(kind) ? await databases.open(url) : db;
  });
  beforeEach(() => nothingWaits(db));

  const alerted = () => mailedAlert(db);
  const claim = (now: number, through = db) => claimDispatch(through, now);
  const settle = (dispatch: Dispatch, result: DispatchResult, now: number) =>
    db.write(settleDispatch, dispatch, result, now);
  const taken = async (now: number): Promise<Dispatch> => {
    const dispatch = await claim(now);
    if (!dispatch) throw new Error("Nothing is due.");
    return dispatch;
  };

  describe("a message", () => {
    it("[OUR-ALR-46] is claimed by one of eight that ask at once, on either connection", async () => {
      for (const _ of times(20)) {
        const { account } = await watchedServer(db);
        await db.write(
          saveSettings,
          account.id,
          { ...defaultSettings, noticesByEmail: true, noticesByChat: true },
          noon,
        );
        const notice = { accountId: account.id, kind: "report", serverId: null, message, now: noon } as const;
        await db.write(queueNotice, { ...notice, id: newId() });
      }
      const claimed: Dispatch[] = [];
      const caller = async (through: Database) => {
        for (let dispatch = await claim(noon, through); dispatch; dispatch = await claim(noon, through))
          claimed.push(dispatch);
      };
      await Promise.all(times(8).map((index) => caller(index % 2 ? db : other)));
      // One that met the others at every turn may leave rows to the next round, never take one twice.
      await caller(db);
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(40);
      expect(claimed).toHaveLength(40);
      expect(
        claimed.every(
          ({ attempt, quiet, purpose }) => attempt === 1 && quiet === null && purpose === "notice",
        ),
      ).toBe(true);
      console.log(`dispatches on ${kind}: 40 messages, 8 claimers, ${claimed.length} claims`);
    });

    it("[OUR-ALR-63] waits while another of its account is on its way over the same channel", async () => {
      const { account } = await watchedServer(db);
      const [slow, other] = [account, (await watchedServer(db)).account];
      const settings = { ...defaultSettings, noticesByEmail: true };
      const queue = async (accountId: string, now: number) => {
        await db.write(saveSettings, accountId, settings, now);
        const notice = { accountId, kind: "report", serverId: null, message, now } as const;
        await db.write(queueNotice, { ...notice, id: newId() });
      };
      await queue(slow.id, noon);
      await queue(slow.id, noon + 1);
      await queue(other.id, noon + 2);
      const first = await taken(noon + second);
      expect(first.recipient.accountId).toBe(slow.id);
      expect((await taken(noon + second)).recipient.accountId).toBe(other.id);
      expect(await claim(noon + second)).toBeNull();
      await settle(first, sent, noon + second);
      expect((await taken(noon + second)).recipient.accountId).toBe(slow.id);
    });

    it("[OUR-ALR-46] comes with whom it is for as of now, oldest first", async () => {
      const server = await alerted();
      await server.db.write(changePlan, server.account.id, "free", noon);
      expect(await taken(noon)).toMatchObject({
        channel: "email",
        purpose: "opened",
        attempt: 1,
        alertId: (await server.alert()).id,
        recipient: { email: server.account.email, emailVerified: true, plan: "free" },
        message: { title: expect.stringContaining("Low TPS") as unknown },
      });
      expect(await claim(noon)).toBeNull();
    });

    it("[OUR-ALR-46] that went out is gone, and stands on its alert", async () => {
      const server = await alerted();
      expect(await email(server)).toMatchObject({ status: "pending", attempts: 0, at: null });
      await settle(await taken(noon), sent, noon + second);
      expect(await email(server)).toEqual({
        status: "sent",
        reason: null,
        at: noon + second,
        attempts: 1,
        resolvedStatus: null,
      });
      expect(await server.waiting()).toEqual([]);
      expect(await server.alerts({ notified: true })).toHaveLength(1);
    });

    it("[OUR-ALR-47] is tried again for 24 hours, after pauses that grow to an hour, and then given up", async () => {
      const server = await alerted();
      const after: number[] = [];
      for (let now = noon; ;) {
        expect(await claim(now - 1)).toBeNull();
        const dispatch = await taken(now);
        after.push((now - noon) / minute);
        await settle(dispatch, failed, now);
        const { status, reason, attempts, at } = await email(server);
        expect([reason, attempts, at]).toEqual(["provider_error", after.length, now]);
        const [waits] = await server.waiting();
        expect(status).toBe(waits ? "pending" : "failed");
        if (!waits) break;
        now = waits.due_at;
      }
      const hours = times(24).map((index) => (index + 1) * 60);
      expect(after).toEqual([0, 0.5, 2, 5, 10, 20, 35, ...hours]);
      expect(after).toHaveLength(mostAttempts);
      const [rule] = await server.db.read(rulesOf, server.id);
      expect([rule?.lastNotifiedAt, await server.alerts({ notified: true })]).toEqual([null, []]);
    });

    it("[OUR-ALR-47] that is skipped was no attempt", async () => {
      const server = await alerted();
      await settle(await taken(noon), { status: "skipped", reason: "address_unverified" }, noon);
      const record = {
        status: "skipped",
        reason: "address_unverified",
        at: null,
        attempts: 0,
        resolvedStatus: null,
      };
      expect(await email(server)).toEqual(record);
      expect(await server.waiting()).toEqual([]);
    });

    it("[OUR-ALR-64] is not tried again after a refusal for good", async () => {
      const server = await alerted();
      await settle(await taken(noon), failure({ again: "never" }), noon);
      expect(await email(server)).toMatchObject({ status: "failed", reason: "provider_error", attempts: 1 });
      expect(await server.waiting()).toEqual([]);
    });

    it("[OUR-ALR-65] that may have arrived is tried three times at most, after longer pauses", async () => {
      const server = await alerted();
      const after: number[] = [];
      for (let now = noon; ;) {
        const dispatch = await taken(now);
        after.push((now - noon) / minute);
        await settle(dispatch, failure({ again: "unknown", reason: "timeout" }), now);
        const [waits] = await server.waiting();
        if (!waits) break;
        now = waits.due_at;
      }
      expect(after).toEqual([0, 10, 70]);
      expect(await email(server)).toMatchObject({ status: "failed", reason: "timeout", attempts: 3 });
    });

    it("[OUR-ALR-48] of a process that died is taken over when its lease is over, three times at most", async () => {
      const server = await alerted();
      const attempts: [number, number][] = [];
      for (const round of times(mostUnanswered + 1)) {
        const now = noon + round * minute;
        expect(await claim(now - 1)).toBeNull();
        const { attempt, unanswered } = await taken(now);
        attempts.push([attempt, unanswered]);
      }
      expect(attempts).toEqual([
        [1, 0],
        [2, 1],
        [3, 2],
        [3, 3],
      ]);
      const last = await taken(noon + 4 * minute);
      await settle(last, failure({ again: "never", reason: "timeout" }), noon + 4 * minute);
      expect(await email(server)).toMatchObject({ status: "failed", reason: "timeout", attempts: 3 });
      expect(await server.waiting()).toEqual([]);
    });

    it("[OUR-ALR-48] that somebody else took over stands as he left it, but that it went out counts from anybody", async () => {
      const slowFailure = await alerted();
      const slow = await taken(noon);
      const next = await taken(noon + minute);
      await settle(slow, failed, noon + minute + 1);
      expect(await email(slowFailure)).toMatchObject({ status: "pending", attempts: 0 });
      await settle(next, sent, noon + minute + 2);
      await settle(slow, failed, noon + minute + 3);
      await settle(slow, sent, noon + minute + 4);
      expect(await email(slowFailure)).toMatchObject({ status: "sent", attempts: 2, at: noon + minute + 2 });

      const slowSuccess = await alerted();
      const first = await taken(noon);
      const later = await taken(noon + minute);
      await settle(first, sent, noon + minute + 1);
      expect(await slowSuccess.waiting()).toEqual([]);
      await settle(later, failed, noon + minute + 2);
      expect(await email(slowSuccess)).toMatchObject({ status: "sent", attempts: 1 });
    });

    it("[OUR-ALR-48] in flight while its alert is acknowledged: what happened to it is told, nothing follows", async () => {
      for (const [result, status, wasTold] of [
        [sent, "sent", true],
        [failed, "skipped", false],
      ] as const) {
        const server = await alerted();
        const dispatch = await taken(noon);
        await server.acknowledge(await server.alert(), noon + 1);
        await settle(dispatch, result, noon + 2);
        expect([(await email(server)).status, await server.waiting()]).toEqual([status, []]);
        expect((await server.alerts({ notified: wasTold })).length).toBe(1);
      }
    });
  });

  describe("a clock that was wrong", () => {
    it("[OUR-ALR-18] leaves no message waiting for it: neither its lease nor its next attempt", async () => {
      const server = await alerted();
      const ahead = noon + 400 * day;
      await taken(ahead);
      expect((await taken(noon)).attempt).toBe(2);
      await nothingWaits(db);
      const late = await watchedServer(db);
      await late.rule({ notify: { ...untold, email: true } });
      await late.beat(ahead, 5);
      expect((await late.waiting()).map(({ due_at }) => due_at)).toEqual([ahead]);
      await settle(await taken(noon), failed, ahead);
      const retried = await taken(noon);
      expect(retried.attempt).toBe(2);
      await settle(retried, sent, noon);
      expect([await late.waiting(), await server.waiting()]).toEqual([[], []]);
    });
  });

  it("[OUR-ALR-46] of an alert that is gone is sent all the same, and leaves nothing", async () => {
    const server = await alerted();
    const dispatch = { ...(await taken(noon)), alertId: newId() };
    await settle(dispatch, sent, noon);
    expect(await server.waiting()).toEqual([]);
    expect(await claim(noon)).toBeNull();
  });
}, everyKind);
