import { describe, expect, it } from "vitest";
import { nextDigestAt, weekMs } from "../../../src/core/digest/week.ts";
import { changeSettings } from "../../../src/services/notice/change-settings.ts";
import { changeDigestChannels } from "../../../src/services/digest/change-digest-channels.ts";
import { sendDigest } from "../../../src/services/digest/send-digest.ts";
import { eraseAccount } from "../../../src/services/access/erase-account.ts";
import { claimDigestWeek, selectDueDigests, skipDigestWeek } from "../../../src/store/digest/digest-weeks.ts";
import { selectWeekAlerts } from "../../../src/store/digest/noisiest-rule.ts";
import { all, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { recipientOf } from "../../../src/store/notice/recipients.ts";
import { factsOf, server } from "../../core/digest/digest-facts.ts";
import { exportOf, importInto } from "../transfer/exchanging.ts";
import { watchedServer } from "../alert/alerting.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { minute, newAccount, noon, times } from "../engine/rows.ts";

const waiting = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("dispatch")
    .select(["channel", "purpose"])
    .where("account_id", "=", $.account)
    .orderBy("channel"),
);
const sentTo = async (db: Database, account: string) =>
  (await db.read(() => all(waiting, { account }))).map(({ channel, purpose }) => `${channel} ${purpose}`);

const facts = factsOf([server(1)]);
const week = nextDigestAt(noon);

