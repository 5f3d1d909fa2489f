import type { Database } from "../../../src/store/engine/database.ts";
import { takeFormSlot, releaseFormSlot } from "../../../src/store/access/sent-forms.ts";
import { beforeAll, expect, it } from "vitest";
import { eachDatabase } from "../../support/databases.ts";
import { newAccount, newId, noon, times } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  it("[OUR-TKN-11] of twenty sendings of one form at once one is taken, and another account's is another form", async () => {
    const [account, other] = [await newAccount(db), await newAccount(db)];
    const form = newId();
    const taken = await Promise.all(times(20).map(() => db.write(takeFormSlot, account.id, form, noon)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await db.write(takeFormSlot, other.id, form, noon)).toBe(true);
    await db.write(releaseFormSlot, other.id, form);
    expect(await db.write(takeFormSlot, account.id, form, noon)).toBe(false);
    expect(await db.write(takeFormSlot, account.id, newId(), noon)).toBe(true);
    await db.write(releaseFormSlot, account.id, form);
    expect(await db.write(takeFormSlot, account.id, form, noon)).toBe(true);
  });
});
