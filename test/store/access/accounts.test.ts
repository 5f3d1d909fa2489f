import type { Database } from "../../../src/store/engine/database.ts";
import { changeRole } from "../../../src/services/access/change-role.ts";
import { selectAccounts, selectAccountByEmail } from "../../../src/store/access/accounts.ts";
import { verifyEmailOf } from "../../../src/services/access/verify-email-of.ts";
import { addAccount } from "../../../src/services/access/add-account.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { beforeAll, expect, it } from "vitest";
import { eachDatabase } from "../../support/databases.ts";
import { newAccount, newId, noon, times } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  it("[OUR-STO-01] an address belongs to one account, however it is spelled and however many ask at once", async () => {
    const spellings = times(20).map((index) => (index % 2 ? "Ann@Example.org" : "ann@example.org"));
    const asked = spellings.map((email) => {
      const account = { email, emailVerified: false, plan: "free", role: "user", createdAt: noon } as const;
      return db.write(addAccount, { id: newId(), ...account }, null);
    });
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    const found = await db.read(selectAccountByEmail, "ANN@example.ORG");
    expect(found).toMatchObject({
      email: "ann@example.org",
      emailVerified: false,
      plan: "free",
      role: "user",
    });
    expect(await db.read(selectAccountByEmail, "bob@example.org")).toBeNull();
  });

  it("[OUR-STO-02] accounts are listed oldest first, and those of one instant by id", async () => {
    const late = await newAccount(db, { createdAt: noon + 2 });
    const second = await newAccount(db, { createdAt: noon + 1 });
    const third = await newAccount(db, { createdAt: noon + 1 });
    const ids = (await db.read(selectAccounts)).map(({ id }) => id);
    expect(ids.slice(-3)).toEqual([second.id, third.id, late.id]);
  });

  it("[OUR-STO-03] each change of an account leaves its other facts alone", async () => {
    const account = await newAccount(db, { emailVerified: false, plan: "free" });
    await Promise.all([
      db.write(changePlan, account.id, "hosting", 0),
      db.write(changeRole, account.id, "admin", Date.now()),
      db.write(verifyEmailOf, account.id, true),
      db.write(replacePassword, account.id, "hash", null),
    ]);
    const changed = await db.read(selectAccountByEmail, account.email);
    expect(changed).toEqual({ ...account, plan: "hosting", role: "admin", emailVerified: true });
    await db.write(verifyEmailOf, account.id, false);
    expect((await db.read(selectAccountByEmail, account.email))?.emailVerified).toBe(false);
  });
});
