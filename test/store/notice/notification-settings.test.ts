import { pruneAll } from "../../../src/services/job/prune.ts";
import { recipientOf } from "../../../src/store/notice/recipients.ts";
import {
  selectInbox,
  countUnread,
  markInboxRead,
  addTestToInbox,
} from "../../../src/store/notice/notices.ts";
import {
  selectPendingAddress,
  upsertPendingAddress,
} from "../../../src/store/notice/notification-settings.ts";
import { confirmAddress } from "../../../src/services/notice/confirm-address.ts";
import { changeSettings } from "../../../src/services/notice/change-settings.ts";
import { expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { confirmationTries, defaultSettings, type PendingAddress } from "../../../src/core/notice/records.ts";
import { eachDatabase } from "../../support/databases.ts";
import { newAccount, newId, noon, times } from "../engine/rows.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

eachDatabase((databases) => {
  const start = async () => {
    const db = await databases.open();
    const account = await newAccount(db);
    const pending = (digest: string, changes: Partial<PendingAddress> = {}) =>
      db.write(upsertPendingAddress, account.id, {
        sealed: `sealed ${digest}`,
        codeDigest: digest,
        createdAt: noon,
        expiresAt: noon + 30 * minute,
        ...changes,
      });
    const settings = async () => (await db.read(recipientOf, account.id))?.settings;
    const confirm = (digest: string, now = noon) => db.write(confirmAddress, account.id, digest, now);
    return { db, account, pending, settings, confirm };
  };

  it("[OUR-NTS-08] loses no change of many at once", async () => {
    const { db, account, settings, pending, confirm } = await start();
    await pending("code");
    await Promise.all([
      db.write(changeSettings, account.id, noon, (before) => ({ ...before, sealedChat: "sealed" })),
      db.write(changeSettings, account.id, noon, (before) => ({ ...before, noticesByEmail: true })),
      db.write(changeSettings, account.id, noon, (before) => ({ ...before, noticesByChat: true })),
      confirm("code"),
    ]);
    expect(await settings()).toEqual({
      ...defaultSettings,
      sealedEmail: "sealed code",
      emailVerifiedAt: noon,
      sealedChat: "sealed",
      noticesByEmail: true,
      noticesByChat: true,
    });
  });

  it("[OUR-NTS-02] [OUR-NTS-03] takes a code once, and the last one alone", async () => {
    const { db, settings, pending, confirm, account } = await start();
    expect(await confirm("none")).toBe("none");
    await pending("first");
    await pending("second");
    expect(await confirm("first")).toBe("wrong");
    expect(await settings()).toEqual(defaultSettings);
    expect(await confirm("second")).toBe("confirmed");
    expect(await settings()).toMatchObject({ sealedEmail: "sealed second", emailVerifiedAt: noon });
    expect(await confirm("second")).toBe("none");
    expect(await db.read(selectPendingAddress, account.id, noon)).toBeNull();
  });

  it("[OUR-NTS-03] takes it for its time and its tries, tries at once included", async () => {
    const { db, settings, pending, confirm, account } = await start();
    await pending("late");
    expect(await confirm("late", noon + 30 * minute)).toBe("none");
    await pending("guessed");
    const answers = await Promise.all(times(12).map((index) => confirm(`guess ${index}`)));
    expect(answers.filter((answer) => answer === "wrong")).toHaveLength(confirmationTries);
    expect(await confirm("guessed")).toBe("none");
    expect(await db.read(selectPendingAddress, account.id, noon)).toBeNull();
    expect(await settings()).toEqual(defaultSettings);
    await pending("again");
    expect(await confirm("again")).toBe("confirmed");
  });

  it("[OUR-NTS-12] deletes an address whose code never came", async () => {
    const { db, account, pending } = await start();
    await pending("never");
    const prune = async (now: number) => {
      let deleted = 0;
      for await (const rows of pruneAll(db, now, defaultPlans)) deleted += rows;
      return deleted;
    };
    expect(await prune(noon + day)).toBe(0);
    expect(await db.read(selectPendingAddress, account.id, noon)).not.toBeNull();
    expect(await prune(noon + day + 31 * minute)).toBe(1);
    expect(await db.read(selectPendingAddress, account.id, noon)).toBeNull();
  });

  it("[OUR-NTS-11] counts what is unread, for its account alone", async () => {
    const { db, account } = await start();
    const other = await newAccount(db);
    const message = { title: "t", lines: [], link: null, tone: "info" } as const;
    for (const of of [account, account, other]) await db.write(addTestToInbox, of.id, newId(), message, noon);
    expect(await db.read(countUnread, account.id)).toBe(2);
    await db.writeRelaxed(markInboxRead, account.id, noon + 1);
    await db.write(addTestToInbox, account.id, newId(), message, noon + 2);
    expect(await db.read(countUnread, account.id)).toBe(1);
    expect(await db.read(countUnread, other.id)).toBe(1);
    expect((await db.read(selectInbox, account.id, null, 10)).map(({ readAt }) => readAt)).toEqual([
      null,
      noon + 1,
      noon + 1,
    ]);
  });
});
