import { recipientOf } from "../../../src/store/notice/recipients.ts";
import { queueNotice } from "../../../src/services/notice/queue-notice.ts";
import { selectInbox, addTestToInbox } from "../../../src/store/notice/notices.ts";
import { countTestMessage } from "../../../src/services/notice/count-test-message.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { saveSettings } from "../../../src/store/notice/notification-settings.ts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  defaultSettings,
  testsPerWindow,
  type NotificationSettings,
} from "../../../src/core/notice/records.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase, everyKind, sharedKinds } from "../../support/databases.ts";
import { nothingWaits, second } from "../alert/alerting.ts";
import { day, minute, newAccount, newId, noon, times } from "../engine/rows.ts";

const message = { title: "Title 💾", lines: ["a", "b"], link: null, tone: "info" } as const;
const full: NotificationSettings = {
  sealedEmail: "sealed mail",
  emailVerifiedAt: noon,
  sealedChat: "sealed chat",
  noticesByEmail: true,
  noticesByChat: false,
  digestByEmail: false,
  digestByChat: false,
  sealedWebhook: "sealed webhook",
  sealedWebhookSecrets: "sealed secrets",
  noticesByWebhook: true,
  secondChannel: "chat",
};

eachDatabase((databases, kind) => {
  let db: Database;
  let elsewhere: Database;
  beforeAll(async () => {
    const url = await databases.url();
    db = await databases.open(url);
    elsewhere = sharedKinds.includes(kind) ? await databases.open(url) : db;
  });

  describe("settings", () => {
    it("[OUR-ALR-50] of an account are its own address and nothing else until they are saved, whole, each time", async () => {
      const account = await newAccount(db, { emailVerified: false, plan: "hosting" });
      const settings = async () => (await db.read(recipientOf, account.id))?.settings;
      expect(await db.read(recipientOf, account.id)).toEqual({
        accountId: account.id,
        email: account.email,
        emailVerified: false,
        plan: "hosting",
        settings: defaultSettings,
      });
      await db.write(saveSettings, account.id, full, noon);
      expect(await settings()).toEqual(full);
      await db.write(saveSettings, account.id, defaultSettings, noon + 1);
      expect(await settings()).toEqual(defaultSettings);
      expect(await db.read(recipientOf, newId())).toBeNull();
    });

    it("[OUR-ALR-50] that are saved by several at once are one of them", async () => {
      const account = await newAccount(db);
      const wish = (index: number): NotificationSettings => ({
        ...full,
        sealedChat: `chat ${index}`,
        sealedEmail: `mail ${index}`,
      });
      const wishes = times(8).map(wish);
      await Promise.all(wishes.map((each) => db.write(saveSettings, account.id, each, noon)));
      expect(wishes).toContainEqual((await db.read(recipientOf, account.id))?.settings);
    });
  });

  describe("a notice", () => {
    it.each([
      [false, false, false, []],
      [true, false, false, ["email"]],
      [false, true, false, ["chat"]],
      [true, true, false, ["chat", "email"]],
      [false, false, true, ["webhook"]],
    ] as const)(
      "[OUR-ALR-51] stands in-app, and goes out where wished: mail %s, chat %s, webhook %s",
      async (mail, chat, webhook, out) => {
        await nothingWaits(db);
        const account = await newAccount(db);
        await db.write(
          saveSettings,
          account.id,
          { ...full, noticesByEmail: mail, noticesByChat: chat, noticesByWebhook: webhook },
          noon,
        );
        const id = newId();
        await db.write(queueNotice, {
          id,
          accountId: account.id,
          kind: "report",
          serverId: "s",
          message,
          now: noon,
        });
        const item = {
          id,
          kind: "report",
          message,
          serverId: "s",
          alertId: null,
          createdAt: noon,
          readAt: null,
        };
        expect(await db.read(selectInbox, account.id, null, 10)).toEqual([item]);
        const claimed = [await claimDispatch(db, noon), await claimDispatch(db, noon)];
        expect(claimed.flatMap((dispatch) => dispatch?.channel ?? []).toSorted()).toEqual(out);
      },
    );

    it("[OUR-ALR-51] is listed newest first, ties by id, and goes on from any of them", async () => {
      const account = await newAccount(db);
      for (const [index, now] of [noon, noon + 2, noon + 1, noon + 1].entries())
        await db.write(
          addTestToInbox,
          account.id,
          `${newId()}-${index}`,
          { ...message, title: `${index}` },
          now,
        );
      const titles = async (after: { at: number; id: string } | null, limit: number) =>
        (await db.read(selectInbox, account.id, after, limit)).map(({ message: { title } }) => title);
      expect(await titles(null, 10)).toEqual(["1", "3", "2", "0"]);
      const [, middle] = await db.read(selectInbox, account.id, null, 10);
      expect(await titles({ at: middle?.createdAt ?? 0, id: middle?.id ?? "" }, 1)).toEqual(["2"]);
      expect(await db.read(selectInbox, (await newAccount(db)).id, null, 10)).toEqual([]);
    });
  });

  describe("test messages", () => {
    const count = (account: string, now: number, through = db) =>
      through.write(countTestMessage, account, newId(), now);

    it("[ALR-19] are five in any ten minutes, and it is told when the next one may go", async () => {
      const { id } = await newAccount(db);
      for (const index of times(testsPerWindow)) expect(await count(id, noon + index * minute)).toBeNull();
      expect(await count(id, noon + 5 * minute)).toBe(300);
      expect(await count(id, noon + 10 * minute - 1)).toBe(1);
      expect(await count(id, noon + 10 * minute)).toBeNull();
      expect(await count(id, noon + 10 * minute)).toBe(60);
      expect(await count(id, noon + 11 * minute)).toBeNull();
    });

    it("[ALR-19] asked for at once over two connections are five", async () => {
      const { id } = await newAccount(db);
      const asked = times(24).map((index) => count(id, noon, index % 2 ? db : elsewhere));
      const waits = await Promise.all(asked);
      expect(waits.filter((wait) => wait === null)).toHaveLength(testsPerWindow);
      expect(new Set(waits)).toEqual(new Set([null, 600]));
      console.log(`test messages on ${kind}: 24 at once, ${testsPerWindow} granted`);
    });

    it("[ALR-19] of one account are nothing to another", async () => {
      const [one, other] = [await newAccount(db), await newAccount(db)];
      for (const _ of times(testsPerWindow)) await count(one.id, noon);
      expect(await count(other.id, noon)).toBeNull();
    });

    it("[OUR-ALR-18] of a clock that was ahead hold nobody up, and no wait is longer than the window", async () => {
      const { id } = await newAccount(db);
      for (const _ of times(testsPerWindow)) await count(id, noon + 400 * day);
      for (const _ of times(testsPerWindow)) expect(await count(id, noon)).toBeNull();
      expect(await count(id, noon)).toBe(600);
      for (const now of times(60).map((index) => noon + 400 * day + index * 10 * second)) {
        const wait = await count(id, now);
        expect(wait === null || (wait >= 1 && wait <= 600)).toBe(true);
      }
    });
  });
}, everyKind);
