import { expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { confirmationTries, defaultSettings, type PendingAddress } from "../../../src/core/notice/store.ts";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase } from "../../support/databases.ts";
import { newAccount, newId, noon, times } from "../engine/rows.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

eachDatabase((databases) => {
  const start = async () => {
    const stores = storesOn(await databases.open());
    const account = await newAccount(stores);
    const pending = (digest: string, changes: Partial<PendingAddress> = {}) =>
      stores.notices.awaitCode(account.id, {
        sealed: `sealed ${digest}`,
        codeDigest: digest,
        createdAt: noon,
        expiresAt: noon + 30 * minute,
        ...changes,
      });
    const settings = async () => (await stores.notices.recipient(account.id))?.settings;
    const confirm = (digest: string, now = noon) => stores.notices.confirmAddress(account.id, digest, now);
    return { stores, account, notices: stores.notices, pending, settings, confirm };
  };

  it("[OUR-NTS-08] loses no change of many at once", async () => {
    const { account, notices, settings, pending, confirm } = await start();
    await pending("code");
    await Promise.all([
      notices.changeSettings(account.id, noon, (before) => ({ ...before, sealedChat: "sealed" })),
      notices.changeSettings(account.id, noon, (before) => ({ ...before, noticesByEmail: true })),
      notices.changeSettings(account.id, noon, (before) => ({ ...before, noticesByChat: true })),
      confirm("code"),
    ]);
    expect(await settings()).toEqual({
      sealedEmail: "sealed code",
      emailVerifiedAt: noon,
      sealedChat: "sealed",
      noticesByEmail: true,
      noticesByChat: true,
    });
  });

  it("[OUR-NTS-02] [OUR-NTS-03] takes a code once, and the last one alone", async () => {
    const { settings, pending, confirm, notices, account } = await start();
    expect(await confirm("none")).toBe("none");
    await pending("first");
    await pending("second");
    expect(await confirm("first")).toBe("wrong");
    expect(await settings()).toEqual(defaultSettings);
    expect(await confirm("second")).toBe("confirmed");
    expect(await settings()).toMatchObject({ sealedEmail: "sealed second", emailVerifiedAt: noon });
    expect(await confirm("second")).toBe("none");
    expect(await notices.pendingAddress(account.id, noon)).toBeNull();
  });

  it("[OUR-NTS-03] takes it for its time and its tries, tries at once included", async () => {
    const { settings, pending, confirm, notices, account } = await start();
    await pending("late");
    expect(await confirm("late", noon + 30 * minute)).toBe("none");
    await pending("guessed");
    const answers = await Promise.all(times(12).map((index) => confirm(`guess ${index}`)));
    expect(answers.filter((answer) => answer === "wrong")).toHaveLength(confirmationTries);
    expect(await confirm("guessed")).toBe("none");
    expect(await notices.pendingAddress(account.id, noon)).toBeNull();
    expect(await settings()).toEqual(defaultSettings);
    await pending("again");
    expect(await confirm("again")).toBe("confirmed");
  });

  it("[OUR-NTS-12] deletes an address whose code never came", async () => {
    const { stores, account, pending, notices } = await start();
    await pending("never");
    const prune = async (now: number) => {
      let deleted = 0;
      for await (const rows of stores.prune.prune(now, defaultPlans)) deleted += rows;
      return deleted;
    };
    expect(await prune(noon + day)).toBe(0);
    expect(await notices.pendingAddress(account.id, noon)).not.toBeNull();
    expect(await prune(noon + day + 31 * minute)).toBe(1);
    expect(await notices.pendingAddress(account.id, noon)).toBeNull();
  });

  it("[OUR-NTS-11] counts what is unread, for its account alone", async () => {
    const { stores, account, notices } = await start();
    const other = await newAccount(stores);
    const message = { title: "t", lines: [], link: null, tone: "info" } as const;
    for (const of of [account, account, other]) await notices.addTest(of.id, newId(), message, noon);
    expect(await notices.countUnread(account.id)).toBe(2);
    await notices.markRead(account.id, noon + 1);
    await notices.addTest(account.id, newId(), message, noon + 2);
    expect(await notices.countUnread(account.id)).toBe(1);
    expect(await notices.countUnread(other.id)).toBe(1);
    expect((await notices.inbox(account.id, null, 10)).map(({ readAt }) => readAt)).toEqual([
      null,
      noon + 1,
      noon + 1,
    ]);
  });
});