eachDatabase((databases) => {
  const start = async () => {
    const url = await databases.url();
    const db = await databases.open(url);
    const wanting = async (channels = { byEmail: true, byChat: true }) => {
      const account = await newAccount(db);
      await db.write(changeDigestChannels, account.id, channels, noon);
      return account.id;
    };
    const due = async (at = week) =>
      (await db.read(selectDueDigests, at, "", 100)).map((one) => one.accountId);
    return { url, db, wanting, due };
  };

  describe("a digest", () => {
    it("[OUR-DIG-01] is off until its owner switches it on, for each channel", async () => {
      const { db, wanting, due } = await start();
      const off = await newAccount(db);
      await db.write(changeSettings, off.id, noon, (before) => ({ ...before, noticesByEmail: true }));
      const [mail, chat] = [
        await wanting({ byEmail: true, byChat: false }),
        await wanting({ byEmail: false, byChat: true }),
      ];
      expect(await due()).toEqual([mail, chat].toSorted());
      for (const account of [off.id, mail, chat]) await db.write(sendDigest, account, week, facts, week);
      expect(await sentTo(db, off.id)).toEqual([]);
      expect(await sentTo(db, mail)).toEqual(["email digest"]);
      expect(await sentTo(db, chat)).toEqual(["chat digest"]);
      await db.write(changeDigestChannels, mail, { byEmail: false, byChat: false }, week);
      expect(await due(week + weekMs)).toEqual([chat]);
    });

    it("[OUR-DIG-03] is sent once by many connections that try at once", async () => {
      const { url, db, wanting, due } = await start();
      const accounts = await Promise.all(times(10).map(() => wanting()));
      const opened = await Promise.all(times(4).map(() => databases.open(url)));
      await Promise.all(
        opened.flatMap((through) =>
          accounts.map((account) => through.write(sendDigest, account, week, facts, week)),
        ),
      );
      for (const account of accounts)
        expect(await sentTo(db, account)).toEqual(["chat digest", "email digest"]);
      expect(await due()).toEqual([]);
      expect(await due(week + weekMs)).toEqual(accounts.toSorted());
    });

    it("[OUR-DIG-04] begins with the week in progress, and a second channel changes nothing of that", async () => {
      const { db, wanting, due } = await start();
      const account = await wanting({ byEmail: true, byChat: false });
      expect(await due(week - weekMs)).toEqual([]);
      expect(await due(week)).toEqual([account]);
      // The service was off on Monday at eight; the owner adds a channel before it sends.
      await db.write(changeDigestChannels, account, { byEmail: true, byChat: true }, week + minute);
      expect(await due(week)).toEqual([account]);
      await db.write(changeDigestChannels, account, { byEmail: false, byChat: false }, week + minute);
      await db.write(changeDigestChannels, account, { byEmail: true, byChat: true }, week + minute);
      expect(await due(week)).toEqual([]);
    });

    it("[OUR-DIG-05] of which there is nothing to say is noted as sent", async () => {
      const { db, wanting, due } = await start();
      const account = await wanting();
      await db.write(sendDigest, account, week, null, week);
      await db.write(sendDigest, account, week, facts, week);
      expect([await sentTo(db, account), await due()]).toEqual([[], []]);
    });

    it("[OUR-DIG-08] is held back for a week at most by a week that a wrong clock noted", async () => {
      const { db, wanting } = await start();
      const account = await wanting();
      await db.write(skipDigestWeek, account, week + weekMs);
      expect(await db.write(claimDigestWeek, account, week)).toBe(false);
      expect(await db.write(claimDigestWeek, account, week + weekMs)).toBe(false);
      await db.write(skipDigestWeek, account, week + 500 * weekMs);
      expect(await db.write(claimDigestWeek, account, week)).toBe(true);
    });

    it("[OUR-DIG-01] other settings leave its channels as they are", async () => {
      const { db, wanting, due } = await start();
      const account = await wanting();
      await db.write(sendDigest, account, week, facts, week);
      await db.write(changeSettings, account, week, (before) => ({ ...before, noticesByChat: true }));
      const settings = (await db.read(recipientOf, account))?.settings;
      expect(settings).toMatchObject({ digestByEmail: true, digestByChat: true, noticesByChat: true });
      expect(await due()).toEqual([]);
    });

    it("[OUR-DIG-09] is forgotten with its account, also while one waits to be sent", async () => {
      const { db, wanting, due } = await start();
      const account = await wanting();
      await db.write(sendDigest, account, week, facts, week);
      await newAccount(db, { role: "admin" });
      expect(await db.write(eraseAccount, account, week)).toBe(true);
      expect([await sentTo(db, account), await due(week + weekMs)]).toEqual([[], []]);
    });

    it("[OUR-DIG-09] travels with an export, with the week that was sent last", async () => {
      const { url, db, wanting } = await start();
      const account = await wanting({ byEmail: false, byChat: true });
      await db.write(sendDigest, account, week, facts, week);
      const target = await databases.emptyUrl();
      await importInto(target, await exportOf(url));
      const moved = await databases.open(target);
      expect((await moved.read(recipientOf, account))?.settings).toMatchObject({ digestByChat: true });
      const due = async (at: number) => (await moved.read(selectDueDigests, at, "", 10)).length;
      expect([await sentTo(moved, account), await due(week), await due(week + weekMs)]).toEqual([
        ["chat digest"],
        0,
        1,
      ]);
    });

    it("[OUR-DIG-15] counts the alerts that opened in the week, and names the rule with the most", async () => {
      const { db } = await start();
      const lobby = await watchedServer(db);
      const none = await db.read(selectWeekAlerts, lobby.account.id, noon, noon + weekMs);
      expect(none).toEqual({ count: 0, rules: 0, noisiest: null });
      await lobby.rule({ name: "Once", threshold: 10 });
      await lobby.rule({ name: "Often", threshold: 18 });
      await lobby.beat(noon - minute, 15);
      for (const [index, tps] of [20, 5, 20, 15, 20, 15, 20].entries())
        await lobby.beats(noon + index * 20 * minute, 10, tps);
      const count = async (from: number, to: number) => {
        const {
          count: alerts,
          rules,
          noisiest,
        } = await db.read(selectWeekAlerts, lobby.account.id, from, to);
        return [alerts, rules, noisiest?.name, noisiest?.alerts];
      };
      expect(await count(noon, noon + weekMs)).toEqual([4, 2, "Often", 3]);
      expect(await count(noon - weekMs, noon)).toEqual([1, 1, "Often", 1]);
      const other = await newAccount(db);
      expect((await db.read(selectWeekAlerts, other.id, noon, noon + weekMs)).count).toBe(0);
    });
  });
}, sharedKinds);
